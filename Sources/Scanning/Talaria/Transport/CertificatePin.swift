import Crypto
import Foundation

/// The key that a server must show: SHA-256 of its certificate's SubjectPublicKeyInfo (RFC 7469, section 2.4).
public struct CertificatePin: Sendable, Hashable {
    /// The digest as base64.
    public let base64: String

    /// The pin of this digest, base64 of 32 bytes.
    ///
    /// - Throws: `TalariaError.badConfiguration` for anything else.
    public init(base64: String) throws(TalariaError) {
        guard Data(base64Encoded: base64)?.count == SHA256.byteCount else {
            throw .badConfiguration(
                "'\(base64)' is no pin; a pin is the SHA-256 of the server's SubjectPublicKeyInfo as base64, 44 characters"
            )
        }
        self.base64 = base64
    }

    /// The pin of a key.
    ///
    /// - Parameter subjectPublicKeyInfo: The key in DER.
    public init(subjectPublicKeyInfo: [UInt8]) {
        base64 = Data(SHA256.hash(data: subjectPublicKeyInfo)).base64EncodedString()
    }
}
