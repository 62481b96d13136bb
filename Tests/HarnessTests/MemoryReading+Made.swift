import Basics

extension MemoryReading {
    /// A process with a footprint and 60 MB of pages of files.
    static func made(footprint: Int, peak: Int) -> MemoryReading {
        let files = 60_000_000
        return MemoryReading(
            resident: .init(footprint + files, peak: peak + files),
            footprint: .init(footprint, peak: peak)
        )
    }
}
