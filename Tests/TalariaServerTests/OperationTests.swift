import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns) struct OperationTests {
    @Test func documentAndRouterNameTheSameRoutes() throws {
        let server = try TestServer()
        let routes = try server.make().routes.map { "\($0.method.rawValue) \($0.path)" }
        let json = try JSONSerialization.jsonObject(with: Data(TalariaServer.openAPIDocument))
        let paths = try #require((json as? [String: Any])?["paths"] as? [String: [String: Any]])
        let documented = paths.flatMap { path, item in
            item.keys.filter { $0 != "parameters" }.map { "\($0.uppercased()) \(path)" }
        }
        #expect(Set(routes) == Set(documented))
        #expect(routes.count == documented.count)
    }
}
