import Foundation
import HTTPTypes
import ServerSupport
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns) struct FaultTests {
    private func server(_ change: (inout FaultPlan) -> Void) throws -> TestServer {
        var server = try TestServer()
        var plan = FaultPlan(seed: 1)
        change(&plan)
        server.configuration.faults = plan
        return server
    }

    @Test func noFaultsAreOnByDefault() async throws {
        let server = try TestServer()
        defer { server.remove() }
        #expect(server.configuration.faults == nil)
        try await server.run { client in
            let health = try await client.send(.get, "/health")
            #expect(health.text == "{\"status\":\"ok\"}")
        }
    }

    @Test func healthNamesTheFaultsThatAreOn() async throws {
        let server = try server { $0.drop = FaultPlan.Drop(probability: 0.5, afterEvents: 1) }
        defer { server.remove() }
        try await server.run { client in
            let health = try await client.send(.get, "/health")
            #expect(health.text.contains("\"faultInjection\":[\"drop\"]"))
        }
    }

    @Test func errorsAndRefusalsHappen() async throws {
        let failing = try server { $0.serverError = FaultPlan.Chance(probability: 1) }
        defer { failing.remove() }
        try await failing.run { client throws in
            #expect(try await client.enrich("Dune").status == .serviceUnavailable)
            #expect(try await client.send(.get, "/health").status == .ok)
        }
        let refusing = try server { $0.rateLimit = FaultPlan.Refusal(probability: 1, retryAfterSeconds: 7) }
        defer { refusing.remove() }
        try await refusing.run { client in
            let answer = try await client.enrich("Dune")
            #expect(answer.status == .tooManyRequests)
            #expect(answer.headers[.retryAfter] == "7")
        }
    }

    @Test func streamsAreBrokenAsThePlanSays() async throws {
        let server = try server {
            $0.malformedEvents = FaultPlan.Chance(probability: 1)
            $0.strippedBooks = FaultPlan.Chance(probability: 1)
            $0.duplicateEvents = FaultPlan.Chance(probability: 1)
        }
        defer { server.remove() }
        try await server.run { client in
            let events = try await client.stream(try client.accepted(try await client.upload()))
            // Six events twice each, and one that is none before each other one.
            #expect(events.count == 15)
            #expect(events.count { (try? $0.event()) == nil } == 3)
            let completions = try events.filter { $0.name == "completed" }.map { try $0.event() }
            #expect(completions.count == 4)
            for case .completed(let completion) in completions { #expect(completion.books == nil) }
        }
    }

    @Test func droppedStreamCanBeTakenUpAgain() async throws {
        let server = try server { $0.drop = FaultPlan.Drop(probability: 1, afterEvents: 2) }
        defer { server.remove() }
        try await server.run { client in
            let job = try client.accepted(try await client.upload())
            await #expect(throws: (any Error).self) { _ = try await client.stream(job) }
        }
    }

    @Test func sameSeedDrawsTheSame() {
        let injectors = (0..<2).map { _ in FaultInjector(plan: FaultPlan(seed: 7)) }
        let draws = injectors.map { injector in (0..<200).map { _ in injector.happens(0.3) } }
        #expect(draws[0] == draws[1])
        #expect((40...80).contains(draws[0].count { $0 }))
        #expect(!injectors[0].happens(nil))
        #expect(!injectors[0].happens(0))
        #expect(injectors[0].happens(1))
    }

    @Test(arguments: [
        ("{", "not valid JSON"), ("{\"seed\": 1, \"latncy\": {}}", "unknown fault 'latncy'"),
        ("{\"seed\": 1, \"serverError\": {\"probability\": 2}}", "invalid probability 2.0 of 'serverError'"),
        ("{}", "seed"),
    ])
    func wrongPlansSaySo(_ text: String, _ reason: String) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("faults-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: path) }
        try Data(text.utf8).write(to: path)
        let error = try #require(throws: TalariaServerError.self) { try FaultPlan(path: path.path) }
        #expect("\(error)".contains(reason))
    }
}
