import Basics
import Evaluation
import Foundation
import Harness
import ScanningPolicies
import Statistics

/// Results of the scenarios, in sentences that Markdown and the page share.
struct FindingsText: Sendable {
    let measurement: MeasurementResult

    var sentences: [String] {
        let findings = measurement.findings
        let parts: [[String]?] = [
            // Spines whose title counts neither as read nor as not read.
            (measurement.all.counts[.notScored] ?? [:]).sorted { $0.key < $1.key }.map {
                "Not scored for text: \(NumberText.count($0.value, "spine")), as \($0.key)."
            },
            stream, findings?.server.map(text), findings?.offline.map(text), findings?.soak.map(text),
            findings?.cold.map(text), findings?.live.map(text),
            findings?.performanceSet.map { ["Performance sample set: \($0)."] },
        ]
        return parts.compactMap(\.self).flatMap(\.self)
    }

    /// Problems of the answer streams that finished.
    private var stream: [String]? {
        let streams = measurement.all.counts[.streams] ?? [:]
        let (broken, malformed) = (streams["reconnects"] ?? 0, streams["malformedEvents"] ?? 0)
        return broken + malformed == 0
            ? nil
            : [
                "The streams of answers were interrupted \(NumberText.count(broken, "time")), and "
                    + "\(NumberText.count(malformed, "event")) could not be read."
            ]
    }

    private func text(_ server: ServerFindings) -> [String] {
        func times(_ times: LatencySummary) -> String {
            "P50 \(NumberText.bounded(times.p50)), P95 \(NumberText.bounded(times.p95))"
        }
        return [
            "\(measurement.scenario.kind.rawValue.capitalized): \(rate(server.achievedRate)) of "
                + "\(rate(server.scheduledRate)) scheduled (requested \(rate(server.askedRate))), "
                + "\(NumberText.count(server.lanes, "reading")) in parallel, backlog \(server.backlog) at the last arrival. "
                + "Latency counts from the scheduled arrival.",
            "Of it, waiting: \(times(server.waiting)); reading: \(times(server.service)).",
        ]
    }

    private func text(_ offline: OfflineFindings) -> [String] {
        [
            "Offline: \(estimate(offline.throughput, offline.interval, rate)), "
                + "\(NumberText.count(offline.readings, "spine")) in \(NumberText.span(seconds: offline.seconds)), "
                + "\(NumberText.count(offline.lanes, "reading")) in parallel."
        ]
    }

    private func text(_ soak: SoakFindings) -> [String] {
        // A value that rounds to zero has no sign, not even −0.
        func growth(_ bytes: Double) -> String {
            let megabytes = (bytes / 1e4).rounded() / 100 + 0
            return (megabytes < 0 ? "" : "+") + NumberText.fixed(megabytes, 2) + " MB"
        }
        let verdict =
            switch soak.leakVerdict.verdict {
            case .pass: "no leak beyond \(growth(SoakFindings.tolerableLeak))"
            case .fail: "a leak: \(soak.leakVerdict.note)"
            case .inconclusive: "not decided: \(soak.leakVerdict.note)"
            }
        let drift = estimate(soak.drift, soak.driftInterval) { ($0 < 0 ? "" : "+") + NumberText.percent($0) }
        return [
            "Soak of \(NumberText.span(seconds: soak.seconds)): memory footprint "
                + "\(estimate(soak.leak.slope, soak.leak.interval, per: " per 1,000 readings", growth)); \(verdict).",
            "Latency of the last third relative to the first: \(drift).",
        ]
    }

    private func text(_ cold: ColdFindings) -> [String] {
        [
            "Cold: from process start to the first text P50 \(NumberText.bounded(cold.untilText.p50)), "
                + "longest \(NumberText.figure(cold.untilText.longest, NumberText.milliseconds)); until ready P50 "
                + "\(NumberText.bounded(cold.untilReady.p50)); loading P50 \(NumberText.bounded(cold.load.p50)). \(cold.note)."
        ]
    }

    private func text(_ live: LiveFigures) -> [String] {
        func list(_ outcomes: [(outcome: FrameOutcome, count: Int)]) -> String {
            outcomes.map { "\($0.outcome.text) \($0.count)" }.joined(separator: ", ")
        }
        let read = FrameOutcome.allCases.filter(\.isRead).compactMap { outcome in
            live.frames[outcome].map { (outcome, $0) }
        }
        let minute = live.booksPerMinute.map { " (\(NumberText.fixed($0, 1)) a minute)" } ?? ""
        let first = live.secondsToFirstBook.map { ", the first after \(NumberText.fixed($0, 1)) s" } ?? ""
        return [
            "Live: \(NumberText.count(live.seen, "frame")) in \(NumberText.span(seconds: live.seconds)), \(live.read) read; "
                + "not read: \(list(live.skipped)); \(list(read)).",
            "\(NumberText.count(live.books, "book"))\(minute)\(first), \(NumberText.count(live.drafts, "draft")), \(live.queued) queued, "
                + "\(NumberText.count(live.pauses, "pause")). Latency counts from the first frame with the whole spine in view.",
        ]
    }

    /// Returns a text such as "10.0/s [9.8/s, 10.2/s]"; without an interval, the figure alone.
    private func estimate(
        _ figure: Figure,
        _ interval: IntervalFigure,
        per unit: String = "",
        _ text: (Double) -> String
    ) -> String {
        NumberText.figure(figure, text) + unit
            + (interval.value.map { " [\(text($0.lowerBound)), \(text($0.upperBound))]" } ?? "")
    }

    private func rate(_ perSecond: Double) -> String { NumberText.fixed(perSecond, perSecond < 10 ? 2 : 1) + "/s" }
}
