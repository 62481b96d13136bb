import Basics
import Foundation

/// File with a record a line.
package enum LineFile {
    /// Returns the lines of a file that are not blank, without their ends, and their numbers, from 1.
    package static func lines(of path: String) throws -> [(number: Int, bytes: ArraySlice<UInt8>)] {
        let bytes = Array(try Data(contentsOf: URL(filePath: path)).withoutByteOrderMark)
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .map { (number: $0 + 1, bytes: $1) }
            .filter { !$0.bytes.allSatisfy { [0x20, 0x09, 0x0D].contains($0) } }
    }
}
