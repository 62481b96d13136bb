import Basics
import Testing

@testable import BenchmarkHarness

@Suite struct HostTests {
    #if os(Linux)
    @Test func memoryIsReadFromTheKernelsStatus() {
        let status = "Name:\tx\nVmHWM:\t   2048 kB\nVmRSS:\t    1024 kB\nThreads:\t1\n"
        #expect(ProcessMemory.parse(status.utf8) == MemoryReading(residentBytes: 1_048_576, peakBytes: 2_097_152))
        #expect(ProcessMemory.parse("Name:\tx\n".utf8) == nil)
    }
    #endif

    @Test func thisProcessHoldsMemory() throws {
        let memory = try #require(ProcessMemory.current())
        #expect(memory.residentBytes > 1_000_000)
        #expect(memory.peakBytes >= memory.residentBytes / 2)
    }

    @Test func theHostHasAName() {
        let host = HostDescription.current()
        #expect(!host.cpu.isEmpty && !host.kernel.isEmpty && !host.operatingSystem.isEmpty)
        #expect(host.cores > 0 && host.memoryBytes > 0)
    }
}
