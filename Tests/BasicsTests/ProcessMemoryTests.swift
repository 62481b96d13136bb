import Testing

@testable import Basics

@Suite struct ProcessMemoryTests {
    #if os(Linux)
    @Test func memoryIsReadFromTheKernelsStatus() {
        let status = "Name:\tx\nVmHWM:\t   2048 kB\nVmRSS:\t    1024 kB\nThreads:\t1\n"
        #expect(ProcessMemory.parse(status.utf8) == MemoryReading(residentBytes: 1_048_576, peakBytes: 2_097_152))
        #expect(ProcessMemory.parse("Name:\tx\n".utf8) == nil)
    }
    #endif
}
