import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServerSupport
import Synchronization
import Talaria

/// Server on a loopback port that gives recorded answers by path, and records its requests.
final class RecordedServer: Sendable {
    struct Answer: Sendable {
        var status = 200
        var body = ""
        var type = "application/json"
        /// "OTHER" is replaced by this server's other name.
        var location: String?
        /// "Retry-After".
        var retryAfter: String?
        /// "Refresh".
        var refresh: String?
        /// "Content-Encoding".
        var coding: String?
    }

    struct Request: Sendable {
        var path: String
        var query: String
        var key: String?
        var authorization: String?
        var body: String
    }

    private let answers: [String: Answer]
    private let state = Mutex<(requests: [Request], transfers: [Transfer])>(([], []))

    init(_ answers: [String: Answer]) { self.answers = answers }

    var requests: [Request] { state.withLock { $0.requests } }
    var transfers: [Transfer] { state.withLock { $0.transfers } }

    func note(_ transfer: Transfer) { state.withLock { $0.transfers.append(transfer) } }

    /// Serves while `body` asks at the address that it is given.
    func run(_ body: @escaping @Sendable (URL) async throws -> Void) async throws {
        let responder = CallbackResponder { (request: Hummingbird.Request, _: BasicRequestContext) -> Response in
            var request = request
            let body = try await request.collectBody(upTo: 1 << 20)
            return self.answer(request, body: String(buffer: body))
        }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await Application(responder: responder, logger: logger).serve { client in
            guard let port = client.port, let url = URL(string: "http://127.0.0.1:\(port)/") else {
                throw CocoaError(.fileNoSuchFile)
            }
            try await body(url)
        }
    }

    private func answer(_ request: Hummingbird.Request, body: String) -> Response {
        let key = HTTPField.Name("X-Key").flatMap { request.headers[$0] }
        state.withLock {
            $0.requests.append(
                Request(
                    path: request.uri.path,
                    query: request.uri.query ?? "",
                    key: key,
                    authorization: request.headers[.authorization],
                    body: body
                )
            )
        }
        let answer = answers[request.uri.path] ?? Answer(status: 404, body: "{}")
        var response = Response(status: .init(code: answer.status))
        response.headers[.contentType] = answer.type
        if let location = answer.location {
            let port = request.head.authority?.split(separator: ":").last ?? ""
            response.headers[.location] = location.replacing("OTHER", with: "http://localhost:\(port)")
        }
        if let retryAfter = answer.retryAfter { response.headers[.retryAfter] = retryAfter }
        if let refresh = answer.refresh, let name = HTTPField.Name("Refresh") { response.headers[name] = refresh }
        if let coding = answer.coding { response.headers[.contentEncoding] = coding }
        response.body = ResponseBody(byteBuffer: ByteBuffer(string: answer.body))
        return response
    }
}
