import ArgumentParser
import CommandSupport
import Foundation
import Harness
import NIOCore

/// `spinebench watch`.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows a run while it goes on, in the terminal or on a web page.",
        discussion: """
            For example:

              spinebench watch Reports/runs/20260301T120000Z
              spinebench watch Reports/runs/20260301T120000Z --web
              spinebench watch Reports/runs/20260301T120000Z --web --port 9000

            It reads the run's folder and disturbs the run no more than that does. In a terminal it ends with the run; the \
            page, which only this machine can open, is served until Ctrl-C.

            Exit codes: 0 the run is finished, 2 there is no run, 3 it was stopped before its end, 130 and 143 stopped by a signal \
            (0 with --web).
            """
    )

    @Argument(help: ArgumentHelp("The run's folder.", valueName: "dir"))
    var run: String

    @Flag(help: "Serve a page on 127.0.0.1.")
    var web = false

    @Option(help: ArgumentHelp("The page's port; 0 for a free one.", valueName: "port"))
    var port = 8765

    @Flag(help: "Write a line for each update, as where there is no terminal.")
    var plain = false

    @Option(
        help: ArgumentHelp(
            "The phone whose battery is modelled, at one reading a second. (default: \(PhoneBattery.standard))",
            valueName: "name"
        )
    )
    var device: String?

    func validate() throws {
        if !(0...65_535).contains(port) { throw ValidationError("--port is \(port); expected 0 to 65535.") }
        if web && plain { throw ValidationError("Say --web or --plain, not both.") }
    }

    func run() async throws {
        let follower = try RunFollower(run, battery: battery())
        if web {
            do {
                try await WatchServer(follower: follower, port: port).run()
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                Console.error("the port \(port) is taken; name another one, or --port 0 for a free one")
                throw ExitStatus.environment.exitCode
            }
        } else {
            try await watch(follower)
        }
    }

    private func battery() throws -> WatchState.Battery {
        guard let device = try PhoneBattery.device(device) else { return { _ in nil } }
        return { milliseconds in PhoneBattery.perMinute(milliseconds: milliseconds, on: device) }
    }

    /// Between two looks at the folder.
    static let interval = Duration.milliseconds(500)

    private func watch(_ follower: RunFollower) async throws {
        var follower = follower
        let isScreen = !plain && isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
        let interruption = Interruption()
        let signals = Signals.stop(interruption)
        defer { for source in signals { source.cancel() } }
        var (screen, updates) = (TerminalScreen(), PlainUpdates())
        defer { if isScreen { Self.write(TerminalScreen.end) } }
        while true {
            let now = Date()
            _ = follower.poll(now: now)
            let size = TerminalScreen.size
            let snapshot = follower.snapshot(now: now, columns: Dashboard.columns(width: size.columns))
            if isScreen {
                let dashboard = Dashboard(snapshot: snapshot, width: size.columns, hasColour: Console.hasColour)
                Self.write(screen.frame(dashboard.lines, rows: size.rows))
            } else {
                for line in updates.lines(snapshot, now: now) { Self.write(line + "\n") }
            }
            switch snapshot.phase {
            case .finished: return
            case .stopped:
                Console.standardError("The run is not finished. Go on with: spinebench run --resume \(run)")
                throw ExitStatus.undecided.exitCode
            case .running: break
            }
            if let signal = interruption.signal { throw HarnessError.interrupted(signal: signal) }
            try await Task.sleep(for: Self.interval)
            if let signal = interruption.signal { throw HarnessError.interrupted(signal: signal) }
        }
    }

    /// At once, and whole.
    private static func write(_ text: String) { StandardOutput.write(text) }
}
