import TestSupport
import Testing

@testable import Basics
@testable import Harness

@Suite(.tags(.unit)) struct HostTests {
    @Test func thisProcessHoldsMemory() throws {
        let memory = try #require(ProcessMemory.current())
        let (resident, footprint) = (try #require(memory.resident), try #require(memory.footprint))
        #expect(footprint.bytes > 1_000_000 && resident.bytes > footprint.bytes)
        #expect(resident.peak >= resident.bytes / 2 && footprint.peak >= footprint.bytes / 2)
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
