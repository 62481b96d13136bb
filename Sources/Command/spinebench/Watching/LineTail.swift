import Foundation

/// The whole lines that are appended to a file, as they come.
///
/// A last line without its end is being written: it is taken when it is whole.
struct LineTail: Sendable {
    let path: String
    /// Behind the last line that was taken.
    private(set) var offset: UInt64 = 0
    /// The file is shorter than what was read: it is another one, and what was read of the first no longer holds.
    private(set) var wasReplaced = false
    private let chunkBytes: Int

    /// - Parameters:
    ///   - path: of a file that may not be there yet.
    ///   - chunkBytes: read at a time.
    init(_ path: String, chunkBytes: Int = 1 << 20) {
        self.path = path
        self.chunkBytes = chunkBytes
    }

    /// The lines since the last call, without their ends; none while there is no file.
    mutating func lines() -> [Data] {
        guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? handle.close() }
        guard let size = try? handle.seekToEnd() else { return [] }
        if size < offset {
            wasReplaced = true
            return []
        }
        var lines: [Data] = []
        do {
            try handle.seek(toOffset: offset)
            var rest = Data()
            while let chunk = try handle.read(upToCount: chunkBytes), !chunk.isEmpty {
                rest += chunk
                guard let end = rest.lastIndex(of: 0x0A) else { continue }
                let whole = rest[rest.startIndex...end]
                offset += UInt64(whole.count)
                lines += whole.split(separator: 0x0A).map { Data($0) }
                rest = Data(rest[rest.index(after: end)...])
            }
        } catch {
            // What was read is good; the rest comes with the next call.
        }
        return lines
    }
}
