import Foundation
import Testing

@testable import Basics

@Suite struct ProcessMemoryTests {
    #if os(Linux)
    /// 1,024 KiB are 1,048,576 bytes; 300 + 100 + 50 KiB are 460,800.
    @Test func bothFiguresAreReadFromOneStatus() {
        let parts = "RssAnon:\t 300 kB\nRssFile:\t 624 kB\nRssShmem:\t 100 kB\nVmSwap:\t 50 kB\n"
        let status = "Name:\tx\nVmHWM:\t   2048 kB\nVmRSS:\t    1024 kB\nThreads:\t1\n"
        let resident = MemoryReading.Level(1_048_576, peak: 2_097_152)
        #expect(
            ProcessMemory.parse((status + parts).utf8)
                == MemoryReading(resident: resident, footprint: .init(460_800, peak: 460_800))
        )
        // Kernels before 4.5 and some sandboxes report no parts: the footprint is unknown, and not all of the memory.
        #expect(ProcessMemory.parse(status.utf8) == MemoryReading(resident: resident, footprint: nil))
        #expect(ProcessMemory.parse("Name:\tx\n".utf8) == nil)
        // A zombie has a status without memory.
        #expect(ProcessMemory.parse("Name:\tx\nState:\tZ (zombie)\n".utf8) == nil)
    }

    private static let size = 64 << 20

    /// Whether `isRight` is true once in a few attempts: the tests beside it take and release memory of this process.
    private func inAQuietMoment(_ isRight: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<30 where try isRight() { return true }
        return false
    }

    /// Maps 64 MB and touches every page, by writing unless they are of a file.
    private func withPages<Value>(_ flags: Int32, _ file: Int32 = -1, _ body: () throws -> Value) throws -> Value {
        let isOfFile = file >= 0
        let pages = try #require(mmap(nil, Self.size, PROT_READ | (isOfFile ? 0 : PROT_WRITE), flags, file, 0))
        try #require(pages != MAP_FAILED)
        defer { munmap(pages, Self.size) }
        var sum = 0
        for offset in stride(from: 0, to: Self.size, by: 4_096) {
            if !isOfFile { pages.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self) }
            sum += Int(pages.load(fromByteOffset: offset, as: UInt8.self))
        }
        #expect(sum == (isOfFile ? 0 : Self.size / 4_096))
        return try body()
    }

    /// 64 MB of written pages, private or shared, are of both figures; 64 MB of a mapped file that is read are resident
    /// alone: each within 4 MB.
    @Test func pagesOfFilesAreResidentAndNotOfTheFootprint() throws {
        let path = NSTemporaryDirectory() + "pages-\(UUID().uuidString)"
        try Data(count: Self.size).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = open(path, O_RDONLY)
        defer { close(file) }
        let anonymous = MAP_PRIVATE | MAP_ANONYMOUS
        let shared = MAP_SHARED | MAP_ANONYMOUS
        for (flags, descriptor, footprint) in [
            (anonymous, -1, Self.size), (shared, -1, Self.size), (MAP_PRIVATE, file, 0),
        ] {
            let isRight = try inAQuietMoment {
                let before = try #require(ProcessMemory.current())
                let after = try withPages(flags, descriptor) { try #require(ProcessMemory.current()) }
                let grown = try #require(after.resident).bytes - #require(before.resident).bytes
                let counted = try #require(after.footprint).bytes - #require(before.footprint).bytes
                return abs(grown - Self.size) < 4 << 20 && abs(counted - footprint) < 4 << 20
            }
            #expect(isRight, "flags \(flags)")
        }
    }

    /// The kernel has no high-water mark of a footprint: it is the most of all samples since the last reset.
    @Test func theFootprintsPeakIsOfItsSamples() throws {
        let isRight = try inAQuietMoment {
            _ = ProcessMemory.resetPeak()
            let start = try #require(ProcessMemory.current()?.footprint)
            // Nobody looks at these pages, so they are missed.
            try withPages(MAP_PRIVATE | MAP_ANONYMOUS) {}
            let missed = try #require(ProcessMemory.current()?.footprint)
            let held = try withPages(MAP_PRIVATE | MAP_ANONYMOUS) { try #require(ProcessMemory.current()?.footprint) }
            let after = try #require(ProcessMemory.current()?.footprint)
            return missed.peak < start.bytes + Self.size / 4 && after.peak == held.bytes
                && after.bytes < held.bytes - Self.size / 2
        }
        #expect(isRight)
    }

    @Test func anotherProcessHasBothFigures() throws {
        let own = try #require(ProcessMemory.reading(of: getpid()))
        let (resident, footprint) = (try #require(own.resident), try #require(own.footprint))
        #expect(footprint.bytes > 0 && resident.bytes > footprint.bytes && footprint.peak == footprint.bytes)
        #expect(ProcessMemory.reading(of: 1 << 30) == nil)
    }
    #endif

    /// Records of versions until 28 November 2026 have one figure, which is neither of these.
    @Test func earlierRecordsHaveNeitherFigure() throws {
        let old = try JSONDecoder().decode(
            MemoryReading.self,
            from: Data(#"{"peakBytes":74300000,"residentBytes":70000000}"#.utf8)
        )
        #expect(old.resident == nil && old.footprint == nil)
        #expect(old.earlier == .init(70_000_000, peak: 74_300_000) && old.counted == old.earlier)
        let new = MemoryReading(resident: .init(2, peak: 4), footprint: .init(1, peak: 3))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(new), as: UTF8.self)
        #expect(text == #"{"footprint":{"bytes":1,"peak":3},"resident":{"bytes":2,"peak":4}}"#)
        #expect(try JSONDecoder().decode(MemoryReading.self, from: Data(text.utf8)) == new)
        #expect(new.earlier == nil)
    }
}
