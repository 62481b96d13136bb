import Basics
import Crypto
import Foundation

/// The secret that opens a job's stream and results: 64 hexadecimal digits, of which the server keeps only a hash.
struct JobToken: Sendable {
    let text: String

    /// A new one.
    ///
    /// - Parameter generator: cryptographically secure.
    init(using generator: inout some RandomNumberGenerator) {
        text = (0..<4).map { _ in
            let part = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - part.count) + part
        }.joined()
    }

    var hash: String { Self.hash(of: text) }

    /// - Parameter text: what a client sent.
    /// - Returns: what is in the database for the right token.
    static func hash(of text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).hexadecimal
    }
}
