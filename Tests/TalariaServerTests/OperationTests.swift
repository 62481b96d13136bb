import Foundation
import HTTPTypes
import ServerSupport
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns) struct OperationTests {
    @Test func documentAndRouterNameTheSameRoutes() throws {
        let server = try TestServer()
        let routes = try server.make().routes.map { "\($0.method.rawValue) \($0.path)" }
        let documented = try Document().operations.map { "\($0.method) \($0.path)" }
        #expect(Set(routes) == Set(documented))
        #expect(routes.count == documented.count)
    }

    /// Requests of each kind; other tests add theirs when they have run before.
    @Test func documentNamesEveryStatusThatWasSeen() async throws {
        try await TestServer.run { client in
            let job = try await client.job()
            _ = try await client.stream(job)
            let path = job.path
            _ = try await client.send(.get, path)
            _ = try await client.send(.get, path, device: TestServer.otherDevice)
            _ = try await client.send(.get, path + "/results", token: job.token)
            _ = try await client.send(.delete, path)
            _ = try await client.send(.delete, path + "/cleanup")
            _ = try await client.enrich("Dune")
            for page in ["/health", "/openapi.json", "/v3/books/search?q=dune"] {
                #expect(try await client.send(.get, page).status == .ok)
            }
        }
        let documented = Set(
            try Document().operations.flatMap { operation in
                operation.statuses.map { "\(operation.method) \(operation.path) \($0)" }
            }
        )
        let seen = SeenStatuses.all.lines.filter { line in documented.contains { $0.hasPrefix(line.dropLast(3)) } }
        #expect(seen.count >= 12)
        #expect(seen.subtracting(documented).isEmpty)
    }

    private struct Document {
        var operations: [(method: String, path: String, statuses: [String])] = []

        init() throws {
            let json = try JSONSerialization.jsonObject(with: Data(TalariaServer.openAPIDocument))
            let paths = try #require((json as? [String: Any])?["paths"] as? [String: [String: Any]])
            for (path, item) in paths {
                for (method, operation) in item where method != "parameters" {
                    let responses = (operation as? [String: Any])?["responses"] as? [String: Any]
                    operations.append((method.uppercased(), path, Array(try #require(responses).keys)))
                }
            }
        }
    }
}
