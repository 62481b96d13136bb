internal import Foundation

/// Times of the same inference in each precision on this machine.
///
/// A processor may know bf16 and yet be slower in it: without AMX, converting to and from it costs more than it saves.
public struct PrecisionTimings: Sendable, Equatable {
    /// The least time that one precision took.
    public struct Timing: Sendable, Equatable {
        /// Precision of the networks.
        public var precision: InferencePrecision
        /// For a spine with four lines of text; 0 when there was nothing to compare with.
        public var milliseconds: Double
    }

    /// In the order in which they were asked for; never empty.
    public let all: [Timing]

    /// f32, unless another one takes a twentieth less: what is as quick is not worth the digits it loses.
    public var quickest: InferencePrecision {
        let f32 = all.first { $0.precision == .f32 }?.milliseconds ?? .infinity
        let best = all.min { $0.milliseconds < $1.milliseconds }
        guard let best, best.milliseconds < 0.95 * f32 else { return .f32 }
        return best.precision
    }

    /// Times the precisions, taking turns, and keeps the least of each; or takes up what `cache` holds.
    ///
    /// - Parameters:
    ///   - precisions: What to compare; with one alone nothing is timed.
    ///   - cache: A file for the timings; nil to take them anew.
    ///   - prepare: Gets one ready and gives back what runs it once and says how long the networks took.
    /// - Returns: One timing for each.
    /// - Throws: What `prepare` throws, or a run.
    static func taken(
        among precisions: [InferencePrecision],
        cache: String?,
        prepare: (InferencePrecision) throws -> () throws -> Duration
    ) throws -> PrecisionTimings {
        if precisions.count < 2 {
            return PrecisionTimings(all: precisions.map { Timing(precision: $0, milliseconds: 0) })
        }
        if let cache, let text = try? String(contentsOfFile: cache, encoding: .utf8),
            let kept = PrecisionTimings(text: text), kept.all.map(\.precision) == precisions
        {
            return kept
        }
        let runs = try precisions.map(prepare)
        var least = precisions.map { _ in Duration.seconds(3600) }
        for round in 0..<rounds {
            for (index, run) in runs.enumerated() {
                let duration = try run()
                // The first run takes memory that the later ones have.
                if round > 0 { least[index] = min(least[index], duration) }
            }
        }
        let timings = PrecisionTimings(
            all: zip(precisions, least).map { Timing(precision: $0, milliseconds: $1 / .milliseconds(1)) }
        )
        // Without a cache the next process times them again.
        if let cache { try? Data(timings.text.utf8).write(to: URL(fileURLWithPath: cache), options: .atomic) }
        return timings
    }

    /// Eight are enough for the least of each to differ by a few percent at most from the least of many.
    private static let rounds = 8

    init(all: [Timing]) { self.all = all }

    /// Value that ``text`` writes; nil for anything else.
    init?(text: String) {
        var timings: [Timing] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let precision = InferencePrecision(rawValue: String(words[0])),
                let milliseconds = Double(words[1]), milliseconds.isFinite, milliseconds > 0
            else { return nil }
            timings.append(Timing(precision: precision, milliseconds: milliseconds))
        }
        guard !timings.isEmpty else { return nil }
        all = timings
    }

    /// One line for each: name and milliseconds.
    var text: String { all.map { "\($0.precision.rawValue) \($0.milliseconds)\n" }.joined() }
}
