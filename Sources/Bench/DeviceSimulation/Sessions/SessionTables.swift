package import Basics
import Evaluation
import Foundation
import ScanningPolicies

/// Tables of sessions' outcomes; all of it is modelled.
package enum SessionTables {
    package static func devices(_ sessions: [(device: String, outcome: SessionOutcome)]) -> Table {
        Table(
            "One session on each device (modelled)",
            note: "Latency is from a frame to its first result. \(batteries)",
            columns: [
                "device", "read", "books", "P50 ms", "P95 ms", "1st → last min P50", "%/min", "%/30 min",
                "seed %/min", "books per %", "skin °C", "worst state", "throttled s",
            ],
            rows: sessions.map { device, outcome in
                let sorted = outcome.latencies.sorted()
                let ends = [outcome.minutes.first, outcome.minutes.last].map { text($0?.p50, 0) }
                return [
                    device, "\(outcome.counts.read)", "\(outcome.books)", percentile(50, sorted),
                    percentile(95, sorted), "\(ends[0]) → \(ends[1])", text(outcome.percentPerMinute, 2),
                    text(outcome.percentPerHalfHour, 1), text(outcome.seedPercentPerMinute, 2),
                    text(outcome.booksPerPercent, 1), text(outcome.skin, 1), outcome.worstState.rawValue,
                    text(outcome.seconds - outcome.stateSeconds.nominal, 0),
                ]
            }
        )
    }

    /// One session in detail: what became of the frames, where the energy went, and minute by minute.
    package static func detail(_ outcome: SessionOutcome, device: String) -> [Table] {
        let energy = outcome.energy
        let parts: [(String, Double)] = [
            ("display", energy.display), ("camera", energy.camera), ("system", energy.base), ("CPU", energy.cpu),
            ("GPU", energy.gpu), ("Neural Engine", energy.neuralEngine), ("radio", energy.radio),
        ]
        return [
            Table(
                "\(device): frames (modelled)",
                columns: ["fate", "frames", "share"],
                rows: fates(outcome).map { [$0.0, "\($0.1)", share($0.1, of: outcome.offered)] }
            ),
            Table(
                "\(device): energy (modelled)",
                note: batteries,
                columns: ["component", "J", "share"],
                rows: parts.map { [$0.0, text($0.1, 1), text(100 * $0.1 / max(energy.total, 1e-9), 1) + " %"] }
                    + [["all", text(energy.total, 1), "\(text(outcome.percent, 2)) % of the battery"]]
            ),
            Table(
                "\(device): minutes (modelled)",
                columns: ["minute", "read", "books", "P50 ms", "P95 ms", "J", "skin °C", "chip °C", "throttled s"],
                rows: outcome.minutes.enumerated().map { index, minute in
                    [
                        "\(index + 1)", "\(minute.reads)", "\(minute.books)", text(minute.p50, 1), text(minute.p95, 1),
                        text(minute.energy, 1), text(minute.skin, 1), text(minute.chip, 1),
                        text(minute.seconds - minute.stateSeconds.nominal, 0),
                    ]
                }
            ),
        ]
    }

    package static func tally(_ tally: SessionTally, title: String) -> Table {
        func sum(_ name: String, _ sum: FigureSpread, _ digits: Int) -> [String] {
            let ends = [sum.smallest, sum.largest].map { text($0, digits) }
            return [name, text(sum.mean, digits), text(sum.standardDeviation, digits), "\(ends[0]) … \(ends[1])"]
        }
        func percentiles(_ name: String, _ histogram: LogHistogram, per unit: Double, _ digits: Int) -> [String] {
            let bounds = [50, 95, 99].map { percent in
                guard let bounds = histogram.percentile(percent) else { return "–" }
                let texts = [bounds.lowerBound, bounds.upperBound].map { text(Double($0) / unit, digits) }
                return texts[0] == texts[1] ? texts[0] : "\(texts[0])–\(texts[1])"
            }
            return [name] + bounds
        }
        let worst = zip(ThermalStates.rising, tally.worstStates).filter { $0.1 > 0 }
        return Table(
            "\(title): \(tally.sessions) sessions (modelled)",
            note: "Percentiles are within the given bounds. Worst state: "
                + worst.map { "\($0.0.rawValue) in \($0.1)" }.joined(separator: ", ")
                + ". Frames: "
                + ["offered", "dropped", "read"].map { "\(tally.frames[$0] ?? 0) \($0)" }.joined(separator: ", ") + ". "
                + batteries,
            columns: ["figure", "mean / P50", "deviation / P95", "range / P99"],
            rows: [
                sum("books", tally.books, 1),
                sum("%/min", tally.percentPerMinute, 3),
                sum("seed %/min", tally.seedPercentPerMinute, 3),
                sum("skin °C at the end", tally.skin, 1),
                percentiles("first result, ms", tally.latencies, per: 1e3, 1),
                percentiles("back end's answer, ms", tally.answers, per: 1e3, 1),
                percentiles("%/min of sessions", tally.drains, per: 1e6, 3),
            ]
        )
    }

    private static let batteries =
        "Battery by the energy model; the seed's formula counts only the units' busy time, and contradicts itself (K-4)."

    private static func fates(_ outcome: SessionOutcome) -> [(String, Int)] {
        let counts = outcome.counts
        let all = [
            ("dropped, the reader was busy", outcome.dropped), ("scanning paused", counts.paused),
            ("reader unloaded", counts.noReader), ("shutter closed", counts.shutterClosed),
            ("skipped, device warm", counts.thermal),
            ("too soon after the last", counts.tooSoon), ("no spine found by the gate", counts.noSpine),
            (FrameFate.moving.text, counts.moving),
            ("read, nothing new", counts.noNews), ("read, new", counts.read - counts.noNews),
        ]
        return all.filter { $0.1 > 0 } + [("all", outcome.offered)]
    }

    private static func percentile(_ percent: Int, _ sorted: [Double]) -> String {
        sorted.isEmpty ? "–" : text(Percentile.nearestRank(percent, of: sorted), 1)
    }

    private static func share(_ count: Int, of all: Int) -> String {
        all > 0 ? text(100 * Double(count) / Double(all), 1) + " %" : "–"
    }

    private static func text(_ value: Double?, _ digits: Int) -> String {
        value.map { String(format: "%.\(digits)f", $0) } ?? "–"
    }
}
