package import HTTPTypes
package import Hummingbird
import Logging
import NIOCore

/// The common parts of servers whose pages only this machine's browser may open.
package enum LocalPage {
    /// Returns a server on a port of this machine, 0 for a free one, that is not yet running; HEAD is answered as GET is,
    /// without the body.
    package static func server(
        port: Int,
        methods: [HTTPRequest.Method] = [.get],
        onRunning: @escaping @Sendable (_ port: Int) async -> Void,
        respond: @escaping @Sendable (Request) async throws -> Response
    ) -> some ApplicationProtocol {
        Application(
            responder: CallbackResponder { (request: Request, _: BasicRequestContext) in
                if let refusal = refusal(of: request) { return refusal }
                guard request.method == .head || methods.contains(request.method) else {
                    var refusal = answer(.methodNotAllowed, "\(request.method) is not supported.\n".utf8)
                    refusal.headers[.allow] = (methods + [.head]).map(\.rawValue).joined(separator: ", ")
                    return refusal
                }
                guard request.method == .head else { return try await respond(request) }
                var head = request.head
                head.method = .get
                return try await respond(Request(head: head, body: request.body)).createHeadResponse()
            },
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port),
                serverName: "spinebench"
            ),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "spinebench.page") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    package static let announce: @Sendable (_ port: Int) async -> Void = { port in
        Console.standardError("The page is at http://127.0.0.1:\(port)/ until Ctrl-C.")
    }

    /// Returns the refusal of a request to another name than this machine's own, though it points here; nil for others.
    static func refusal(of request: Request) -> Response? {
        if isLocal(request.head.authority) { return nil }
        return answer(.misdirectedRequest, "Open this page as http://127.0.0.1 or http://localhost.\n".utf8)
    }

    /// Returns whether an authority is this machine's own name, with or without a port.
    static func isLocal(_ authority: String?) -> Bool {
        guard let authority else { return false }
        let host =
            authority.hasPrefix("[")
            ? String(authority.prefix { $0 != "]" }) + "]" : String(authority.prefix { $0 != ":" })
        return ["127.0.0.1", "localhost", "[::1]"].contains(host.lowercased())
    }

    package static func answer(
        _ status: HTTPResponse.Status,
        _ text: some Sequence<UInt8>,
        _ type: String = "text/plain; charset=utf-8"
    ) -> Response {
        Response(status: status, headers: headers(type), body: ResponseBody(byteBuffer: ByteBuffer(bytes: text)))
    }

    /// Returns headers that forbid caching and all content from elsewhere.
    package static func headers(_ type: String) -> HTTPFields {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        headers[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        headers[.xContentTypeOptions] = "nosniff"
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
        return headers
    }
}
