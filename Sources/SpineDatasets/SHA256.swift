import Foundation

/// The SHA-256 digest of bytes, for telling whether two runs saw the same data.
///
/// Source: FIPS 180-4, sections 4.1.2, 5.1.1, 5.3.3 and 6.2.
package struct SHA256 {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var schedule = [UInt32](repeating: 0, count: 64)

    /// Bytes that do not fill a block yet.
    private var tail: [UInt8] = []
    private var count = 0

    /// The digest of nothing so far.
    package init() {}

    /// The digest of `bytes` as 64 hexadecimal digits.
    package static func hex(of bytes: [UInt8]) -> String {
        var digest = SHA256()
        digest.update(bytes)
        return digest.hex()
    }

    /// The digest of a file as 64 hexadecimal digits; it is read in parts.
    ///
    /// - Throws: The system's error when the file cannot be read.
    package static func hex(ofFile path: String) throws -> String {
        let handle = try FileHandle(forReadingFrom: URL(filePath: path))
        var digest = SHA256()
        while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty { digest.update([UInt8](data)) }
        return digest.hex()
    }

    /// Takes in more bytes.
    package mutating func update(_ bytes: [UInt8]) {
        count += bytes.count
        // Whole blocks are taken from where they are; only what is left over is copied.
        let first = tail.isEmpty ? 0 : min(bytes.count, 64 - tail.count)
        tail += bytes[..<first]
        if tail.count == 64 {
            let block = tail
            tail.removeAll(keepingCapacity: true)
            block.withUnsafeBufferPointer { take($0) }
        }
        let end = first + (bytes.count - first) / 64 * 64
        bytes.withUnsafeBufferPointer { buffer in
            for start in stride(from: first, to: end, by: 64) {
                take(UnsafeBufferPointer(rebasing: buffer[start..<(start + 64)]))
            }
        }
        tail += bytes[end...]
    }

    /// The digest of all bytes so far as 64 hexadecimal digits.
    package func hex() -> String {
        var digest = self
        let bits = UInt64(count) * 8
        digest.update([0x80] + [UInt8](repeating: 0, count: (119 - tail.count) % 64))
        digest.update(stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) })
        return digest.state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// Takes in one block of 64 bytes.
    private mutating func take(_ block: UnsafeBufferPointer<UInt8>) {
        for t in 0..<16 {
            schedule[t] =
                UInt32(block[4 * t]) << 24 | UInt32(block[4 * t + 1]) << 16 | UInt32(block[4 * t + 2]) << 8
                | UInt32(block[4 * t + 3])
        }
        for t in 16..<64 {
            let (x, y) = (schedule[t - 15], schedule[t - 2])
            let small0 = rotated(x, 7) ^ rotated(x, 18) ^ x >> 3
            let small1 = rotated(y, 17) ^ rotated(y, 19) ^ y >> 10
            schedule[t] = schedule[t - 16] &+ small0 &+ schedule[t - 7] &+ small1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for t in 0..<64 {
            let large1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first = h &+ large1 &+ (e & f ^ ~e & g) &+ Self.constants[t] &+ schedule[t]
            let large0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let second = large0 &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
