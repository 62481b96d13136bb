import Foundation
import GRDB
import HTTPTypes
import ServerSupport
import Synchronization
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

    @Test func fullDatabaseLosesNothingThatWasAccepted() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.configuration.storageInterval = .milliseconds(10)
        let gate = Gate()
        server.reader = PhotoReader { _, _ in
            gate.wait()
            // An answer that needs new pages.
            return PhotoText(lines: [RemoteLine(text: String(repeating: "zyx ", count: 5_000))])
        }
        let kept = server
        try await server.run { client in
            var jobs: [ScanAccepted] = []
            for _ in 0..<3 { jobs.append(try client.accepted(try await client.upload())) }
            try await fill(client.server.store)
            gate.open()
            try await until { client.server.storage.isFull }
            #expect(try await client.send(.get, "/ready").status == .serviceUnavailable)
            let refused = try await client.upload()
            #expect(refused.status == .serviceUnavailable)
            #expect(refused.headers[.retryAfter] == "10")
            #expect(try refused.problem().code == .storageFull)
            #expect(try refused.problem().isRetryable == true)
            #expect(kept.pictures.count == 3)
            // Requests without a need for space are answered.
            #expect(try await client.send(.get, "/v3/jobs/scans/\(jobs[0].jobID)").status == .ok)
            #expect(try await client.enrich("Dune\nFrank Herbert").status == .ok)
            try await makeRoom(client.server.store)
            for job in jobs { #expect(try await client.stream(job).last?.name == "completed") }
            #expect(try await client.send(.get, "/ready").status == .ok)
            #expect(try await client.upload().status == .accepted)
        }
    }

    @Test func anotherProcessDoesWhatThisOneHadNoRoomFor() async throws {
        var server = try TestServer()
        defer { server.remove() }
        let gate = Gate()
        server.reader = PhotoReader { _, _ in
            gate.wait()
            return PhotoText(lines: [RemoteLine(text: String(repeating: "zyx ", count: 5_000))])
        }
        let left = Left()
        try await server.run { client in
            for _ in 0..<3 { left.add(try client.accepted(try await client.upload())) }
            try await fill(client.server.store)
            gate.open()
            try await until { client.server.storage.isFull }
        }
        #expect(server.pictures.count == 3)
        try await server.run { client throws in
            for job in left.jobs { #expect(try await client.stream(job).last?.name == "completed") }
        }
        #expect(server.pictures.isEmpty)
    }

    @Test func fullDiskRefusesPhotosUntilThereIsRoom() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.configuration.storageInterval = .milliseconds(10)
        let space = SharedFlag()
        var made = try server.make()
        made.files.writing = { descriptor, bytes, count in
            if space.isSet { return write(descriptor, bytes, count) }
            errno = ENOSPC
            return -1
        }
        let kept = server
        try await server.run(made) { client in
            let refused = try await client.upload()
            #expect(refused.status == .serviceUnavailable)
            #expect(refused.headers[.retryAfter] == "10")
            #expect(try refused.problem().code == .storageFull)
            #expect(kept.pictures.isEmpty)
            space.set()
            try await until { try await client.send(.get, "/ready").status == .ok }
            let job = try client.accepted(try await client.upload())
            #expect(try await client.stream(job).last?.name == "completed")
        }
    }

    @Test func aPhotoThatIsGoneIsTheServersFault() async throws {
        let server = try TestServer()
        defer { server.remove() }
        var made = try server.make()
        let folder = made.files.directory
        made.files.writing = { descriptor, bytes, count in
            for job in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                try? FileManager.default.removeItem(atPath: "\(folder)/\(job)/0")
            }
            return write(descriptor, bytes, count)
        }
        try await server.run(made) { client in
            let answer = try await client.upload()
            #expect(answer.status == .internalServerError)
            #expect(try answer.problem().isRetryable == true)
        }
    }

    @Test func anUploadForWhichThereIsNoRoomIsRefusedBeforeItsBodyComes() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.configuration.limits.batchBytes = .max / 2
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

/// Set once, by any thread.
final class SharedFlag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
}
