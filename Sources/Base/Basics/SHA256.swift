package import Foundation

#if canImport(CryptoKit)
internal import CryptoKit
#else
internal import COpenSSL
#endif

/// A SHA-256 digest (FIPS 180-4), computed by OpenSSL's libcrypto, or by CryptoKit on Apple platforms.
package struct SHA256: Sendable {
    package static let byteCount = 32

    #if canImport(CryptoKit)
    private var state = CryptoKit.SHA256()
    #else
    private var state = SHA256_CTX()
    #endif

    package init() {
        #if !canImport(CryptoKit)
        SHA256_Init(&state)
        #endif
    }

    package mutating func update(_ bytes: some ContiguousBytes) {
        bytes.withUnsafeBytes { bytes in
            #if canImport(CryptoKit)
            state.update(bufferPointer: bytes)
            #else
            _ = SHA256_Update(&state, bytes.baseAddress, bytes.count)
            #endif
        }
    }

    /// Returns the digest of all bytes so far.
    package func digest() -> [UInt8] {
        #if canImport(CryptoKit)
        return Array(state.finalize())
        #else
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        var state = state
        SHA256_Final(&digest, &state)
        return digest
        #endif
    }

    /// Returns the digest of all bytes so far as 64 hexadecimal digits.
    package func hex() -> String { digest().hexadecimal }

    package static func digest(of bytes: some ContiguousBytes) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest()
    }

    package static func hex(of bytes: some ContiguousBytes) -> String { digest(of: bytes).hexadecimal }

    /// Returns the first eight bytes of the digest of a text in UTF-8, as a whole number with the highest byte first.
    package static func first64(of text: String) -> UInt64 {
        digest(of: Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the digest of a file as 64 hexadecimal digits; the file is read in parts.
    ///
    /// - Throws: The system's error when the file cannot be read.
    package static func hex(ofFile path: String) throws -> String {
        let handle = try FileHandle(forReadingFrom: URL(filePath: path))
        var hash = SHA256()
        while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty { hash.update(data) }
        return hash.hex()
    }
}
