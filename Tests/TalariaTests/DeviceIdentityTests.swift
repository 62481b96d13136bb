import Foundation
import Testing

@testable import Talaria

@Suite struct DeviceIdentityTests {
    /// Does the work in a folder that is removed afterwards.
    private func inFolder(_ work: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "talaria-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await work(folder)
    }

    private func permissions(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path())[.posixPermissions] as? Int
    }

    @Test func itIsMadeOnceAndKept() async throws {
        try await inFolder { folder in
            let file = folder.appending(path: "a/b/device-id")
            let first = try DeviceIdentity.load(from: file)
            #expect(try DeviceIdentity.load(from: file) == first)
            // Version 4: random (RFC 9562, section 5.4).
            #expect(first.uuid.6 >> 4 == 4)
            #expect(try permissions(file) == 0o600)
            #expect(try permissions(file.deletingLastPathComponent()) == 0o700)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "a/b").path()) == [
                    "device-id"
                ]
            )
        }
    }

    @Test func manyAtOnceGetTheSame() async throws {
        try await inFolder { folder in
            let file = folder.appending(path: "device-id")
            let identities = try await withThrowingTaskGroup(of: UUID.self) { group in
                for _ in 0..<32 { group.addTask { try DeviceIdentity.load(from: file) } }
                return try await group.reduce(into: Set<UUID>()) { $0.insert($1) }
            }
            #expect(identities.count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["device-id"])
        }
    }

    @Test func aFileThatOthersCouldReadIsTightened() async throws {
        try await inFolder { folder in
            let file = folder.appending(path: "device-id")
            let first = try DeviceIdentity.load(from: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path())
            #expect(try DeviceIdentity.load(from: file) == first)
            #expect(try permissions(file) == 0o600)
        }
    }

    @Test(arguments: ["", "\n", "7F3B1B4E-6C0D", "7F3B1B4E-6C0D-4C53-9C6B-0B1D5B1F6A11 and more", "\u{0}\u{0}"])
    func aDamagedFileIsAnErrorAndNotReplaced(_ text: String) async throws {
        try await inFolder { folder in
            let file = folder.appending(path: "device-id")
            try Data(text.utf8).write(to: file)
            let error = #expect(throws: TalariaError.self) { try DeviceIdentity.load(from: file) }
            #expect(error?.description.contains(file.path()) == true)
            #expect(try Data(contentsOf: file) == Data(text.utf8))
        }
    }

    @Test func whatIsNoFileIsAnError() async throws {
        try await inFolder { folder in
            #expect(throws: TalariaError.self) { try DeviceIdentity.load(from: folder) }
            let file = folder.appending(path: "device-id")
            _ = try DeviceIdentity.load(from: file)
            let link = folder.appending(path: "link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            #expect(throws: TalariaError.self) { try DeviceIdentity.load(from: link) }
            #expect(throws: TalariaError.self) { try DeviceIdentity.load(from: file.appending(path: "below/it")) }
        }
    }

    @Test func itsPlaceIsThatOfTheSpecification() {
        let home = URL(filePath: "/home/reader")
        let file = { DeviceIdentity.standardFile(environment: $0, home: home).path() }
        #expect(file([:]) == "/home/reader/.local/share/spinebench/device-id")
        #expect(file(["XDG_DATA_HOME": "/data"]) == "/data/spinebench/device-id")
        #expect(file(["XDG_DATA_HOME": "data"]) == "/home/reader/.local/share/spinebench/device-id")
        #expect(file(["XDG_DATA_HOME": ""]) == "/home/reader/.local/share/spinebench/device-id")
    }
}
