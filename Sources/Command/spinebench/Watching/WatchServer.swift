import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import SpineDatasets

/// The page of a run, on this machine alone, until Ctrl-C.
struct WatchServer: Sendable {
    var follower: RunFollower
    /// 0 for a free one.
    var port: Int
    /// Told the port once it listens.
    var onRunning: @Sendable (_ port: Int) async -> Void = { port in
        Console.standardError("The page is at http://127.0.0.1:\(port)/ until Ctrl-C.")
    }

    /// Serves.
    ///
    /// - Throws: what listening reports.
    func run() async throws { try await application().runService() }

    /// The server with what follows the run, not yet running.
    func application() -> some ApplicationProtocol {
        var follower = follower
        _ = follower.poll(now: Date())
        let first = follower.snapshot(now: Date())
        let hub = WatchHub(
            first: WatchHub.Frame(version: 1, json: Self.json(first), isFinal: first.phase == .finished),
            epoch: Int(Date().timeIntervalSince1970 * 1_000)
        )
        let onRunning = onRunning
        return Application(
            responder: WatchResponder(hub: hub),
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port),
                serverName: "spinebench"
            ),
            services: [FollowService(follower: follower, hub: hub, clock: ContinuousClock())],
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "spinebench.watch") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// A snapshot in one line.
    static func json(_ snapshot: WatchSnapshot) -> String {
        // Numbers in a snapshot are finite: encoding them cannot fail.
        (try? JSONLine.encode(snapshot)).map { String(decoding: $0.dropLast(), as: UTF8.self) } ?? "{}"
    }
}

/// Looks at the run's folder twice a second and tells the pages.
struct FollowService: Service {
    var follower: RunFollower
    var hub: WatchHub
    var clock: any Clock<Duration>

    /// Looks between two signs of life.
    static let looksPerBeat = 30

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var follower = follower
            var (look, phase) = (0, WatchSnapshot.Phase?.none)
            while true {
                let now = Date()
                let hasNews = follower.poll(now: now)
                let snapshot = follower.snapshot(now: now)
                look += 1
                // The clock of a run that goes on is shown every second.
                if hasNews || snapshot.phase != phase || snapshot.phase == .running && look.isMultiple(of: 2) {
                    hub.publish(WatchServer.json(snapshot), isFinal: snapshot.phase == .finished)
                } else if look.isMultiple(of: Self.looksPerBeat) {
                    hub.beat()
                }
                phase = snapshot.phase
                try await clock.sleep(for: WatchCommand.interval)
            }
        }
    }
}
