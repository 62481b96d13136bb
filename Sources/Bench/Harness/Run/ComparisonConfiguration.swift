import Basics
package import Evaluation
package import SpineDatasets

/// A live comparison's options, resolved once.
package struct ComparisonConfiguration: Sendable, Equatable, Codable {
    package var tool: String
    package var codeDigest: String?
    /// SHA-256 of the other program's file when A is of another build.
    package var otherCodeDigest: String?
    package var datasets: [DatasetReference]
    package var a: Variant
    package var b: Variant
    /// Further variants, C, D, …; nil for two.
    package var others: [Variant]?
    package var nameA: String
    package var nameB: String
    package var rounds = 2
    package var seed: UInt64 = 1
    package var warmUpReadings = 3
    package var sampleTimeoutSeconds = 30.0
    package var limit: Int?
    package var measuresNoise = true
    package var tolerances = ComparisonTolerances.standard

    package var variants: [Variant] { [a, b] + (others ?? []) }

    package var sides: [ComparisonPlan.Side] {
        variants.indices.map(ComparisonPlan.Side.init) + (measuresNoise ? [.control] : [])
    }

    package func variant(_ side: ComparisonPlan.Side) -> Variant { variants[side.index] }

    package func name(_ side: ComparisonPlan.Side) -> String {
        side == .a ? nameA : side == .b ? nameB : variant(side).name
    }

    /// Returns the measurement that identifies a side's records.
    package func measurement(_ side: ComparisonPlan.Side, _ dataset: DatasetReference) -> Measurement {
        Measurement(
            variant: variant(side),
            scenario: Scenario(kind: .single),
            dataset: dataset,
            id: side.rawValue + (datasets.count > 1 ? "@\(dataset.name)" : "")
        )
    }

    package func pictures(of dataset: Dataset) -> [Sample] {
        dataset.pictures(of: a.subject ?? .spines, limit: limit)
    }

    package func plan(_ dataset: Dataset) -> ComparisonPlan {
        ComparisonPlan(samples: pictures(of: dataset), rounds: rounds, seed: seed, sides: sides)
    }

    var asRun: RunConfiguration {
        RunConfiguration(
            tool: tool,
            codeDigest: codeDigest,
            datasets: datasets,
            variants: [a],
            repetitions: rounds,
            warmUpReadings: warmUpReadings,
            seeds: [seed],
            sampleTimeoutSeconds: sampleTimeoutSeconds,
            limit: limit
        )
    }

    /// As many as have a letter.
    package static let mostVariants = 26

    /// - Throws: ``HarnessError/configuration(_:)`` for the first invalid value.
    package func validate() throws(HarnessError) {
        if rounds < 1 { throw .configuration("invalid rounds \(rounds): expected 1 or more") }
        if !(2...Self.mostVariants).contains(variants.count) {
            throw .configuration("\(variants.count) variants: expected 2 to \(Self.mostVariants)")
        }
        if let other = variants.first(where: { ($0.subject ?? .spines) != (a.subject ?? .spines) }) {
            throw .configuration(
                "\(nameA) and \(other == b ? nameB : other.name) cannot be compared: one reads single spines, the other whole shelves"
            )
        }
        try asRun.validate()
    }
}

extension ComparisonConfiguration {
    package init(tool: String, datasets: [DatasetReference], a: Variant, b: Variant) {
        self.init(tool: tool, codeDigest: nil, datasets: datasets, a: a, b: b, nameA: a.name, nameB: b.name)
    }
}

/// Tolerated deterioration of each metric before it is a regression.
package struct ComparisonTolerances: Sendable, Equatable, Codable {
    /// A share of the old value, or points as a share; a metric without one does not gate.
    package var changes: [Metric: Double]
    /// A peak of memory has to grow by so much as well: 5 % of a small process is noise of the allocator.
    package var leastBytes: Double

    package static let standard = ComparisonTolerances(
        changes: [.titleRead: 0.02, .bookRecall: 0.02, .latency: 0.05, .latencyP95: 0.1, .peakFootprint: 0.05],
        leastBytes: 10e6
    )

    /// The tolerance of a metric; nil when it does not gate.
    package subscript(metric: Metric) -> Double? {
        get { changes[metric] }
        set { changes[metric] = newValue }
    }
}

/// Order in which the sides of a comparison read.
///
/// Every round reads all samples once, in a separate order, cut into stints. A stint has a fresh process of each
/// side, all resident together, which read in turns, so that a slowdown of the machine affects all of them alike. The
/// more stints, the smaller is the effect of one process's luck.
package struct ComparisonPlan: Sendable, Equatable {
    package struct Side: Sendable, Hashable {
        /// Index of its variant.
        package var index: Int
        private var isControl = false

        package init(_ index: Int) { self.index = index }

        package static let a = Side(0)
        package static let b = Side(1)
        /// Second process of A: its difference from the first is noise.
        package static let control = {
            var side = Side.a
            side.isControl = true
            return side
        }()

        /// "A", "B", …; "A′" for the control.
        package var rawValue: String {
            String(UnicodeScalar(UInt8(ascii: "A") + UInt8(index))) + (isControl ? "′" : "")
        }
    }

    package struct Step: Sendable, Equatable {
        /// Counted from 1.
        package var round: Int
        /// Place in the round, counted from 0.
        package var position: Int
        package var sample: Sample
        /// Sides in reading order.
        package var order: [Side]
    }

    /// Stints, each with fresh processes.
    package let stints: [[Step]]

    /// Number of samples per process: few enough for many processes, enough that starting them takes less time than
    /// reading.
    package static let stintLength = 60

    package init(samples: [Sample], rounds: Int, seed: UInt64, sides: [Side]) {
        let orders = sides.count <= Self.mostPermuted ? Self.orders(of: sides) : []
        let parts = max(1, (samples.count + Self.stintLength / 2) / Self.stintLength)
        stints = (0..<rounds).flatMap { (round: Int) -> [[Step]] in
            var random = SplitMix64(state: seed &+ UInt64(round) &* 0xd134_2543_de82_ef95)
            let steps = random.shuffled(samples).enumerated().map { position, sample in
                Step(round: round + 1, position: position, sample: sample, order: [])
            }
            return (0..<parts).map { (part: Int) -> [Step] in
                var turn: [[Side]] = []
                let (first, end) = (steps.count * part / parts, steps.count * (part + 1) / parts)
                return steps[first..<end].map { (step: Step) -> Step in
                    if turn.isEmpty {
                        turn = random.shuffled(orders.isEmpty ? Self.rotations(of: random.shuffled(sides)) : orders)
                    }
                    var step = step
                    step.order = turn.removeLast()
                    return step
                }
            }
        }
    }

    /// Returns the stint of each reading, by its sample and round.
    package func stintOf() -> (_ id: String, _ round: Int) -> Int? {
        var numbers: [SampleRecord.Key: Int] = [:]
        for (number, stint) in stints.enumerated() {
            for step in stint {
                numbers[SampleRecord.Key(measurement: "", repetition: step.round, id: step.sample.id)] = number
            }
        }
        return { numbers[SampleRecord.Key(measurement: "", repetition: $1, id: $0)] }
    }

    /// More sides have too many orders for one stint.
    private static let mostPermuted = 3

    /// Returns as many orders as there are sides, of which each side is first, second … in one.
    private static func rotations(of sides: [Side]) -> [[Side]] {
        sides.indices.map { Array(sides[$0...] + sides[..<$0]) }
    }

    /// Returns all orders of the sides: each side is equally often first, and equally often after each other one.
    private static func orders(of sides: [Side]) -> [[Side]] {
        if sides.isEmpty { return [[]] }
        return sides.indices.flatMap { index in
            var rest = sides
            let first = rest.remove(at: index)
            return orders(of: rest).map { [first] + $0 }
        }
    }
}
