import Foundation
import HTTPServer
import HTTPTypes
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
        /// Whether it does not come before the client has hung up.
        var isLate = false
    }

    struct Recording: Sendable {
        var path: String
        var query: String
        var key: String?
        var authorization: String?
        var body: String
    }

    private let answers: [String: Answer]
    private let state = Mutex<(requests: [Recording], transfers: [Transfer])>(([], []))

    init(_ answers: [String: Answer]) { self.answers = answers }

    var requests: [Recording] { state.withLock { $0.requests } }
    var transfers: [Transfer] { state.withLock { $0.transfers } }

    func note(_ transfer: Transfer) { state.withLock { $0.transfers.append(transfer) } }

    /// Serves while `body` asks at the address that it is given.
    func run(_ body: @escaping @Sendable (URL) async throws -> Void) async throws {
        let server = HTTPServer(port: 0, name: "recorded") { request in
            let body = (try? await request.body.collect(upTo: 1 << 20)) ?? []
            if self.answers[request.path]?.isLate == true {
                try? await request.whileConnected { try await Task.sleep(for: .seconds(86_400)) }
            }
            return self.answer(request, body: String(decoding: body, as: UTF8.self))
        }
        try await server.serve { client in
            guard let url = URL(string: "http://127.0.0.1:\(client.port)/") else { throw CocoaError(.fileNoSuchFile) }
            try await body(url)
        }
    }

    private func answer(_ request: Request, body: String) -> Response {
        let key = HTTPField.Name("X-Key").flatMap { request.headers[$0] }
        state.withLock {
            $0.requests.append(
                Recording(
                    path: request.path,
                    query: request.queryText,
                    key: key,
                    authorization: request.headers[.authorization],
                    body: body
                )
            )
        }
        let answer = answers[request.path] ?? Answer(status: 404, body: "{}")
        var response = Response(status: .init(code: answer.status))
        response.headers[.contentType] = answer.type
        if let location = answer.location {
            let port = request.authority?.split(separator: ":").last ?? ""
            response.headers[.location] = location.replacing("OTHER", with: "http://localhost:\(port)")
        }
        if let retryAfter = answer.retryAfter { response.headers[.retryAfter] = retryAfter }
        if let refresh = answer.refresh, let name = HTTPField.Name("Refresh") { response.headers[name] = refresh }
        if let coding = answer.coding { response.headers[.contentEncoding] = coding }
        response.body = .bytes(Array(answer.body.utf8))
        return response
    }
}
