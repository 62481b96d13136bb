import Basics
import Evaluation
import SpineDatasets
import TestSupport

@testable import Harness

/// A comparison made up by hand: B is 10 % slower and loses six titles of forty, and gains one.
enum GoldenComparison {
    static let samples = (0..<40).map { index in
        Sample.made("s\(index)", index < 30 ? .vertical : .stylized, title: "Volume \(index)")
    }

    private static func side(
        _ name: String,
        factor: Double,
        unread: Set<Int>,
        peak: Double,
        processes: [Double]
    ) -> ReadingSet {
        ReadingSet(
            name: name,
            entries: samples.enumerated().map { index, sample in
                // One process is slower by the amount that another is faster.
                let luck = index % 4 < 2 ? 1.002 : 1 / 1.002
                let milliseconds = (30 + Double(index) / 2) * factor * luck
                return MadeSides.entry(
                    sample.id,
                    category: sample.category.rawValue,
                    title: !unread.contains(index),
                    text: unread.contains(index) ? "Vol | \(index)" : sample.title,
                    milliseconds: [milliseconds, milliseconds * 1.02, milliseconds * 0.98]
                )
            },
            workers: processes.enumerated().map {
                ReadingSet.Worker(
                    stint: $0.offset,
                    figures: [.peakFootprint: peak * $0.element, .start: 180 * $0.element]
                )
            },
            problems: name == "new" ? ["s7, round 2: no answer within 30 s, so the worker was killed"] : []
        )
    }

    static let a = side("old", factor: 1, unread: [0], peak: 300e6, processes: [1, 1.001, 0.999])
    static let b = side("new", factor: 1.1, unread: [1, 2, 3, 4, 5, 6], peak: 303e6, processes: [1, 0.999, 1.001])

    static let noise = NoiseFloor(
        floors: [
            .titleRead: .value(0), .authorRead: .value(0), .characterErrors: .value(0), .readInTime: .value(0),
            .latency: .value(0.012), .latencyP50: .value(0.02), .latencyP95: .value(0.12),
            .peakFootprint: .value(0.004), .start: .value(0.08),
        ],
        processSpread: 0.01,
        origin: "A/A run of 3 pairs of processes"
    )

    static let report: ComparisonReport = {
        var report = ComparisonReport(
            tool: "spinebench 0.1.0",
            method: "Measured now: 3 rounds.",
            tolerances: .standard,
            parts: [Sides([a, b], dataset: "made", noise: noise, tolerances: .standard)]
        )
        report.host = GoldenRun.events[0].host
        return report
    }()
}
