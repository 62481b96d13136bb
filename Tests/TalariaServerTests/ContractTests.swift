import Foundation
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

/// The client and the server over a socket.
@Suite(.inTurns, .endsWhatHangs) struct ContractTests {
    /// Runs the server while a client of a device talks to it.
    private func run(
        _ server: TestServer,
        _ test: @escaping @Sendable (TalariaClient, TalariaClient) async throws -> Void
    ) async throws {
        let talaria = try server.make()
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { port.finish() }
                try await talaria.run { port.yield($0) }
            }
            group.addTask {
                for await number in ports {
                    let transport = try NetworkTransport()
                    let url = try #require(URL(string: "http://127.0.0.1:\(number)"))
                    func client() -> TalariaClient {
                        TalariaClient(
                            configuration: ClientConfiguration(baseURL: url, deviceID: UUID(), retry: .never),
                            transport: transport
                        )
                    }
                    return try await test(client(), client())
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    @Test(arguments: [false, true])
    func aScanIsFollowedToItsBooks(withoutBooksInTheStream isStripped: Bool) async throws {
        var server = try TestServer()
        defer { server.remove() }
        if isStripped {
            server.configuration.faults = FaultPlan(seed: 1)
            server.configuration.faults?.strippedBooks = FaultPlan.Chance(probability: 1)
        }
        try await run(server) { client, _ in
            let outcome = try await client.scan([Photo(jpeg: TestServer.photo)])
            #expect(outcome.books.map(\.title) == ["Dune"])
            #expect(outcome.cleanedUp == true)
        }
        #expect(server.pictures.isEmpty)
    }

    @Test func aJobIsItsDevicesAlone() async throws {
        let server = try TestServer()
        defer { server.remove() }
        try await run(server) { client, stranger in
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

extension Result where Failure == any Error {
    fileprivate init(_ work: () async throws -> Success) async {
        do {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
