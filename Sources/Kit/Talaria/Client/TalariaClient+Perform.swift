import Foundation
import Synchronization

extension TalariaClient {
    /// An answer with its body.
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

    /// Headers of every request.
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
    /// Throws the refusal in an answer.
    ///
    /// - Parameters:
    ///   - body: the answer's body.
    ///   - operation: its request, for messages.
    ///   - endpoint: the route.
    /// - Throws: `TalariaError` unless the status is one of success.
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
