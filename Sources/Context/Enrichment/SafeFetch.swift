import Basics
public import Foundation
public import Talaria

/// Fetches what strangers' addresses lead to, within bounds.
///
/// http and https alone; no private address, be it by name, by redirection or by a name that leads elsewhere the second time: the
/// connection goes to the very address that was checked. No cookies, no credentials, no scripts. Every request is noted.
public struct SafeFetch: Sendable {
    /// Bounds of a fetch.
    public struct Limits: Sendable {
        /// Bytes of the longest body.
        public var bytes = 2 << 20
        /// Redirections that are followed.
        public var redirects = 5
        /// Whether addresses of this machine and of private networks may be asked: for a service that its user runs there.
        public var allowsPrivate = false

        /// As for pages of strangers.
        public init() {}
    }

    /// What came.
    public struct Answer: Sendable {
        /// Where it came from, after redirections.
        public var url: URL
        /// The status code.
        public var status: Int
        /// The header of that name.
        public var contentType: String?
        /// The body, whole or as far as the limit goes.
        public var body: [UInt8]
        /// Whether the body was cut.
        public var isCut: Bool
    }

    /// Bounds.
    public var limits: Limits
    /// Told of every request.
    public var onTransfer: @Sendable (Transfer) -> Void

    /// A fetch within bounds.
    public init(limits: Limits = Limits(), onTransfer: @escaping @Sendable (Transfer) -> Void) {
        (self.limits, self.onTransfer) = (limits, onTransfer)
    }

    /// Fetches an address.
    ///
    /// - Parameters:
    ///   - url: the address.
    ///   - endpoint: what it is noted as.
    ///   - contentClass: what the address tells of its asker.
    ///   - headers: further headers; they go to the first server alone.
    /// - Throws: ``EnrichmentError``; `CancellationError`.
    /// - Returns: the answer, whatever its status.
    public func get(
        _ url: URL,
        endpoint: Transfer.Endpoint,
        contentClass: Transfer.ContentClass,
        headers: [(name: String, value: String)] = []
    ) async throws -> Answer {
        var url = url
        var headers = headers
        for _ in 0...limits.redirects {
            let answer = try await once(url, endpoint, contentClass, headers)
            guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer.location else {
                return answer.answer
            }
            guard let next = URL(string: location, relativeTo: url)?.absoluteURL else {
                throw EnrichmentError.refused("\(host(url)) redirects to what is no address")
            }
            if origin(next) != origin(url) { headers = [] }
            url = next
        }
        throw EnrichmentError.refused("\(host(url)): more than \(limits.redirects) redirections")
    }

    /// What is sent to a service.
    enum Content {
        /// Names and values, encoded as `application/x-www-form-urlencoded`.
        case form([(name: String, value: String)])
        /// A JSON text.
        case json([UInt8])
    }

    /// Sends something to a service that the user configured; a redirection of it is not followed.
    ///
    /// - Parameters:
    ///   - url: the address.
    ///   - content: what is sent.
    ///   - endpoint: what it is noted as.
    ///   - contentClass: what the content tells of its sender.
    ///   - headers: further headers.
    /// - Throws: ``EnrichmentError``; `CancellationError`.
    /// - Returns: the answer, whatever its status.
    func post(
        _ url: URL,
        _ content: Content,
        endpoint: Transfer.Endpoint,
        contentClass: Transfer.ContentClass,
        headers: [(name: String, value: String)]
    ) async throws -> Answer {
        let body: [UInt8]
        let type: String
        switch content {
        case .form(let form):
            var components = URLComponents()
            components.queryItems = form.map { URLQueryItem(name: $0.name, value: $0.value) }
            (body, type) = (Array((components.percentEncodedQuery ?? "").utf8), "application/x-www-form-urlencoded")
        case .json(let bytes): (body, type) = (bytes, "application/json")
        }
        return try await once(url, endpoint, contentClass, headers + [("Content-Type", type)], body: body).answer
    }

    private func host(_ url: URL) -> String { url.host() ?? url.absoluteString }

    /// Scheme, host and port: a key goes to no other one.
    private func origin(_ url: URL) -> String {
        let scheme = url.scheme?.lowercased() ?? ""
        return "\(scheme)://\(host(url).lowercased()):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }

    private func once(
        _ url: URL,
        _ endpoint: Transfer.Endpoint,
        _ contentClass: Transfer.ContentClass,
        _ headers: [(name: String, value: String)],
        body: [UInt8]? = nil
    ) async throws -> (answer: Answer, status: Int, location: String?) {
        let (name, transport) = try await NetworkAddress.transport(to: url, allowsPrivate: limits.allowsPrivate)
        let meter = TransferMeter()
        let start = Date()
        var status: Int?
        func note() {
            onTransfer(
                Transfer(
                    endpoint: endpoint,
                    host: name,
                    contentClass: contentClass,
                    bytesUp: meter.bytesUp,
                    bytesDown: meter.bytesDown,
                    at: start,
                    status: status
                )
            )
        }
        do {
            var request = TransportRequest(method: body == nil ? .get : .post, url: url)
            request.body = body.map { ByteStream([$0]) }
            request.headers = [
                ("Accept", "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.1"),
                ("Accept-Encoding", "gzip"), ("User-Agent", "SpineBench/1 (+reader; no scripts)"),
            ]
            request.headers += headers
            let response = try await transport.send(request, meter: meter)
            status = response.status
            var body: [UInt8] = []
            var isCut = false
            for try await piece in response.body {
                body += piece.prefix(limits.bytes - body.count)
                if body.count >= limits.bytes {
                    isCut = true
                    break
                }
            }
            try? await transport.shutdown()
            note()
            let answer = Answer(
                url: url,
                status: response.status,
                contentType: response.header("content-type"),
                body: body,
                isCut: isCut
            )
            return (answer, response.status, response.header("location"))
        } catch {
            try? await transport.shutdown()
            note()
            switch error {
            case is CancellationError, is EnrichmentError: throw error
            case TalariaError.unreachable(let host, let reason): throw EnrichmentError.transient("\(host): \(reason)")
            default: throw EnrichmentError.refused("\(error)")
            }
        }
    }
}

/// Why a provider has no answer.
public enum EnrichmentError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Another try may have more luck.
    case transient(String)
    /// Another try would end the same way.
    case refused(String)
    /// The configuration is wrong.
    case configuration(String)

    /// What is wrong, with what.
    public var description: String {
        switch self {
        case .transient(let text), .refused(let text), .configuration(let text): text
        }
    }
}
