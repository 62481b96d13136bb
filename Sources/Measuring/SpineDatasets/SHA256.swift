import Basics
internal import Crypto
import Foundation

/// The SHA-256 digest of bytes, for telling whether two runs saw the same data.
package struct SHA256 {
    private var digest = Crypto.SHA256()

    /// Of no bytes yet.
    package init() {}

    /// The digest of `bytes` as 64 hexadecimal digits.
    package static func hex(of bytes: [UInt8]) -> String {
        var digest = SHA256()
        digest.update(bytes)
        return digest.hex()
    }

    /// The first eight bytes of the digest of a text in UTF-8, as a whole number with the highest byte first.
    package static func first64(of text: String) -> UInt64 {
        Crypto.SHA256.hash(data: Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The digest of a file as 64 hexadecimal digits; it is read in parts.
    ///
    /// - Throws: The system's error when the file cannot be read.
    package static func hex(ofFile path: String) throws -> String {
        let handle = try FileHandle(forReadingFrom: URL(filePath: path))
        var digest = SHA256()
        while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty { digest.digest.update(data: data) }
        return digest.hex()
    }

    package mutating func update(_ bytes: [UInt8]) { digest.update(data: bytes) }

    /// The digest of all bytes so far as 64 hexadecimal digits.
    package func hex() -> String { digest.finalize().hexadecimal }
}
