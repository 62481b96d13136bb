import Foundation
import HTTPServer
import HTTPTypes
import ServerSupport
import Synchronization
import Talaria

@testable import Captures

/// Server on a loopback port that gives recorded answers by path, and records its requests.
final class RecordedServer: Sendable {
    struct Answer: Sendable {
        var status = 200
        var body = ""
        /// Header fields by name; "OTHER" in one is this server by another name.
        var headers: [String: String] = [:]
        /// Whether it does not come before the client has hung up.
        var isLate = false

        static func page(_ body: String, _ headers: [String: String] = [:]) -> Answer {
            Answer(body: body, headers: headers.merging(["Content-Type": "text/html; charset=utf-8"]) { own, _ in own })
        }

        static func moved(_ location: String) -> Answer { Answer(status: 302, headers: ["Location": location]) }
    }

    struct Recording: Sendable {
        var path: String
        var query: String
        var authorization: String?
        var body: String
    }

    private let answers: [String: Answer]
    private let together: Int
    private let state = Mutex<(requests: [Recording], transfers: [Transfer])>(([], []))

    /// `together`: number of requests that come before the first answer is given.
    init(_ answers: [String: Answer], together: Int = 1) { (self.answers, self.together) = (answers, together) }

    var requests: [Recording] { state.withLock { $0.requests } }
    var paths: [String] { requests.map(\.path) }
    var transfers: [Transfer] { state.withLock { $0.transfers } }

    func note(_ transfer: Transfer) { state.withLock { $0.transfers.append(transfer) } }

    /// Serves while `body` asks at the address that it gets.
    func run<Value: Sendable>(_ body: @escaping @Sendable (URL) async throws -> Value) async throws -> Value {
        let value = Mutex<Value?>(nil)
        try await HTTPServer(port: 0, name: "recorded", respond: answer).serve { client in
            guard let url = URL(string: "http://127.0.0.1:\(client.port)/") else { return }
            let found = try await body(url)
            value.withLock { $0 = found }
        }
        guard let found = value.withLock({ $0 }) else { throw CancellationError() }
        return found
    }

    @Sendable private func answer(_ request: Request) async -> Response {
        let body = String(decoding: (try? await request.body.collect(upTo: 1 << 20)) ?? [], as: UTF8.self)
        let (path, key) = (request.path, request.headers[.authorization])
        let recording = Recording(path: path, query: request.queryText, authorization: key, body: body)
        state.withLock { $0.requests.append(recording) }
        let answer = answers[path] ?? Answer(status: 404, body: "{}")
        if answer.isLate { try? await request.whileConnected { try await Task.sleep(for: .seconds(86_400)) } }
        while requests.count < together, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
        var response = Response(status: .init(code: answer.status), headers: [.contentType: "application/json"])
        let port = request.authority?.split(separator: ":").last ?? ""
        for (name, value) in answer.headers {
            guard let name = HTTPField.Name(name) else { continue }
            response.headers[name] = value.replacing("OTHER", with: "http://localhost:\(port)")
        }
        response.body = .bytes(Array(answer.body.utf8))
        return response
    }
}

/// Returns what `body` makes of a server of recorded answers, which it fetches from, and the server.
func asking<Value: Sendable>(
    _ answers: [String: RecordedServer.Answer],
    allowsPrivate: Bool = true,
    _ body: @escaping @Sendable (SafeFetch, URL) async throws -> Value
) async throws -> (Value, RecordedServer) {
    let server = RecordedServer(answers)
    let value = try await server.run { base in
        try await body(SafeFetch(allowsPrivate: allowsPrivate) { server.note($0) }, base)
    }
    return (value, server)
}
