import Basics
import HTTPTypes
import ServerSupport
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns) struct FaultTests {
    private func run(
        _ faults: [FaultPlan.Kind: FaultPlan.Fault]?,
        _ test: @escaping @Sendable (ServerClient) async throws -> Void
    ) async throws {
        var server = try TestServer()
        if let faults { server.faults = FaultPlan(seed: 1, faults: faults) }
        try await server.run(test)
    }

    @Test func healthNamesTheFaultsThatAreOn() async throws {
        try await run(nil) { client throws in
            #expect(try await client.send(.get, "/health").text == "{\"status\":\"ok\"}")
        }
        try await run([.drop: .init(probability: 0.5, afterEvents: 1)]) { client throws in
            #expect(try await client.send(.get, "/health").text.contains("\"faultInjection\":[\"drop\"]"))
        }
    }

    @Test func errorsAndRefusalsHappen() async throws {
        try await run([.serverError: .init(probability: 1)]) { client throws in
            #expect(try await client.enrich("Dune").status == .serviceUnavailable)
            #expect(try await client.send(.get, "/health").status == .ok)
        }
        try await run([.rateLimit: .init(probability: 1, retryAfterSeconds: 7)]) { client in
            let answer = try await client.enrich("Dune")
            #expect(answer.status == .tooManyRequests)
            #expect(answer.headers[.retryAfter] == "7")
        }
    }

    @Test func streamsAreBrokenAsThePlanSays() async throws {
        let always = FaultPlan.Fault(probability: 1)
        try await run([.malformedEvents: always, .strippedBooks: always, .duplicateEvents: always]) { client in
            let events = try await client.stream(try await client.job())
            // Six events twice each, and one that is none before each other one.
            #expect(events.count == 15)
            #expect(events.count { (try? $0.event()) == nil } == 3)
            let completions = try events.filter { $0.name == "completed" }.map { try $0.event() }
            #expect(completions.count == 4)
            for case .completed(let completion) in completions { #expect(completion.books == nil) }
        }
    }

    @Test func droppedStreamCanBeTakenUpAgain() async throws {
        try await run([.drop: .init(probability: 1, afterEvents: 2)]) { client in
            let job = try await client.job()
            await #expect(throws: (any Error).self) { _ = try await client.stream(job) }
        }
    }

    @Test func sameSeedDrawsTheSame() {
        let faults: [FaultPlan.Kind: FaultPlan.Fault] = [
            .drop: .init(probability: 0.3), .latency: .init(probability: 0), .slowHead: .init(probability: 1),
        ]
        let injectors = (0..<2).map { _ in FaultInjector(plan: FaultPlan(seed: 7, faults: faults)) }
        let draws = injectors.map { injector in (0..<200).map { _ in injector.draw(.drop) } }
        #expect(draws[0] == draws[1])
        #expect((40...80).contains(draws[0].count { $0 != nil }))
        #expect(injectors[0].draw(.rateLimit) == nil)
        #expect(injectors[0].draw(.latency) == nil)
        #expect(injectors[0].draw(.slowHead) != nil)
    }

    @Test(arguments: [
        ("{", "invalid JSON"), ("{\"seed\": 1, \"latncy\": {}}", "latncy: unknown key; did you mean"),
        ("{\"seed\": 1, \"serverError\": {\"probability\": 2}}", "serverError.probability: invalid value 2"),
        ("{\"seed\": 1, \"drop\": {\"probability\": 1}}", "drop: expected exactly one of afterEvents"), ("{}", "seed"),
    ])
    func wrongPlansSaySo(_ text: String, _ reason: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, "faults.json")
        let error = try #require(throws: Faults.self) { try FaultPlan(path: folder("faults.json")) }
        #expect("\(error)".contains(reason), "\(error)")
    }

    @Test func aPlanIsReadFromItsFile() throws {
        let folder = try TemporaryFolder()
        let text = "{\"seed\": 3, \"latency\": {\"probability\": 0.2, \"milliseconds\": 500}}"
        try folder.write(text, "faults.json")
        let expected = FaultPlan(seed: 3, faults: [.latency: .init(probability: 0.2, milliseconds: 500)])
        #expect(try FaultPlan(path: folder("faults.json")) == expected)
    }
}
