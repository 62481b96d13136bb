import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Answers the browser: the page, its parts, and the run's state as server-sent events.
struct WatchResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let hub: WatchHub
    /// What the page is told before it connects again, in milliseconds.
    static let retryMilliseconds = 2_000

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        guard Self.isLocal(request.head.authority) else {
            return answer(.misdirectedRequest, "Open this page as http://127.0.0.1 or http://localhost.\n".utf8)
        }
        guard request.method == .get || request.method == .head else {
            var response = answer(.methodNotAllowed, "This can be read, and no more.\n".utf8)
            response.headers[.allow] = "GET, HEAD"
            return response
        }
        let response: Response =
            switch request.uri.path {
            case "/": answer(.ok, PackageResources.watch_html, "text/html; charset=utf-8")
            case "/watch.css": answer(.ok, PackageResources.watch_css, "text/css; charset=utf-8")
            case "/watch.js": answer(.ok, PackageResources.watch_js, "text/javascript; charset=utf-8")
            case "/state": answer(.ok, (hub.frame.json + "\n").utf8, "application/json")
            case "/events": events(after: request.headers[.lastEventID])
            default: answer(.notFound, "There is nothing here; the page is at /.\n".utf8)
            }
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Whether a request was meant for this machine by name: a name that somebody else has pointed here was not.
    static func isLocal(_ authority: String?) -> Bool {
        guard let authority else { return false }
        let host =
            authority.hasPrefix("[")
            ? String(authority.prefix { $0 != "]" }) + "]" : String(authority.prefix { $0 != ":" })
        return ["127.0.0.1", "localhost", "[::1]"].contains(host.lowercased())
    }

    private func answer(
        _ status: HTTPResponse.Status,
        _ text: some Sequence<UInt8>,
        _ type: String = "text/plain; charset=utf-8"
    ) -> Response {
        Response(status: status, headers: Self.headers(type), body: ResponseBody(byteBuffer: ByteBuffer(bytes: text)))
    }

    /// Nothing is kept, and a page may load what comes from here and nothing else.
    private static func headers(_ type: String) -> HTTPFields {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        headers[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors 'none'"
        headers[.xContentTypeOptions] = "nosniff"
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
        return headers
    }

    /// The whole state first, then whenever it changes; a final event when the run is finished.
    private func events(after known: String?) -> Response {
        let hub = hub
        return Response(
            status: .ok,
            headers: Self.headers("text/event-stream"),
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
    /// - Parameters:
    ///   - frame: the newest.
    ///   - id: of the frame.
    ///   - sent: the id of what the page has; nil for none.
    /// - Returns: whole events, or a comment where there is nothing new.
    static func text(_ frame: WatchHub.Frame, id: String, sent: String?) -> String {
        let state = sent == id ? ": nothing new\n\n" : "id: \(id)\nevent: state\ndata: \(frame.json)\n\n"
        return frame.isFinal ? state + "event: end\ndata: {}\n\n" : state
    }
}

extension HTTPField.Name {
    fileprivate static var lastEventID: HTTPField.Name { HTTPField.Name("Last-Event-ID") ?? .eTag }
}
