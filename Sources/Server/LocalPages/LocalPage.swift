import CommandSupport
import Foundation
public import HTTPServer
public import HTTPTypes
import SpineDatasets

/// A command's page, which only this machine's browser may open, with a token: other users of the machine can reach
/// the port.
public struct LocalPage: Sendable {
    let command: String
    let html: [UInt8]
    let style: [UInt8]
    let script: [UInt8]
    package var token: String

    /// `command`: after which its address, its style and its script are named.
    public init(command: String, html: [UInt8], style: [UInt8], script: [UInt8], token: String = newToken()) {
        (self.command, self.html, self.style, self.script, self.token) = (command, html, style, script, token)
    }

    /// Returns a random token.
    public static func newToken() -> String {
        (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }

    /// Returns a server of the page, on a port of this machine, 0 for a free one; it is not yet running.
    ///
    /// HEAD is answered as GET is, without the body.
    public func server(port: Int, respond: @escaping @Sendable (Request) async -> Response) -> HTTPServer {
        let methods: [HTTPRequest.Method] = [.get, .post, .head]
        var limits = HTTPServer.Limits()
        // A browser opens a few.
        limits.connections = 100
        // A client that stalls does not keep the command from ending.
        limits.shutdownTimeout = .seconds(3)
        return HTTPServer(port: port, name: "spinebench", limits: limits) { request in
            // Another name than this machine's own, though it points here.
            guard Self.isLocal(request.authority) else {
                return Self.answer(
                    .misdirectedRequest,
                    "Open this page as http://127.0.0.1 or http://localhost.\n".utf8
                )
            }
            guard methods.contains(request.method) else {
                var refusal = Self.answer(.methodNotAllowed, "\(request.method) is not supported.\n".utf8)
                refusal.headers[.allow] = methods.map(\.rawValue).joined(separator: ", ")
                return refusal
            }
            var request = request
            if request.method == .head { request.method = .get }
            if let answer = access(request) ?? part(request) { return answer }
            return await respond(request)
        }
    }

    /// Serves until Ctrl-C, after printing the address of the page.
    public func run(
        port: Int,
        until shutdown: Shutdown,
        respond: @escaping @Sendable (Request) async -> Response
    ) async throws {
        do {
            try await shutdown.onSignals {
                try await server(port: port, respond: respond).run(until: shutdown) { port in
                    Console.standardError("The page is at http://127.0.0.1:\(port)/?token=\(token) until Ctrl-C.")
                }
            }
        } catch let error as SocketError where error.number == EADDRINUSE {
            Console.error("port \(port) is in use; specify another one, or --port 0 for a free port")
            throw ExitStatus.environment.exitCode
        }
    }

    private func part(_ request: Request) -> Response? {
        guard request.method == .get else { return nil }
        switch request.path {
        case "/": return Self.answer(.ok, html, "text/html; charset=utf-8")
        case "/\(command).css": return Self.answer(.ok, PageTemplate.style + style, "text/css; charset=utf-8")
        case "/\(command).js": return Self.answer(.ok, PageTemplate.tools + script, "text/javascript; charset=utf-8")
        default: return nil
        }
    }

    // MARK: - Access

    /// Header of the page's own requests, which another site's page cannot send.
    private static let ownHeader = HTTPField.Name("x-spinebench")

    /// Returns the answer to a request that brings the token, has none or was sent by another page; nil for the page's
    /// own.
    private func access(_ request: Request) -> Response? {
        // Browsers keep one set of a host's cookies for all its ports, and several pages have one each.
        let port = request.authority?.split(separator: ":").last.flatMap { UInt16($0) } ?? 80
        let cookie = "spinebench-\(command)-\(port)"
        let isEntry = request.method == .get && request.path == "/" && request.query["token"] != nil
        let given = isEntry ? request.query["token"] : Self.cookies(of: request)[cookie]
        guard let given, isToken(given) else {
            let text = "Open the address that '\(command)' printed, including its token.\n"
            return Self.answer(.forbidden, text.utf8)
        }
        if isEntry {
            var response = Response(status: .seeOther)
            response.headers[.location] = "/"
            response.headers[.setCookie] = "\(cookie)=\(token); HttpOnly; SameSite=Strict; Path=/"
            return response
        }
        let isForeign = request.method == .post && Self.ownHeader.flatMap { request.headers[$0] } == nil
        return isForeign ? Self.problem(.forbidden, "requests from other pages are not allowed") : nil
    }

    private static func cookies(of request: Request) -> [String: String] {
        let pairs = (request.headers[.cookie] ?? "").split(separator: ";").map { pair in
            pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                String($0.trimmingPrefix(" "))
            }
        }
        return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
    }

    private func isToken(_ given: String) -> Bool {
        let (a, b) = (Array(given.utf8), Array(token.utf8))
        // A wrong token takes as long as the right one.
        return a.count == b.count && zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Returns whether an authority is this machine's own name, with or without a port.
    public static func isLocal(_ authority: String?) -> Bool {
        guard let authority else { return false }
        let host =
            authority.hasPrefix("[")
            ? String(authority.prefix { $0 != "]" }) + "]" : String(authority.prefix { $0 != ":" })
        return ["127.0.0.1", "localhost", "[::1]"].contains(host.lowercased())
    }

    /// Returns an answer of some bytes.
    public static func answer(
        _ status: HTTPResponse.Status,
        _ text: some Sequence<UInt8>,
        _ type: String = "text/plain; charset=utf-8"
    ) -> Response {
        Response(status: status, headers: headers(type), body: .bytes(Array(text)))
    }

    /// Returns headers that forbid caching and all content from elsewhere.
    public static func headers(_ type: String) -> HTTPFields {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        headers[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        headers[.xContentTypeOptions] = "nosniff"
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
        return headers
    }

    /// Returns a value as JSON.
    public static func json(_ value: some Encodable, _ status: HTTPResponse.Status = .ok) throws -> Response {
        answer(status, try JSONText.line(value).utf8, "application/json")
    }

    /// Returns the answer of a request that failed.
    public static func problem(_ status: HTTPResponse.Status, _ text: String) -> Response {
        answer(status, ((try? JSONText.line(["error": text])) ?? "{}").utf8, "application/json")
    }
}
