import Documents
import Foundation
import Harness
import ScanningPolicies

/// A run as a log shows it: a line for what is new, and one every few seconds.
struct PlainUpdates {
    private var last: WatchSnapshot?
    private var lastProgress: Date?

    /// Between two lines about how far a run is.
    static let pause = 5.0

    /// What is to be written.
    ///
    /// - Parameters:
    ///   - snapshot: of the run.
    ///   - now: the time of day.
    /// - Returns: whole lines; often none.
    mutating func lines(_ snapshot: WatchSnapshot, now: Date) -> [String] {
        var lines: [String] = []
        if last == nil || last?.phase != snapshot.phase {
            lines.append(
                "\(snapshot.name): \(snapshot.phase.rawValue), \(Self.progress(snapshot.done, snapshot.total))"
            )
        }
        for measurement in snapshot.measurements {
            let before = last?.measurements.first { $0.id == measurement.id }
            let isNew = before?.stage != measurement.stage && (before != nil || measurement.stage != .waiting)
            if isNew || before.map({ $0.lostWorkers != measurement.lostWorkers }) == true {
                lines.append(Self.line(measurement))
            }
        }
        // Alerts that were told are never taken back, but the oldest are let go.
        let known = last?.told ?? []
        lines += snapshot.told.filter { !known.contains($0) }.map(Self.line)
        if let silent = snapshot.silentSeconds, last?.silentSeconds == nil {
            lines.append("\(snapshot.name): \(Dashboard.silence(snapshot.phase, silent))")
        }
        let isProgress =
            snapshot.done != last?.done && now.timeIntervalSince(lastProgress ?? .distantPast) >= Self.pause
        if lines.isEmpty, isProgress {
            lines += snapshot.measurements.filter { $0.stage == .reading }.map(Self.line)
        }
        if !lines.isEmpty { lastProgress = now }
        last = snapshot
        return lines.map(PlainLine.of)
    }

    private static func progress(_ done: Int, _ total: Int?) -> String {
        total.map { "\(done) of \($0) readings" } ?? NumberText.count(done, "reading")
    }

    private static func line(_ measurement: WatchSnapshot.Measurement) -> String {
        var parts = [measurement.stage.rawValue, progress(measurement.done, measurement.total)]
        if let left = measurement.secondsLeft { parts.append("\(NumberText.span(seconds: left)) left") }
        if let p50 = measurement.p50 { parts.append("P50 \(NumberText.milliseconds(p50))") }
        if let p95 = measurement.p95 { parts.append("P95 \(NumberText.milliseconds(p95))") }
        if let bytes = measurement.residentBytes { parts.append(NumberText.megabytes(Double(bytes))) }
        if let battery = measurement.battery {
            parts.append("battery \(NumberText.fixed(battery.energyPercentPerMinute, 2)) %/min (modelled)")
        }
        if measurement.failed > 0 { parts.append("\(measurement.failed) failed") }
        if measurement.lostWorkers > 0 { parts.append("\(NumberText.count(measurement.lostWorkers, "worker")) lost") }
        return "\(measurement.id): \(parts.joined(separator: ", "))"
    }

    private static func line(_ alert: WatchSnapshot.Alert) -> String {
        "\(alert.measurement): \(alert.isOver ? "over" : alert.severity.rawValue): \(alert.message)"
    }
}
