import Basics
import CommandSupport
package import Foundation
import Harness

/// Coded pictures of frames, in a file that is deleted with the process: they do not count as its memory.
///
/// Unchecked: the file does not change, and ``parts`` is written to before it is shared.
package final class FrameFile: @unchecked Sendable {
    private let file: FileHandle
    private var parts: [Range<Int>] = []

    init() throws(HarnessError) {
        do {
            file = try FileHandle.unnamed()
        } catch {
            throw .storage(path: FileManager.default.temporaryDirectory.path, problem: error.systemReason)
        }
    }

    package var count: Int { parts.count }

    func append(_ picture: [UInt8]) throws {
        let start = parts.last?.upperBound ?? 0
        try file.write(contentsOf: Data(picture))
        parts.append(start..<start + picture.count)
    }

    package func picture(_ number: Int) throws(POSIXError) -> [UInt8] {
        let part = parts[number]
        var bytes = [UInt8](repeating: 0, count: part.count)
        let read = bytes.withUnsafeMutableBytes {
            pread(file.fileDescriptor, $0.baseAddress, part.count, off_t(part.lowerBound))
        }
        guard read == part.count else { throw read < 0 ? .last : POSIXError(.EIO) }
        return bytes
    }
}
