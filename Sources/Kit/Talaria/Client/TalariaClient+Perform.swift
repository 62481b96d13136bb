import Foundation
import Synchronization

extension TalariaClient {
    struct Answer: Sendable {
        let response: TransportResponse
        let body: [UInt8]
    }

    /// Sends a request, with retries where they may help, and returns a successful answer.
    ///
    /// Every request of this client may be repeated: the uploads carry a key by which the server recognises them.
    func perform(_ call: Call, retry: RetryPolicy? = nil) async throws -> Answer {
        try await attempt(call, retry ?? configuration.retry) {
            let answer = try await within(call.timeout, call.name, on: self.time.clock) { try await self.once(call) }
            try answer.response.check(answer.body, operation: call.name, endpoint: call.endpoint)
            return answer
        }
    }

    func perform<Message: Decodable>(
        _ call: Call,
        as type: Message.Type,
        retry: RetryPolicy? = nil
    ) async throws -> Message {
        let answer = try await perform(call, retry: retry)
        do {
            return try WireJSON.decode(type, from: Data(answer.body))
        } catch {
            let foreign = ForeignAnswer.words(for: answer.response, answer.body)
            throw TalariaError.malformed(
                operation: call.name,
                reason: foreign ?? "the answer cannot be read: \(error)"
            )
        }
    }

    /// Runs the work, with the policy's waits and retries after a temporary failure.
    private func attempt<Value: Sendable>(
        _ call: Call,
        _ retry: RetryPolicy,
        _ work: () async throws -> Value
    ) async throws -> Value {
        var failures = 0
        while true {
            if let state = rateLimit(of: call.endpoint) { throw TalariaError.rateLimited(state) }
            if let wait = breaker.withLock({ $0.permit(at: time.now()) }) {
                throw TalariaError.circuitOpen(host: call.host, retryAfter: wait)
            }
            let problem: any Error
            do {
                let value = try await work()
                breaker.withLock { $0.succeeded() }
                return value
            } catch {
                problem = error
            }
            try Task.checkCancellation()
            note(problem)
            failures += 1
            guard let error = problem as? TalariaError, error.isRetryable,
                let wait = retry.delay(afterFailures: failures, minimum: Self.minimumWait(error))
            else { throw problem }
            try await time.sleep(wait)
        }
    }

    private func once(_ call: Call) async throws -> Answer {
        try await exchange(call) { response in
            var body: [UInt8] = []
            for try await chunk in response.body {
                guard body.count + chunk.count <= self.configuration.maximumResponseBytes else {
                    throw TalariaError.responseTooLarge(
                        operation: call.name,
                        limit: self.configuration.maximumResponseBytes
                    )
                }
                body += chunk
            }
            return Answer(response: response, body: body)
        }
    }

    /// Sends a request, reads its answer, and reports the moved bytes to the ledger, however it ended.
    nonisolated(nonsending) func exchange<Value>(
        _ call: Call,
        _ read: nonisolated(nonsending) (TransportResponse) async throws -> Value
    ) async throws -> Value {
        let request = TransportRequest(
            method: call.method,
            url: call.url,
            headers: call.headers + ownHeaders,
            body: call.body
        )
        let note = TransferNote(endpoint: call.endpoint, contentClass: call.contentClass, onTransfer: onTransfer)
        return try await transport.exchange(request, note, read)
    }

    var ownHeaders: [(name: String, value: String)] {
        [("X-Device-ID", configuration.deviceID.uuidString), ("Accept-Encoding", "gzip")]
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

    private static func minimumWait(_ error: TalariaError) -> Duration? {
        switch error {
        case .rateLimited(let state): state.remaining
        case .refused(_, let problem): problem.retryAfterMs.map { .milliseconds($0) }
        default: nil
        }
    }
}

extension TransportResponse {
    /// Throws the refusal in an answer, a `TalariaError`, unless the status is one of success.
    func check(_ body: [UInt8], operation: String, endpoint: Transfer.Endpoint) throws(TalariaError) {
        guard !(200..<300).contains(status) else { return }
        var problem = (try? WireJSON.decode(ProblemDetails.self, from: Data(body))) ?? ProblemDetails()
        problem.status = status
        if problem.code == nil, problem.detail == nil, problem.title == nil {
            problem.detail = ForeignAnswer.words(for: self, body)
        }
        let wait = RetryAfter.wait(
            header: header("Retry-After"),
            date: header("Date"),
            milliseconds: problem.retryAfterMs,
            now: Date()
        )
        problem.retryAfterMs = wait.map { Int($0 / .milliseconds(1)) }
        if status == 429 {
            throw .rateLimited(
                RateLimitState(
                    endpoint: endpoint,
                    remaining: wait ?? .seconds(60),
                    limit: header("X-RateLimit-Limit").flatMap { Int($0) }
                )
            )
        }
        throw .refused(operation: operation, problem)
    }
}

/// One request as the client means it, before it is tried.
struct Call: Sendable {
    var endpoint: Transfer.Endpoint
    var method: TransportRequest.Method
    var url: URL
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]?
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
