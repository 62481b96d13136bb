import HTTPTypes
import Hummingbird
import NIOCore

extension TalariaServer {
    /// Processes the pieces of a body, and fails when they do not arrive in time.
    ///
    /// - Throws: `Problem` for a body that is encoded or late, the errors of `consume`, and the connection's own
    ///   errors.
    func readBody<Result: Sendable>(
        _ request: Request,
        context: TalariaContext,
        _ consume: @escaping @Sendable (MeteredBody) async throws -> Result
    ) async throws -> Result {
        guard request.headers[values: .contentEncoding].allSatisfy({ ["", "identity"].contains($0.lowercased()) })
        else { throw Problem.encodedBody }
        let body = MeteredBody(body: request.body, progress: context.body)
        if request.expectsContinue { context.channel.triggerUserOutboundEvent(ExpectContinue(), promise: nil) }
        return try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await consume(body) }
            group.addTask {
                try await overdue(body.progress)
                throw Problem.bodyTimedOut
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    private func overdue(_ progress: BodyProgress) async throws {
        let end = clock.now + configuration.bodyTimeout
        progress.touch(clock.now)
        while true {
            let deadline = min(end, progress.last + configuration.bodyIdleTimeout)
            if deadline <= clock.now { return }
            try await clock.sleep(until: deadline)
        }
    }

    /// Returns a body of text, as one.
    func collectBody(_ request: Request, context: TalariaContext, limit: Int) async throws -> ByteBuffer {
        let tooLong = Problem.tooLarge("The body is longer than \(limit) bytes.")
        if let announced = request.headers[.contentLength].flatMap({ Int($0) }), announced > limit { throw tooLong }
        return try await readBody(request, context: context) { body in
            var collected = ByteBuffer()
            for try await piece in body {
                collected.writeImmutableBuffer(piece)
                if collected.readableBytes > limit { throw tooLong }
            }
            return collected
        }
    }
}

/// The pieces of a body, counted as they come.
struct MeteredBody: AsyncSequence, Sendable {
    var body: RequestBody
    var progress: BodyProgress

    struct AsyncIterator: AsyncIteratorProtocol {
        var pieces: RequestBody.AsyncIterator
        var progress: BodyProgress

        mutating func next() async throws -> ByteBuffer? {
            guard let piece = try await pieces.next() else {
                // A cancelled body ends early without an error.
                try Task.checkCancellation()
                progress.end()
                return nil
            }
            progress.add(piece.readableBytes, at: .now)
            return piece
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: body.makeAsyncIterator(), progress: progress) }
}

extension Request {
    /// Whether the client sends no body before it was asked for it (RFC 9110, section 10.1.1).
    var expectsContinue: Bool { headers[.expect]?.lowercased() == "100-continue" }
}
