import Foundation
import ServerSupport
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

/// The client and the server over a socket.
@Suite(.inTurns, .endsWhatHangs) struct ContractTests {
    /// Runs the server while clients of two devices talk to it.
    private func run(
        _ server: TestServer,
        _ test: @escaping @Sendable (ServerClient, TalariaClient, TalariaClient) async throws -> Void
    ) async throws {
        try await server.run { client in
            let transport = try NetworkTransport()
            let url = try #require(URL(string: "http://127.0.0.1:\(client.client.port)"))
            func device() -> TalariaClient {
                TalariaClient(
                    configuration: ClientConfiguration(baseURL: url, deviceID: UUID(), retry: .never),
                    transport: transport
                )
            }
            try await test(client, device(), device())
        }
    }

    @Test(arguments: [false, true])
    func aScanIsFollowedToItsBooks(withoutBooksInTheStream isStripped: Bool) async throws {
        var server = try TestServer()
        if isStripped {
            server.faults = FaultPlan(seed: 1, faults: [.strippedBooks: .init(probability: 1)])
        }
        try await run(server) { server, client, _ in
            let outcome = try await client.scan([Photo(jpeg: TestServer.photo)])
            #expect(outcome.books.map(\.title) == ["Dune"])
            #expect(outcome.cleanedUp == true)
            #expect(try await server.pictures() == 0)
        }
    }

    @Test func aJobIsItsDevicesAlone() async throws {
        let server = try TestServer()
        try await run(server) { _, client, stranger in
            let job = try await client.upload([Photo(jpeg: TestServer.photo)])
            #expect(job.stream == "/v3/jobs/scans/\(job.jobID)/stream")
            #expect(UUID(uuidString: job.jobID).map { $0.uuid.6 >> 4 } == 4)
            let error = await #expect(throws: TalariaError.self) { try await stranger.follow(job) }
            guard case .refused(_, let problem) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(problem.status == 404)
            let outcome = try await client.follow(job)
            #expect(outcome.books.map(\.title) == ["Dune"])
        }
    }
}
