import BookCatalogue
import Foundation
import HTTPTypes
import ServerSupport
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns, .endsWhatHangs) struct FolderTests {
    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
    }

    @Test func whatAUserHasInTheFolderForPicturesStays() async throws {
        let server = try TestServer()
        defer { server.remove() }
        let images = URL(filePath: server.configuration.imageDirectory)
        try FileManager.default.createDirectory(
            at: images.appending(path: "album"),
            withIntermediateDirectories: true
        )
        try Data("mine".utf8).write(to: images.appending(path: "letter.txt"))
        try Data("mine".utf8).write(to: images.appending(path: "album/0"))
        try await server.run { client in
            let job = try client.accepted(try await client.upload())
            #expect(try await client.stream(job).last?.name == "completed")
        }
        #expect(try String(contentsOf: images.appending(path: "letter.txt"), encoding: .utf8) == "mine")
        #expect(try String(contentsOf: images.appending(path: "album/0"), encoding: .utf8) == "mine")
    }

    @Test func foldersForPicturesAndForDataMayBeOne() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.configuration.imageDirectory = server.configuration.dataDirectory
        let left = Left()
        for _ in 0..<2 {
            try await server.run { client in
                let job = try client.accepted(try await client.upload())
                #expect(try await client.stream(job).last?.name == "completed")
                left.add(job)
            }
        }
        try await server.run { client throws in
            for job in left.jobs {
                #expect(try await client.send(.get, "/v3/jobs/scans/\(job.jobID)").status == .ok)
            }
        }
    }

    @Test(arguments: ["letter.txt", "7b0f0c9e-6a0e-4b57-9d3e-1c2f3a4b5c6d/letter.txt"])
    func foreignContentAmongThePicturesIsRefused(_ name: String) throws {
        let server = try TestServer()
        defer { server.remove() }
        let file = URL(filePath: server.pictureFolder).appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data("mine".utf8).write(to: file)
        let top = try #require(name.split(separator: "/").first.map(String.init))
        #expect(throws: TalariaServerError.foreignContent(path: server.pictureFolder, name: top)) {
            try server.make()
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
    }

    @Test func aSecondServerDoesNotGetTheFolders() throws {
        let server = try TestServer()
        defer { server.remove() }
        let first = try server.make()
        #expect(throws: TalariaServerError.inUse(path: server.configuration.dataDirectory)) { try server.make() }
        var other = server
        other.configuration.dataDirectory += "-2"
        #expect(throws: TalariaServerError.inUse(path: server.pictureFolder)) { try other.make() }
        withExtendedLifetime(first) {}
    }

    @Test func picturesOfAnotherDatabaseAreLeftToIt() throws {
        let server = try TestServer()
        defer { server.remove() }
        let id = UUID().uuidString.lowercased()
        try server.make().files.makeFolder(of: id)
        var other = server
        other.configuration.dataDirectory += "-2"
        #expect(throws: TalariaServerError.self) { try other.make() }
        #expect(server.pictures == [id])
        // They are useless without its database.
        try FileManager.default.removeItem(atPath: server.configuration.dataDirectory)
        _ = try other.make()
    }

    @Test func aServerThatDoesNotGetItsAddressTouchesNothing() async throws {
        let (first, second) = (try TestServer(), try TestServer())
        defer {
            first.remove()
            second.remove()
        }
        try await first.run { client in
            var busy = second
            busy.configuration.port = client.client.port
            let server = try busy.make()
            let id = UUID().uuidString.lowercased()
            try server.files.makeFolder(of: id)
            let expected = TalariaServerError.address(
                host: "127.0.0.1",
                port: busy.configuration.port,
                reason: "Address already in use"
            )
            await #expect(throws: expected) { try await server.run { _ in } }
            #expect(second.pictures == [id])
        }
    }

    @Test func nobodyElseCanLookInside() async throws {
        var server = try TestServer()
        defer { server.remove() }
        let gate = server.holdReader()
        let (data, folder, all) = (server.configuration.dataDirectory, server.pictureFolder, server)
        try await server.run { client in
            _ = try client.accepted(try await client.upload())
            await gate.untilWaiting(1)
            let job = "\(folder)/\(try #require(all.pictures.first))"
            for path in [data, folder, job] { #expect(try mode(path) == 0o700, "\(path)") }
            for name in try FileManager.default.contentsOfDirectory(atPath: data) {
                #expect(try mode("\(data)/\(name)") == 0o600, "\(name)")
            }
            #expect(try mode("\(job)/0") == 0o600)
            gate.open()
        }
    }

    @Test func whatAKilledProcessLeftIsSwept() throws {
        let server = try TestServer()
        defer { server.remove() }
        let root = server.folder.path
        func left() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: root)) }
        // Not this program's, though the names look like it: no lock file, and one of a named folder.
        for name in ["talaria-album", "talaria-named"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
        }
        try Data("/somewhere".utf8).write(to: URL(filePath: "\(root)/talaria-named/\(FolderLock.fileName)"))
        let running = try DataFolder(path: nil, root: root)
        var killed: DataFolder? = try DataFolder(path: nil, root: root)
        let deadPath = try #require(killed?.path)
        #expect(try mode(deadPath) == 0o700)
        // The lock is released with the process; the folder stays.
        killed = nil
        let next = try DataFolder(path: nil, root: root)
        let names = [running.path, next.path].map { URL(filePath: $0).lastPathComponent }
        #expect(try left() == Set(names + ["talaria-album", "talaria-named"]))
        withExtendedLifetime(running) {}
        next.removeIfTemporary()
        #expect(!FileManager.default.fileExists(atPath: next.path))
    }
}
