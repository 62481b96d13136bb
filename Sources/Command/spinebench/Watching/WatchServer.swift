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

    static func json(_ snapshot: WatchSnapshot) -> String {
        // Numbers in a snapshot are finite: encoding them cannot fail.
        (try? JSONText.line(snapshot)) ?? "{}"
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

/// Passes what is new of a run on to every page that is open.
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
    /// Tells this server's frames from those of one before it.
    let epoch: Int

    /// - Parameters:
    ///   - first: what a page is shown before there is news.
    ///   - epoch: another one for each start.
    init(first: Frame, epoch: Int) {
        state = Mutex(State(frame: first))
        self.epoch = epoch
    }

    /// What a frame is known by to a page that comes back.
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

    /// What a page that has just been opened is to show: the newest, then what follows.
    ///
    /// A page that is slow gets the newest alone: each is the whole state.
    ///
    /// - Returns: the frames, without end, and what ends them.
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
    /// What the page is told before it connects again, in milliseconds.
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

    /// The whole state first, then whenever it changes; a final event when the run is finished.
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
                    // Who comes back with the newest id has the state already.
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

    /// What is sent for a frame.
    ///
    /// `sent`: the id of what the page has; nil for none.
    ///
    /// - Returns: whole events, or a comment where there is nothing new.
    static func text(_ frame: WatchHub.Frame, id: String, sent: String?) -> String {
        let state = sent == id ? ": no update\n\n" : "id: \(id)\nevent: state\ndata: \(frame.json)\n\n"
        return frame.isFinal ? state + "event: end\ndata: {}\n\n" : state
    }
}

extension HTTPField.Name {
    fileprivate static var lastEventID: HTTPField.Name { HTTPField.Name("Last-Event-ID") ?? .eTag }
}
