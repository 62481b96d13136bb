import Basics
import Evaluation
import Foundation
import Harness
import ScanningPolicies

/// Results of the scenarios, in sentences that Markdown and the page share.
struct FindingsText: Sendable {
    let measurement: MeasurementResult

    var sentences: [String] {
        var sentences = notScored + stream
        guard let findings = measurement.findings else { return sentences }
        if let server = findings.server { sentences += Self.text(server, of: measurement.scenario.kind) }
        if let offline = findings.offline { sentences += Self.text(offline) }
        if let soak = findings.soak { sentences += [Self.leak(soak), Self.drift(soak)] }
        if let cold = findings.cold { sentences += Self.text(cold) }
        if let live = findings.live { sentences += Self.text(live) }
        if let set = findings.performanceSet { sentences.append("Performance sample set: \(set).") }
        return sentences
    }

    /// Spines whose title counts neither as read nor as not read.
    private var notScored: [String] {
        (measurement.all.counts[.notScored] ?? [:]).sorted { $0.key < $1.key }.map {
            "Not scored for text: \(NumberText.count($0.value, "spine")), as \($0.key)."
        }
    }

    /// Problems of the answer streams that finished.
    private var stream: [String] {
        let streams = measurement.all.counts[.streams] ?? [:]
        let (broken, malformed) = (streams["reconnects"] ?? 0, streams["malformedEvents"] ?? 0)
        guard broken + malformed > 0 else { return [] }
        return [
            "The streams of answers were interrupted \(NumberText.count(broken, "time")), and "
                + "\(NumberText.count(malformed, "event")) could not be read."
        ]
    }

    private static func text(_ server: ServerFindings, of kind: Scenario.Kind) -> [String] {
        [
            "\(kind.rawValue.capitalized): \(rate(server.achievedRate)) of \(rate(server.scheduledRate)) scheduled (requested "
                + "\(rate(server.askedRate))), \(NumberText.count(server.lanes, "reading")) in parallel, backlog "
                + "\(server.backlog) at the last arrival. Latency counts from the scheduled arrival.",
            "Of it, waiting: P50 \(NumberText.bounded(server.waiting.p50)), P95 \(NumberText.bounded(server.waiting.p95)); "
                + "reading: P50 \(NumberText.bounded(server.service.p50)), P95 \(NumberText.bounded(server.service.p95)).",
        ]
    }

    private static func text(_ offline: OfflineFindings) -> [String] {
        [
            "Offline: \(NumberText.figure(offline.throughput, rate))\(interval(offline.interval, rate)), "
                + "\(NumberText.count(offline.readings, "spine")) in \(NumberText.span(seconds: offline.seconds)), "
                + "\(NumberText.count(offline.lanes, "reading")) in parallel."
        ]
    }

    /// Returns a text such as "Soak of 5 min 0 s: memory footprint +0.10 MB per 1,000 readings [−0.20, +0.30]; no leak
    /// beyond +1.00 MB" in full.
    static func leak(_ soak: SoakFindings) -> String {
        let verdict =
            switch soak.leakVerdict.verdict {
            case .pass: "no leak beyond \(megabytes(SoakFindings.tolerableLeak))"
            case .fail: "a leak: \(soak.leakVerdict.note)"
            case .inconclusive: "not decided: \(soak.leakVerdict.note)"
            }
        return "Soak of \(NumberText.span(seconds: soak.seconds)): memory footprint "
            + "\(NumberText.figure(soak.leak.slope, megabytes)) per 1,000 readings\(interval(soak.leak.interval, megabytes)); "
            + verdict + "."
    }

    static func drift(_ soak: SoakFindings) -> String {
        "Latency of the last third relative to the first: \(NumberText.figure(soak.drift, signed))"
            + "\(interval(soak.driftInterval, signed))."
    }

    private static func text(_ cold: ColdFindings) -> [String] {
        [
            "Cold: from process start to the first text P50 \(NumberText.bounded(cold.untilText.p50)), "
                + "longest \(NumberText.figure(cold.untilText.longest, NumberText.milliseconds)); until ready P50 "
                + "\(NumberText.bounded(cold.untilReady.p50)); loading P50 \(NumberText.bounded(cold.load.p50)). \(cold.note)."
        ]
    }

    private static func text(_ live: LiveFigures) -> [String] {
        func list(_ fates: [(fate: FrameFate, count: Int)]) -> String {
            fates.map { "\($0.fate.text) \($0.count)" }.joined(separator: ", ")
        }
        let read = FrameFate.allCases.filter(\.isRead).compactMap { fate in live.frames[fate].map { (fate, $0) } }
        let minute = live.booksPerMinute.map { " (\(NumberText.fixed($0, 1)) a minute)" } ?? ""
        let first = live.secondsToFirstBook.map { ", the first after \(NumberText.fixed($0, 1)) s" } ?? ""
        return [
            "Live: \(NumberText.count(live.seen, "frame")) in \(NumberText.span(seconds: live.seconds)), \(live.read) read; "
                + "not read: \(list(live.skipped)); \(list(read)).",
            "\(NumberText.count(live.books, "book"))\(minute)\(first), \(NumberText.count(live.drafts, "draft")), \(live.queued) queued, "
                + "\(NumberText.count(live.pauses, "pause")). Latency counts from the first frame with the whole spine in view.",
        ]
    }

    private static func interval(_ interval: IntervalFigure, _ text: (Double) -> String) -> String {
        interval.value.map { " [\(text($0.lowerBound)), \(text($0.upperBound))]" } ?? ""
    }

    private static func rate(_ perSecond: Double) -> String {
        NumberText.fixed(perSecond, perSecond < 10 ? 2 : 1) + "/s"
    }

    private static func signed(_ share: Double) -> String { (share < 0 ? "" : "+") + NumberText.percent(share) }

    private static func megabytes(_ bytes: Double) -> String {
        // A value that rounds to zero has no sign, not even −0.
        let rounded = (bytes / 1e4).rounded() / 100
        return (rounded < 0 ? "" : "+") + NumberText.fixed(rounded == 0 ? 0 : rounded, 2) + " MB"
    }
}
