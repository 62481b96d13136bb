import Foundation
import TestSupport
import Testing

@testable import BookCatalogue

@Suite(.inTurns) struct ScanQueueTests {
    private static let time = LibraryStoreTests.time

    private func withStore(_ body: (LibraryStore, String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/queue-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/library.sqlite"
        try body(LibraryStore(path: path), path)
    }

    @Test func theOldestThatIsDueComesFirst() throws {
        let store = try LibraryStore.inMemory()
        let ids = (0..<3).map { _ in UUID() }
        try store.enqueue(text: "second", id: ids[1], createdAt: Self.time + 1)
        try store.enqueue(text: "third", id: ids[2], createdAt: Self.time + 2)
        try store.enqueue(text: "first", id: ids[0], createdAt: Self.time)
        #expect(try store.nextScan(now: Self.time, claim: .zero)?.id == ids[0])
        try store.markFailed(ids[0], error: "no network", retryAt: Self.time + 10)
        #expect(try store.nextScan(now: Self.time, claim: .zero)?.id == ids[1])
        let first = try #require(try store.nextScan(now: Self.time + 10, claim: .zero))
        #expect(first.id == ids[0])
        #expect(first.attempts == 1)
        #expect(first.lastError == "no network")
        #expect(first.payload == .text("first"))
        try store.markFailed(ids[1], error: "refused", retryAt: nil)
        #expect(try store.failedScans().map(\.id) == [ids[1]])
        for id in ids { try store.markDone(id) }
        #expect(try store.nextScan(now: .distantFuture, claim: .zero) == nil)
    }

    @Test func aScanThatOneProcessHasNoOtherGets() throws {
        try withStore { store, path in
            let other = try LibraryStore(path: path)
            let ids = [UUID(), UUID()]
            for (offset, id) in ids.enumerated() {
                try store.enqueue(text: "\(offset)", id: id, createdAt: Self.time + Double(offset))
            }
            func next(_ store: LibraryStore, after seconds: Double) throws -> UUID? {
                try store.nextScan(now: Self.time + 10 + seconds, claim: .seconds(30))?.id
            }
            #expect(try next(store, after: 0) == ids[0])
            #expect(try next(other, after: 0) == ids[1])
            #expect(try next(other, after: 29) == nil)
            // Its owner was killed: after its time any process may take it.
            #expect(try next(other, after: 30) == ids[0])
            try store.release(ids[1])
            #expect(try next(store, after: 31) == ids[1])
            try store.markFailed(ids[1], error: "no network", retryAt: nil)
            try other.markFailed(ids[0], error: "no network", retryAt: Self.time)
            #expect(try next(store, after: 32) == ids[0])
        }
    }

    @Test func theSameScanIsQueuedOnce() throws {
        let store = try LibraryStore.inMemory()
        let id = UUID()
        #expect(try store.enqueue(text: "a", id: id, createdAt: Self.time))
        #expect(try !store.enqueue(text: "b", id: id, createdAt: Self.time))
        #expect(try !store.enqueue(image: Data([1]), id: id, createdAt: Self.time))
        #expect(try store.waitingScans().map(\.payload) == [.text("a")])
        try store.markDone(id)
        #expect(try !store.enqueue(text: "a", id: id, createdAt: Self.time))
        #expect(try store.waitingScans().isEmpty)
    }

    @Test func picturesLieBesideTheLibraryUntilTheyAreDone() throws {
        try withStore { store, path in
            let id = UUID()
            try store.enqueue(image: Data([1, 2, 3]), id: id, createdAt: Self.time)
            let scan = try #require(try LibraryStore(path: path).nextScan(now: Self.time, claim: .zero))
            guard case .image(let file) = scan.payload else {
                Issue.record("no picture")
                return
            }
            #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
            try store.markDone(id)
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test func aScanThatWasGivenUpIsTriedAgain() throws {
        let store = try LibraryStore.inMemory()
        let ids = [UUID(), UUID(), UUID()]
        for id in ids { try store.enqueue(text: "a", id: id, createdAt: Self.time) }
        try store.markFailed(ids[0], error: "refused", retryAt: nil)
        try store.markFailed(ids[1], error: "no network", retryAt: Self.time + 100)
        try store.markDone(ids[2])
        for id in ids.prefix(2) { #expect(try store.retry(id)) }
        #expect(try !store.retry(ids[2]) && !store.retry(UUID()))
        #expect(try store.failedScans().isEmpty && store.waitingScans().map(\.attempts) == [1, 1])
        #expect(try store.nextScan(now: Self.time, claim: .seconds(9))?.id == ids[0])
        #expect(try store.nextScan(now: Self.time, claim: .seconds(9))?.id == ids[1])
    }

    @Test func aForgottenScanLeavesNothing() throws {
        try withStore { store, path in
            let ids = [UUID(), UUID(), UUID()]
            for id in ids { try store.enqueue(image: Data([1]), id: id, createdAt: Self.time) }
            try store.markFailed(ids[0], error: "refused", retryAt: nil)
            for id in ids.prefix(2) { #expect(try store.forget(id)) }
            #expect(try !store.forget(ids[0]) && !store.forget(UUID()))
            #expect(try store.failedScans().isEmpty && store.waitingScans().map(\.id) == [ids[2]])
            let files = try FileManager.default.contentsOfDirectory(atPath: path + ".queue")
            #expect(Set(files) == ["\(ids[2].uuidString).jpg", "lock"])
            // An answer that was under way meanwhile changes nothing, and it is not queued again.
            try store.markFailed(ids[1], error: "late", retryAt: Self.time)
            #expect(try !store.enqueue(image: Data([1]), id: ids[1], createdAt: Self.time))
            #expect(try store.waitingScans().count == 1)
        }
    }

    @Test func whatAKilledProcessLeftIsSweptButNotWhileAPictureIsWritten() throws {
        try withStore { store, path in
            let id = UUID()
            try store.enqueue(image: Data([1]), id: id, createdAt: Self.time)
            let leftovers = ["\(UUID()).jpg", "\(UUID()).jpg.partial"]
            let kept = ["\(id.uuidString).jpg", "lock"]
            func files() throws -> Set<String> {
                Set(try FileManager.default.contentsOfDirectory(atPath: path + ".queue"))
            }
            try store.payloads.keeping {
                for name in leftovers { try Data([2]).write(to: URL(filePath: path + ".queue/" + name)) }
                _ = try LibraryStore(path: path)
                #expect(try files() == Set(kept + leftovers))
            }
            _ = try LibraryStore(path: path)
            #expect(try files() == Set(kept))
        }
    }

    /// A child process queues pictures until it is killed meanwhile; all acknowledged ones are saved.
    @Test("a killed process loses no scan and doubles none", arguments: [0, 1, 5, 17])
    func killed(after acknowledged: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/killed-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (path, log) = (folder + "/library.sqlite", folder + "/acknowledged")
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, acknowledged] in
            let (path, log) = (folder + "/library.sqlite", folder + "/acknowledged")
            let killer = Thread {
                // Counts the loop's acknowledged pictures, and kills it while the next one is in progress.
                while ((try? Data(contentsOf: URL(filePath: log)))?.count ?? 0) < 37 * acknowledged { usleep(200) }
                kill(getpid(), SIGKILL)
            }
            let store = try LibraryStore(path: path)
            let handle = try FileHandle(forWritingTo: URL(filePath: log))
            killer.start()
            for number in 0... {
                let id = UUID()
                let picture = Data(repeating: UInt8(number % 251), count: 300_000)
                try store.enqueue(image: picture, id: id, createdAt: Date(timeIntervalSince1970: Double(number)))
                try handle.write(contentsOf: Data((id.uuidString + "\n").utf8))
            }
        }
        let expected = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(expected.count >= acknowledged)
        let store = try LibraryStore(path: path)
        let scans = try store.waitingScans()
        // The last one may be there without having been acknowledged.
        #expect(Array(scans.map(\.id.uuidString).prefix(expected.count)) == expected)
        #expect(scans.count <= expected.count + 1)
        for (number, scan) in scans.enumerated() {
            guard case .image(let file) = scan.payload else {
                Issue.record("no picture")
                continue
            }
            #expect(try Data(contentsOf: file) == Data(repeating: UInt8(number % 251), count: 300_000))
        }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path + ".queue")) ?? []
        #expect(files.count { $0 != "lock" } == scans.count)
    }
}
