import Testing

@testable import Basics
@testable import Harness

@Suite struct HostTests {
    @Test func thisProcessHoldsMemory() throws {
        let memory = try #require(ProcessMemory.current())
        #expect(memory.residentBytes > 1_000_000)
        #expect(memory.peakBytes >= memory.residentBytes / 2)
    }

    /// Memory mapped from files, such as this program and its libraries, does not count; 64 MB that are written do.
    @Test func theFootprintIsOfWhatTheProcessHoldsItself() throws {
        let (whole, before) = (try #require(ProcessMemory.current()), try #require(ProcessMemory.footprint()))
        #expect(before.residentBytes < whole.residentBytes && before.residentBytes > 0)
        let written = [UInt8](repeating: 1, count: 64 << 20)
        let after = try #require(ProcessMemory.footprint())
        #expect(after.residentBytes - before.residentBytes > 32 << 20)
        #expect(written.last == 1)
        #if os(Linux)
        #expect(
            ProcessMemory.bytes(
                "RssFile:",
                in: "VmRSS:\t    2048 kB\nRssAnon:\t     512 kB\nRssFile:\t    1024 kB\n".utf8
            ) == 1_048_576
        )
        #expect(ProcessMemory.bytes("RssFile:", in: "VmRSS:\t    2048 kB\n".utf8) == nil)
        #endif
    }

    @Test func theHostHasAName() {
        let host = HostDescription.current()
        #expect(!host.cpu.isEmpty && !host.kernel.isEmpty && !host.operatingSystem.isEmpty)
        #expect(host.cores > 0 && host.memoryBytes > 0)
    }

    /// Milan (25, 1) and Genoa (25, 17) may both be called "AMD EPYC"; an ARM processor has no family.
    @Test func processorsOfOneNameDifferByFamilyAndModel() {
        let milan = ["model name": "AMD EPYC", "cpu family": "25", "model": "1"]
        #expect(HostDescription.processor(milan) == "AMD EPYC (family 25, model 1)")
        #expect(HostDescription.processor(["model name": "Cortex-A76"]) == "Cortex-A76")
        #expect(HostDescription.processor([:]) == nil)
    }
}
