/// How much memory a process holds, in bytes.
package struct MemoryReading: Sendable, Equatable, Codable {
    /// Resident now.
    package var residentBytes: Int
    /// The most that was resident since the process began, or since the peak was last reset.
    package var peakBytes: Int

    package init(residentBytes: Int, peakBytes: Int) {
        self.residentBytes = residentBytes
        self.peakBytes = peakBytes
    }
}
