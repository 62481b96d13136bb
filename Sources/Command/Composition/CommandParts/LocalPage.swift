package import HTTPTypes
package import Hummingbird
import NIOCore

/// The common parts of servers whose pages only this machine's browser may open.
package enum LocalPage {
    /// Returns the refusal of a request that was not meant for this machine by name; nil for one that was.
    ///
    /// A foreign name that points here counts as another machine's.
    package static func refusal(of request: Request) -> Response? {
        if isLocal(request.head.authority) { return nil }
        return answer(.misdirectedRequest, "Open this page as http://127.0.0.1 or http://localhost.\n".utf8)
    }

    /// Returns whether an authority is this machine's own name, with or without a port.
    package static func isLocal(_ authority: String?) -> Bool {
        guard let authority else { return false }
        let host =
            authority.hasPrefix("[")
            ? String(authority.prefix { $0 != "]" }) + "]" : String(authority.prefix { $0 != ":" })
        return ["127.0.0.1", "localhost", "[::1]"].contains(host.lowercased())
    }

    /// Returns a whole answer.
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
