import ArgumentParser
import Basics
import CommandSupport
import Composition
import Foundation
import Harness
import ScanningPolicies

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Watch a run in progress.",
        discussion: """
            For example:

              spinebench watch Reports/runs/20260301T120000Z

            It only reads the run's folder, and ends with the run.

            Exit codes: 0 the run is finished, 2 run not found, 3 the run was stopped before its end, 130 and 143 stopped by a signal.
            """
    )

    @Argument(help: .value("dir", "Folder of the run."))
    var run: String

    @Flag(help: "Print one line per update, as without a terminal.")
    var plain = false

    @Option(
        help: .value(
            "name",
            "Phone whose battery is modelled, at one reading per second. (default: \(PhoneBattery.standard))"
        )
    )
    var device: String?

    func run() async throws {
        var follower = try RunFollower(run, battery: battery())
        let isScreen = !plain && Console.isScreen
        let interruption = Signals.interruption()
        var (screen, updates) = (TerminalScreen(), PlainUpdates())
        defer { if isScreen { StandardOutput.write(TerminalScreen.end) } }
        while true {
            let now = Date()
            _ = follower.poll(now: now)
            let size = TerminalScreen.size
            let snapshot = follower.snapshot(now: now, columns: Dashboard.columns(width: size.columns))
            if isScreen {
                let dashboard = Dashboard(snapshot: snapshot, width: size.columns, hasColour: Console.hasColour)
                StandardOutput.write(screen.frame(dashboard.lines, rows: size.rows))
            } else {
                for line in updates.lines(snapshot, now: now) { StandardOutput.write(line + "\n") }
            }
            switch snapshot.phase {
            case .finished: return
            case .stopped:
                Console.standardError("The run is not finished. Continue with: spinebench run --resume \(run)")
                throw ExitStatus.undecided.exitCode
            case .running: break
            }
            if let signal = interruption.signal { throw HarnessError.interrupted(signal: signal) }
            try await Task.sleep(for: Self.interval)
            if let signal = interruption.signal { throw HarnessError.interrupted(signal: signal) }
        }
    }

    private func battery() throws -> WatchState.Battery {
        guard let device = try PhoneBattery.device(device) else { return { _, _ in nil } }
        return { milliseconds, cores in
            PhoneBattery.perMinute(milliseconds: milliseconds, cores: cores, on: device)
        }
    }

    static let interval = Duration.milliseconds(500)
}

struct PlainUpdates {
    private var last: WatchSnapshot?
    private var lastProgress: Date?

    static let pause = 5.0

    /// Returns the new lines; often none.
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
        // Reported alerts are never withdrawn, but the oldest are removed.
        let known = last?.alertHistory ?? []
        lines += snapshot.alertHistory.filter { !known.contains($0) }.map(Self.line)
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
        if let bytes = measurement.footprintBytes { parts.append(NumberText.megabytes(Double(bytes))) }
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
