import Foundation
import GRDB
import HTTPTypes
import ServerSupport
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns, .endsWhatHangs) struct StorageTests {
    /// Lets the database grow no more, as on a full disk; SQLite's own limit gives the same error.
    private func fill(_ store: JobStore) async throws {
        try await store.database.write { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
    }

    private func makeRoom(_ store: JobStore) async throws {
        try await store.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
    }

    /// An answer that needs new pages.
    private let long = [RemoteLine(text: String(repeating: "zyx ", count: 5_000))]

    /// Returns a server whose jobs wait for room in a folder of their own, and its reader's gate.
    private func server(_ folder: TemporaryFolder) throws -> (TestServer, Gate, LogLines) {
        var server = try TestServer("--data", folder("data"))
        let gate = server.holdReader(long)
        server.limits.storageInterval = .milliseconds(10)
        let log = server.keepLog()
        return (server, gate, log)
    }

    @Test func fullDatabaseLosesNothingThatWasAccepted() async throws {
        let (folder, left) = (try TemporaryFolder(), Left())
        let (server, gate, log) = try server(folder)
        try await server.run { client in
            for _ in 0..<3 { left.add(try await client.job()) }
            try await fill(client.server.store)
            gate.open()
            try await until { log.all.contains("work put off") }
            let photo = TestServer.photo + [UInt8](repeating: 0, count: 100_000)
            let refused = try await client.upload([photo])
            #expect(refused.status == .serviceUnavailable)
            #expect(refused.headers[.retryAfter] == "10")
            #expect(try refused.problem().code == .storageFull)
            #expect(try refused.problem().isRetryable == true)
            #expect(try await client.pictures() == 3)
            // Requests without a need for space are answered.
            #expect(try await client.get(of: left.jobs[0]).status == .ok)
            #expect(try await client.enrich("Dune\nFrank Herbert").status == .ok)
            try await makeRoom(client.server.store)
            for job in left.jobs { #expect(try await client.stream(job).last?.name == "completed") }
            #expect(try await client.upload([photo]).status == .accepted)
        }
    }

    @Test func anotherProcessDoesWhatThisOneHadNoRoomFor() async throws {
        let (folder, left) = (try TemporaryFolder(), Left())
        let (server, gate, log) = try server(folder)
        try await server.run { client in
            for _ in 0..<3 { left.add(try await client.job()) }
            try await fill(client.server.store)
            gate.open()
            try await until { log.all.contains("work put off") }
        }
        try await server.run { client throws in
            for job in left.jobs { #expect(try await client.stream(job).last?.name == "completed") }
            #expect(try await client.pictures() == 0)
        }
    }
}
