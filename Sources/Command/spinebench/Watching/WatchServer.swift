import Composition
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import SpineDatasets
import Synchronization

/// The page of a run, on this machine alone, until Ctrl-C.
struct WatchServer: Sendable {
    var follower: RunFollower
    /// 0 for a free one.
    var port: Int
    /// Called with the port once the server listens.
    var onRunning: @Sendable (_ port: Int) async -> Void = { port in
        Console.standardError("The page is at http://127.0.0.1:\(port)/ until Ctrl-C.")
    }

    /// Runs the server.
    ///
    /// - Throws: the errors of listening.
    func run() async throws { try await application().runService() }

    /// Returns the server with the follower of the run, not yet running.
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

    static func json(_ snapshot: WatchSnapshot) -> String {
        // Numbers in a snapshot are finite: encoding them cannot fail.
        (try? JSONText.line(snapshot)) ?? "{}"
    }
}

/// Polls the run's folder twice a second and updates the pages.
struct FollowService: Service {
    var follower: RunFollower
    var hub: WatchHub
    var clock: any Clock<Duration>

    /// Number of polls between two signs of life.
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
                // The clock of a running run is updated every second.
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

/// Sends every change of a run to all open pages.
final class WatchHub: Sendable {
    /// The whole state of a run at one moment.
    struct Frame: Sendable, Equatable {
        /// Counted from 1.
        var version: Int
        /// One line.
        var json: String
        var isFinal: Bool
    }

    private struct State {
        var frame: Frame
        var pages: [Int: AsyncStream<Frame>.Continuation] = [:]
        var lastPage = 0
    }

    private let state: Mutex<State>
    /// Number that distinguishes this server's frames from those of an earlier one.
    let epoch: Int

    /// - Parameters:
    ///   - first: initial frame of a page.
    ///   - epoch: another one for each start.
    init(first: Frame, epoch: Int) {
        state = Mutex(State(frame: first))
        self.epoch = epoch
    }

    /// Returns the identifier of a frame for a page that reconnects.
    func id(of frame: Frame) -> String { "\(epoch)-\(frame.version)" }

    /// The newest.
    var frame: Frame { state.withLock { $0.frame } }

    var pageCount: Int { state.withLock { $0.pages.count } }

    /// Passes something new on.
    func publish(_ json: String, isFinal: Bool) {
        state.withLock { state in
            state.frame = Frame(version: state.frame.version + 1, json: json, isFinal: isFinal)
            for page in state.pages.values { page.yield(state.frame) }
        }
    }

    /// Sends the newest again, as a sign of life.
    func beat() {
        state.withLock { state in
            for page in state.pages.values { page.yield(state.frame) }
        }
    }

    /// Returns the frames for a newly opened page: the newest, then the following ones.
    ///
    /// A slow page gets the newest alone: each is the whole state.
    ///
    /// - Returns: the frames, without end, and a function that ends them.
    func open() -> (frames: AsyncStream<Frame>, close: @Sendable () -> Void) {
        let (frames, page) = AsyncStream.makeStream(of: Frame.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastPage += 1
            state.pages[state.lastPage] = page
            page.yield(state.frame)
            return state.lastPage
        }
        page.onTermination = { [weak self] _ in self?.remove(number) }
        return (frames, { page.finish() })
    }

    private func remove(_ page: Int) { state.withLock { $0.pages[page] = nil } }
}

/// Answers the browser: the page, its parts, and the run's state as server-sent events.
struct WatchResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let hub: WatchHub
    /// Reconnect delay sent to the page, in milliseconds.
    static let retryMilliseconds = 2_000

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        if let refusal = LocalPage.refusal(of: request) { return refusal }
        guard request.method == .get || request.method == .head else {
            var response = LocalPage.answer(.methodNotAllowed, "This page is read-only.\n".utf8)
            response.headers[.allow] = "GET, HEAD"
            return response
        }
        let response: Response =
            switch request.uri.path {
            case "/": LocalPage.answer(.ok, PackageResources.watch_html, "text/html; charset=utf-8")
            case "/watch.css": LocalPage.answer(.ok, PackageResources.watch_css, "text/css; charset=utf-8")
            case "/watch.js": LocalPage.answer(.ok, PackageResources.watch_js, "text/javascript; charset=utf-8")
            case "/state": LocalPage.answer(.ok, (hub.frame.json + "\n").utf8, "application/json")
            case "/events": events(after: request.headers[.lastEventID])
            default: LocalPage.answer(.notFound, "Not found; the page is at /.\n".utf8)
            }
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Returns the whole state first, then after every change; a final event when the run is finished.
    private func events(after known: String?) -> Response {
        let hub = hub
        return Response(
            status: .ok,
            headers: LocalPage.headers("text/event-stream"),
            body: ResponseBody { writer in
                let (frames, close) = hub.open()
                defer { close() }
                try await withGracefulShutdownHandler {
                    try await writer.write(ByteBuffer(string: "retry: \(Self.retryMilliseconds)\n\n"))
                    // A page that reconnects with the newest id has the state already.
                    var sent = known
                    for await frame in frames {
                        let id = hub.id(of: frame)
                        try await writer.write(ByteBuffer(string: Self.text(frame, id: id, sent: sent)))
                        sent = id
                        if frame.isFinal { break }
                    }
                } onGracefulShutdown: {
                    close()
                }
                try await writer.finish(nil)
            }
        )
    }

    /// Returns the message for a frame.
    ///
    /// `sent`: the id of the page's state; nil for none.
    ///
    /// - Returns: whole events, or a comment without news.
    static func text(_ frame: WatchHub.Frame, id: String, sent: String?) -> String {
        let state = sent == id ? ": no update\n\n" : "id: \(id)\nevent: state\ndata: \(frame.json)\n\n"
        return frame.isFinal ? state + "event: end\ndata: {}\n\n" : state
    }
}

extension HTTPField.Name {
    fileprivate static var lastEventID: HTTPField.Name { HTTPField.Name("Last-Event-ID") ?? .eTag }
}
