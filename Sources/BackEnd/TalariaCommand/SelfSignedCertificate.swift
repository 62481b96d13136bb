import Crypto
import Foundation
import SwiftASN1
import TalariaServer
import X509

/// A certificate that a server makes for itself, for clients on the same machine that are handed it.
enum SelfSignedCertificate {
    /// Time for which it is valid: longer than any measurement takes.
    private static let life: TimeInterval = 30 * 86_400

    /// Makes a key, which only this user may read, and a certificate (PEM) for the loopback addresses and `localhost`.
    ///
    /// - Throws: when a file cannot be written.
    static func write(to path: String, keyIn folder: String) throws -> TLSFiles {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("talaria") }
        let now = Date()
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: .init(key.publicKey),
            // Clocks of two processes of one machine are the same; of a container's they may not be.
            notValidBefore: now - 3_600,
            notValidAfter: now + life,
            issuer: name,
            subject: name,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                SubjectAlternativeNames([
                    .dnsName("localhost"), .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
                    .ipAddress(ASN1OctetString(contentBytes: [UInt8](repeating: 0, count: 15) + [1])),
                ])
            },
            issuerPrivateKey: .init(key)
        )
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let files = TLSFiles(certificate: path, key: "\(folder)/tls-key.pem")
        try? FileManager.default.removeItem(atPath: files.key)
        guard
            FileManager.default.createFile(
                atPath: files.key,
                contents: Data(key.pemRepresentation.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: files.key]) }
        try Data("\(certificate.serializeAsPEM().pemString)\n".utf8).write(to: URL(filePath: path), options: .atomic)
        return files
    }
}
