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

    @Test func fullDatabaseLosesNothingThatWasAccepted() async throws {
        var server = try TestServer()
        let (gate, log) = (server.holdReader(long), LogLines())
        server.limits.storageInterval = .milliseconds(10)
        server.log = ServerLog(from: .info) { log.append($0) }
        try await server.run { client in
            var jobs: [ScanAccepted] = []
            for _ in 0..<3 { jobs.append(try await client.job()) }
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
            #expect(try await client.get(of: jobs[0]).status == .ok)
            #expect(try await client.enrich("Dune\nFrank Herbert").status == .ok)
            try await makeRoom(client.server.store)
            for job in jobs { #expect(try await client.stream(job).last?.name == "completed") }
            #expect(try await client.upload([photo]).status == .accepted)
        }
    }

    @Test func anotherProcessDoesWhatThisOneHadNoRoomFor() async throws {
        let folder = try TemporaryFolder()
        var server = try TestServer("--data", folder("data"))
        let (gate, log, left) = (server.holdReader(long), LogLines(), Left())
        server.log = ServerLog(from: .info) { log.append($0) }
        try await server.run { client in
            for _ in 0..<3 { left.add(try await client.job()) }
            try await fill(client.server.store)
            gate.open()
            try await until { log.all.contains("work put off") }
            #expect(try await client.pictures() == 3)
        }
        try await server.run { client throws in
            for job in left.jobs { #expect(try await client.stream(job).last?.name == "completed") }
            #expect(try await client.pictures() == 0)
        }
    }

    @Test func anUploadForWhichThereIsNoRoomIsRefusedBeforeItsBodyComes() async throws {
        let folder = try TemporaryFolder()
        var server = try TestServer("--data", folder("data"))
        server.limits.batchBytes = .max / 2
        try await server.run { client in
            let connection = try RawConnection(port: client.client.port)
            connection.send(
                """
                POST /v3/jobs/scans HTTP/1.1\r\nHost: localhost\r\nX-Device-ID: \(TestServer.device)\r\n\
                Content-Type: multipart/form-data; boundary=XX\r\nContent-Length: \(1 << 60)\r\n\r\n
                """
            )
            let answer = await connection.text(until: "\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 503 "))
            #expect(answer.contains("Retry-After: 10\r\n"))
            connection.end()
            #expect(try await client.upload().status == .accepted)
        }
    }
}
