import BookCatalogue
import Foundation
import GRDB
import ServerSupport
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns, .endsWhatHangs) struct FolderTests {
    private let folder: TemporaryFolder
    private let data: String

    init() throws {
        folder = try TemporaryFolder()
        data = folder("data")
    }

    @Test func aSecondServerDoesNotGetTheFolder() throws {
        let server = try TestServer("--data", data)
        let first = try server.make()
        #expect(throws: TalariaServerError.inUse(path: data)) { try server.make() }
        withExtendedLifetime(first) {}
    }

    @Test func aDatabaseOfAnotherProgramOrVersionIsRefusedAsSuch() throws {
        let file = "data/\(JobStore.fileName)"
        func expect(_ reason: String) throws {
            let before = FileManager.default.contents(atPath: folder(file))
            let error = #expect(throws: StoreError.self) { try TestServer("--data", data).make() }
            #expect("\(try #require(error))".contains(reason))
            #expect(FileManager.default.contents(atPath: folder(file)) == before)
        }
        try folder.write("mine", file)
        try expect("is not a job database")
        try folder.write("", file)
        try DatabaseQueue(path: folder(file)).write { database in
            for table in ["grdb_migrations (identifier)", "job (id)", "rateWindow (client)"] {
                try database.execute(sql: "CREATE TABLE \(table)")
            }
        }
        try expect("of an earlier version")
    }

    @Test func aServerThatDoesNotGetItsAddressTouchesNothing() async throws {
        let data = data
        try await TestServer.run { client in
            let port = client.client.port
            let server = try TestServer("--data", data, "--port", "\(port)").make()
            let job = try await RestartTests.leaveJob(in: server)
            let expected = TalariaServerError.address(
                host: "127.0.0.1",
                port: port,
                reason: "Address already in use"
            )
            await #expect(throws: expected) { try await server.run { _ in } }
            #expect(try await server.store.job(job.jobID)?.state == .queued)
        }
    }

    @Test func nobodyElseCanLookInsideAndNoPictureIsLeft() async throws {
        @Sendable func mode(_ path: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
        }
        var server = try TestServer("--data", data)
        let (gate, data) = (server.holdReader(), data)
        @Sendable func files() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: data).map { "\(data)/\($0)" }
        }
        @Sendable func hasPicture() throws -> Bool {
            try files().contains { path in
                FileManager.default.contents(atPath: path)?.range(of: Data(TestServer.photo)) != nil
            }
        }
        try await server.run { client in
            let job = try await client.job()
            await gate.untilWaiting(1)
            #expect(try mode(data) == 0o700)
            for path in try files() { #expect(try mode(path) == 0o600, "\(path)") }
            #expect(try hasPicture())
            gate.open()
            #expect(try await client.stream(job).last?.name == "completed")
            try await until { try !hasPicture() }
            #expect(try await client.pictures() == 0)
        }
        #expect(try !hasPicture())
    }
}
