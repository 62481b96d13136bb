import Basics
package import Foundation

/// Coded pictures of frames, in a file that is deleted with the process: they do not count as its memory.
///
/// Unchecked: the descriptor does not change, and ``parts`` is written to before the file is shared.
package final class FrameFile: @unchecked Sendable {
    private let descriptor: Int32
    private var parts: [Range<Int>] = []

    init() throws(POSIXError) {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/frames-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw .last }
        unlink(template)
    }

    deinit { close(descriptor) }

    package var count: Int { parts.count }

    func append(_ picture: [UInt8]) throws(POSIXError) {
        let start = parts.last?.upperBound ?? 0
        var done = 0
        while done < picture.count {
            let written = picture.withUnsafeBytes { bytes in
                pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(start + done))
            }
            guard written > 0 else { throw written < 0 ? .last : POSIXError(.ENOSPC) }
            done += written
        }
        parts.append(start..<start + picture.count)
    }

    package func picture(_ number: Int) throws(POSIXError) -> [UInt8] {
        let part = parts[number]
        var bytes = [UInt8](repeating: 0, count: part.count)
        let read = bytes.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, part.count, off_t(part.lowerBound))
        }
        guard read == part.count else { throw read < 0 ? .last : POSIXError(.EIO) }
        return bytes
    }
}
