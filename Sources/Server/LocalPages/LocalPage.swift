import CommandSupport
import Foundation
public import HTTPServer
public import HTTPTypes

/// The common parts of servers whose pages only this machine's browser may open.
public enum LocalPage {
    /// Returns a server of a page, on a port of this machine, 0 for a free one; it is not yet running.
    ///
    /// HEAD is answered as GET is, without the body.
    public static func server(port: Int, respond: @escaping @Sendable (Request) async -> Response) -> HTTPServer {
        let methods: [HTTPRequest.Method] = [.get, .post, .head]
        var limits = HTTPServer.Limits()
        // A browser opens a few.
        limits.connections = 100
        // A client that stalls does not keep the command from ending.
        limits.shutdownTimeout = .seconds(3)
        return HTTPServer(port: port, name: "spinebench", limits: limits) { request in
            if let refusal = refusal(of: request) { return refusal }
            guard methods.contains(request.method) else {
                var refusal = answer(.methodNotAllowed, "\(request.method) is not supported.\n".utf8)
                refusal.headers[.allow] = methods.map(\.rawValue).joined(separator: ", ")
                return refusal
            }
            var request = request
            if request.method == .head { request.method = .get }
            return await respond(request)
        }
    }

    /// Returns the refusal of a request to another name than this machine's own, though it points here; nil for others.
    public static func refusal(of request: Request) -> Response? {
        if isLocal(request.authority) { return nil }
        return answer(.misdirectedRequest, "Open this page as http://127.0.0.1 or http://localhost.\n".utf8)
    }

    /// Returns whether an authority is this machine's own name, with or without a port.
    public static func isLocal(_ authority: String?) -> Bool {
        guard let authority else { return false }
        let host =
            authority.hasPrefix("[")
            ? String(authority.prefix { $0 != "]" }) + "]" : String(authority.prefix { $0 != ":" })
        return ["127.0.0.1", "localhost", "[::1]"].contains(host.lowercased())
    }

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

    /// Serves until Ctrl-C, after printing the address of the page, whose token is `token`.
    public static func run(_ server: HTTPServer, of name: String, token: String, until shutdown: Shutdown) async throws {
        do {
            try await shutdown.onSignals {
                try await server.run(until: shutdown) { port in
                    Console.standardError("The \(name) is at http://127.0.0.1:\(port)/?token=\(token) until Ctrl-C.")
                }
            }
        } catch let error as SocketError where error.number == EADDRINUSE {
            Console.error("port \(server.port) is in use; specify another one, or --port 0 for a free port")
            throw ExitStatus.environment.exitCode
        }
    }

    /// Header of the page's own requests, which another site's page cannot send.
    public static let ownHeader = "x-spinebench"

    /// Returns the refusal of a request that another site's page sent; nil for one of the page's own.
    public static func foreignRefusal(of request: Request) -> Response? {
        if let name = HTTPField.Name(ownHeader), request.headers[name] != nil { return nil }
        return problem(.forbidden, "requests from other pages are not allowed")
    }

    public static func json(_ value: some Encodable, _ status: HTTPResponse.Status = .ok) throws -> Response {
        answer(status, try JSONText.line(value).utf8, "application/json")
    }

    public static func problem(_ status: HTTPResponse.Status, _ text: String) -> Response {
        answer(status, ((try? JSONText.line(["error": text])) ?? "{}").utf8, "application/json")
    }
}

/// Token that a page requires for every access: other users of this machine can reach the port.
public struct PageToken: Sendable {
    /// Command that serves the page.
    let command: String
    let secret: String

    public init(command: String, secret: String) { (self.command, self.secret) = (command, secret) }

    public static func random() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
    }

    /// Returns the answer to a request that brings the token, has none or was sent by another page; nil for the page's
    /// own.
    public func answer(to request: Request) -> Response? {
        if request.method == .get, request.path == "/", let given = request.query["token"] {
            guard isSecret(given) else { return forbidden }
            var response = Response(status: .seeOther)
            response.headers[.location] = "/"
            response.headers[.setCookie] = "\(cookieName(request))=\(secret); HttpOnly; SameSite=Strict; Path=/"
            return response
        }
        guard hasCookie(request) else { return forbidden }
        return request.method == .post ? LocalPage.foreignRefusal(of: request) : nil
    }

    /// Returns the name of the cookie: browsers keep one set of a host's for all its ports, and several pages have one
    /// each.
    private func cookieName(_ request: Request) -> String {
        let port = request.authority?.split(separator: ":").last.flatMap { UInt16($0) }
        return "spinebench-\(command)-\(port ?? 80)"
    }

    private func isSecret(_ given: String) -> Bool {
        let (a, b) = (Array(given.utf8), Array(secret.utf8))
        // A wrong token takes as long as the right one.
        return a.count == b.count && zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func hasCookie(_ request: Request) -> Bool {
        let name = cookieName(request)
        return (request.headers[.cookie] ?? "").split(separator: ";").contains { part in
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingPrefix(" ") }
            return pair.count == 2 && pair[0] == name && isSecret(String(pair[1]))
        }
    }

    private var forbidden: Response {
        LocalPage.answer(
            .forbidden,
            "Open the address printed by 'spinebench \(command)', including its token.\n".utf8
        )
    }
}
