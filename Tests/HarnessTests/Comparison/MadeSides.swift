import Basics
import Evaluation

@testable import Harness

extension Comparison {
    /// Returns the comparison of two sides.
    static func made(
        _ a: ReadingSet,
        _ b: ReadingSet,
        _ noise: NoiseFloor = GoldenComparison.noise,
        _ tolerances: ComparisonTolerances = .standard
    ) -> Comparison {
        Sides([a, b], dataset: "made", noise: noise, tolerances: tolerances).comparisons[0]
    }
}

/// Sides of comparisons made up by hand.
enum MadeSides {
    static func entry(
        _ id: String,
        group: String? = nil,
        category: String = "vertical",
        title: Bool? = true,
        text: String? = nil,
        milliseconds: [Double] = [40]
    ) -> ReadingSet.Entry {
        var outcomes: [Metric: Bool] = [:]
        outcomes[.titleRead] = title
        // The median, of which all here are on one side.
        outcomes[.readInTime] = title.map { $0 && milliseconds.allSatisfy { $0 <= 500 } }
        return ReadingSet.Entry(
            id: id,
            group: group ?? id,
            category: category,
            outcomes: outcomes,
            characters: EditCounts(substitutions: title == true ? 0 : 5, referenceLength: 10),
            text: text,
            readings: milliseconds.enumerated().map { .init(round: $0.offset + 1, milliseconds: $0.element) },
            varies: false
        )
    }

    /// Returns A and A′ with ten samples a stint, read in 30 ms and more; A′ has the given factor in each stint.
    static func latencies(stints: [Double]) -> (a: ReadingSet, control: ReadingSet) {
        let ids = (0..<(stints.count * 10)).map { "s\($0)" }
        func set(_ name: String, _ factor: (Int) -> Double) -> ReadingSet {
            ReadingSet(
                name: name,
                entries: ids.enumerated().map { index, id in
                    entry(id, milliseconds: [(30 + Double(index)) * factor(index / 10)])
                }
            )
        }
        return (set("A") { _ in 1 }, set("A′") { stints[$0] })
    }
}
