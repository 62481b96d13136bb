import Basics
import Foundation

/// The key that a server must show: SHA-256 of its certificate's SubjectPublicKeyInfo (RFC 7469, section 2.4).
public struct CertificatePin: Sendable, Hashable {
    /// The digest as base64.
    public let base64: String

    /// Creates the pin of a digest, base64 of 32 bytes.
    ///
    /// - Throws: `TalariaError.badConfiguration` for anything else.
    public init(base64: String) throws(TalariaError) {
        guard Data(base64Encoded: base64)?.count == SHA256.byteCount else {
            throw .badConfiguration(
                "invalid pin '\(base64)': expected the SHA-256 of the server's SubjectPublicKeyInfo as base64, 44 characters"
            )
        }
        self.base64 = base64
    }

    /// Creates the pin of a key.
    ///
    /// - Parameter subjectPublicKeyInfo: The key in DER.
    public init(subjectPublicKeyInfo: [UInt8]) {
        base64 = Data(SHA256.digest(of: subjectPublicKeyInfo)).base64EncodedString()
    }
}

/// An X.509 certificate, of which the key alone is read.
struct Certificate {
    let der: [UInt8]
    /// The SubjectPublicKeyInfo in DER.
    let key: [UInt8]

    var pin: CertificatePin { CertificatePin(subjectPublicKeyInfo: key) }

    /// Creates a certificate; nil for bytes that are none.
    ///
    /// Source: RFC 5280, section 4.1: version (in some), serial number, signature, issuer, validity, subject and key
    /// are the first elements of its first element.
    init?(der: [UInt8]) {
        var rest = der[...]
        guard var whole = Self.element(&rest)?.contents, var fields = Self.element(&whole)?.contents else { return nil }
        if fields.first == 0xA0 { _ = Self.element(&fields) }
        for _ in 0..<5 { guard Self.element(&fields) != nil else { return nil } }
        guard let key = Self.element(&fields) else { return nil }
        (self.der, self.key) = (der, Array(key.whole))
    }

    /// Returns the certificates of a PEM text; nil if one of them is none, or there is none.
    static func all(inPEM text: String) -> [Certificate]? {
        let parts = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
        let certificates = parts.compactMap { part -> Certificate? in
            guard let end = part.range(of: "-----END CERTIFICATE-----"),
                let der = Data(base64Encoded: String(part[..<end.lowerBound]), options: .ignoreUnknownCharacters)
            else { return nil }
            return Certificate(der: [UInt8](der))
        }
        return certificates.isEmpty || certificates.count < parts.count ? nil : certificates
    }

    /// Takes the first element of DER (X.690, section 8.1: a tag, a length of one byte or of 0x80 + n, contents).
    private static func element(
        _ bytes: inout ArraySlice<UInt8>
    ) -> (
        whole: ArraySlice<UInt8>, contents: ArraySlice<UInt8>
    )? {
        guard bytes.count >= 2 else { return nil }
        var start = bytes.startIndex + 2
        var length = Int(bytes[start - 1])
        if length >= 0x80 {
            let digits = length - 0x80
            guard digits <= 4, bytes.endIndex - start >= digits else { return nil }
            length = bytes[start..<(start + digits)].reduce(0) { $0 << 8 | Int($1) }
            start += digits
        }
        guard bytes.endIndex - start >= length else { return nil }
        defer { bytes = bytes[(start + length)...] }
        return (bytes[..<(start + length)], bytes[start..<(start + length)])
    }
}
