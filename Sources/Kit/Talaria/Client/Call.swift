import Foundation

/// One request as the client means it, before it is tried.
struct Call: Sendable {
    var endpoint: Transfer.Endpoint
    var method: TransportRequest.Method
    var url: URL
    var headers: [(name: String, value: String)] = []
    var body: ByteStream?
    var contentClass: Transfer.ContentClass
    var timeout: Duration
    var host: String { url.host() ?? url.absoluteString }
    var name: String { "\(method.rawValue) \(url.path())" }
}

extension TalariaClient {
    func route(_ path: String, query: [(name: String, value: String)] = []) -> URL {
        let url = configuration.baseURL.appending(path: path)
        return query.isEmpty
            ? url : url.appending(queryItems: query.map { URLQueryItem(name: $0.name, value: $0.value) })
    }

    func jobCall(
        _ endpoint: Transfer.Endpoint,
        _ method: TransportRequest.Method,
        _ jobID: String,
        _ suffix: String = "",
        token: String?
    ) -> Call {
        // One component: a job's name with a slash in it must not become another route.
        let base = route("v3/jobs/scans").appending(component: jobID)
        return Call(
            endpoint: endpoint,
            method: method,
            url: suffix.isEmpty ? base : base.appending(path: suffix),
            headers: [("Accept", "application/json")] + authorization(token),
            contentClass: .id,
            timeout: configuration.requestTimeout
        )
    }

    func authorization(_ token: String?) -> [(name: String, value: String)] {
        token.map { [("Authorization", "Bearer \($0)")] } ?? []
    }

    /// Returns an address that the server gave, if it is on the same server: another one must not get the token.
    func resolve(_ location: String) throws(TalariaError) -> URL {
        let base = configuration.baseURL
        guard let url = URL(string: location, relativeTo: base)?.absoluteURL, url.scheme == base.scheme,
            url.host() == base.host(), url.port == base.port
        else { throw .foreignAddress(location, expected: base.absoluteString) }
        return url
    }
}

/// Answers that are none of Talaria's: a captive portal's, a proxy's, another server's at the same address.
enum ForeignAnswer {
    /// Returns an answer's text for display.
    ///
    /// - Returns: nil for JSON, which may be Talaria's.
    static func words(for response: TransportResponse, _ body: [UInt8]) -> String? {
        let portal = response.status < 500 ? "; a captive portal?" : ""
        if (300..<400).contains(response.status) {
            // The host alone: the rest of an address may be long, or confidential.
            let host = response.header("Location").flatMap { URL(string: $0)?.host() } ?? "another address"
            return "the answer was a redirect to \(host), which is not followed\(portal)"
        }
        let type = response.header("Content-Type")?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        switch body.first(where: { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return nil
        case UInt8(ascii: "<"): return "the answer was HTML, not Talaria's\(portal)"
        case nil: return "the answer was empty, not Talaria's\(portal)"
        default: return "the answer was \(type ?? "of no type"), not Talaria's\(portal)"
        }
    }
}
