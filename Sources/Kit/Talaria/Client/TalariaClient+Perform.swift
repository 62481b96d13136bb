import Foundation
import Synchronization

extension TalariaClient {
    /// Sends a request, with retries where they may help, and returns the body of a successful answer.
    ///
    /// Every request of this client may be repeated: the uploads carry a key by which the server recognises them.
    @discardableResult
    func perform(_ call: Call, retry: RetryPolicy? = nil) async throws -> Data {
        try await perform(call, retry: retry) { _, body in Data(body) }
    }

    func perform<Message: Decodable & Sendable>(
        _ call: Call,
        as type: Message.Type,
        retry: RetryPolicy? = nil
    ) async throws -> Message {
        try await perform(call, retry: retry) { response, body in
            do {
                return try WireJSON.decode(type, from: Data(body))
            } catch {
                let reason = response.foreignWords(body) ?? "the answer cannot be read: \(error)"
                throw TalariaError.malformed(operation: call.name, reason: reason)
            }
        }
    }

    private func perform<Value: Sendable>(
        _ call: Call,
        retry: RetryPolicy?,
        _ read: @escaping @Sendable (TransportResponse, [UInt8]) throws -> Value
    ) async throws -> Value {
        var failures = 0
        while true {
            if let state = rateLimit(of: call.endpoint) { throw TalariaError.rateLimited(state) }
            if let wait = breaker.withLock({ $0.permit(at: time.now()) }) {
                throw TalariaError.circuitOpen(host: call.host, retryAfter: wait)
            }
            let problem: any Error
            do {
                let value = try await within(call.timeout ?? configuration.requestTimeout, call.name, on: time.clock) {
                    try await self.exchange(call) { response in
                        let body = try await self.body(of: response, call)
                        try response.check(body, call)
                        return try read(response, body)
                    }
                }
                breaker.withLock { $0.succeeded() }
                return value
            } catch {
                problem = error
            }
            try Task.checkCancellation()
            note(problem)
            failures += 1
            guard let error = problem as? TalariaError, error.isRetryable,
                let wait = (retry ?? configuration.retry).delay(afterFailures: failures, minimum: error.minimumWait)
            else { throw problem }
            try await time.sleep(wait)
        }
    }

    func body(of response: TransportResponse, _ call: Call) async throws -> [UInt8] {
        let limit = configuration.maximumResponseBytes
        var body: [UInt8] = []
        for try await chunk in response.body {
            guard body.count + chunk.count <= limit else {
                throw TalariaError.responseTooLarge(operation: call.name, limit: limit)
            }
            body += chunk
        }
        return body
    }

    /// Sends a request, reads its answer, and reports the moved bytes to the ledger, however it ended.
    nonisolated(nonsending) func exchange<Value>(
        _ call: Call,
        _ read: nonisolated(nonsending) (TransportResponse) async throws -> Value
    ) async throws -> Value {
        var request = call.request
        request.headers += [("X-Device-ID", configuration.deviceID.uuidString), ("Accept-Encoding", "gzip")]
        return try await transport.exchange(request, call.endpoint, call.contentClass, onTransfer: onTransfer, read)
    }

    private func note(_ problem: any Error) {
        let now = time.now()
        switch problem as? TalariaError {
        case .rateLimited(let state):
            limits.withLock { $0.note(state.endpoint, until: now + state.remaining, limit: state.limit) }
            breaker.withLock { $0.succeeded() }
        case .unreachable, .timedOut, .untrusted, .wrongPin: breaker.withLock { $0.failed(at: now) }
        case .refused(_, let problem) where (problem.status ?? 0) >= 500: breaker.withLock { $0.failed(at: now) }
        // An answer, if not the one that was hoped for.
        default: breaker.withLock { $0.succeeded() }
        }
    }

    func route(_ path: String, query: KeyValuePairs<String, String> = [:]) -> URL {
        let url = configuration.baseURL.appending(path: path)
        return query.isEmpty
            ? url : url.appending(queryItems: query.map { URLQueryItem(name: $0.key, value: $0.value) })
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
        let url = suffix.isEmpty ? base : base.appending(path: suffix)
        return Call(endpoint, method, url, headers: [("Accept", "application/json")] + authorization(token))
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

/// One request as the client means it, before it is tried.
struct Call: Sendable {
    var endpoint: Transfer.Endpoint
    var request: TransportRequest
    /// nil for the client's usual one.
    var timeout: Duration?

    init(
        _ endpoint: Transfer.Endpoint,
        _ method: TransportRequest.Method,
        _ url: URL,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil
    ) {
        self.endpoint = endpoint
        request = TransportRequest(method: method, url: url, headers: headers, body: body)
    }

    var host: String { request.url.host() ?? request.url.absoluteString }
    var name: String { "\(request.method.rawValue) \(request.url.path())" }

    var contentClass: Transfer.ContentClass {
        switch endpoint {
        case .upload: .image
        case .enrich, .search: .text
        default: .id
        }
    }
}

extension TransportResponse {
    /// Type of the content, without its parameters.
    var mediaType: String? { header("Content-Type")?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces) }

    /// Throws the refusal in an answer, unless the status is one of success.
    func check(_ body: [UInt8], _ call: Call) throws(TalariaError) {
        guard !(200..<300).contains(status) else { return }
        var problem = (try? WireJSON.decode(ProblemDetails.self, from: Data(body))) ?? ProblemDetails()
        problem.status = status
        if problem.code == nil, problem.detail == nil, problem.title == nil { problem.detail = foreignWords(body) }
        let wait = RetryAfter.wait(
            header: header("Retry-After"),
            date: header("Date"),
            milliseconds: problem.retryAfterMs,
            now: Date()
        )
        problem.retryAfterMs = wait.map { Int($0 / .milliseconds(1)) }
        guard status == 429 else { throw .refused(operation: call.name, problem) }
        let limit = header("X-RateLimit-Limit").flatMap { Int($0) }
        throw .rateLimited(RateLimitState(endpoint: call.endpoint, remaining: wait ?? .seconds(60), limit: limit))
    }

    /// Returns the words for an answer that is none of Talaria's: a captive portal's, a proxy's, another server's at
    /// the same address.
    ///
    /// - Returns: nil for JSON, which may be Talaria's.
    func foreignWords(_ body: [UInt8]) -> String? {
        let portal = status < 500 ? "; a captive portal?" : ""
        if (300..<400).contains(status) {
            // The host alone: the rest of an address may be long, or confidential.
            let host = header("Location").flatMap { URL(string: $0)?.host() } ?? "another address"
            return "the answer was a redirect to \(host), which is not followed\(portal)"
        }
        let kind: String
        switch body.first(where: { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return nil
        case UInt8(ascii: "<"): kind = "HTML"
        case nil: kind = "empty"
        default: kind = mediaType ?? "of no type"
        }
        return "the answer was \(kind), not Talaria's\(portal)"
    }
}
