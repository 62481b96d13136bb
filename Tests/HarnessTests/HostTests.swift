import Basics
import Testing

@testable import Harness

@Suite struct HostTests {
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
