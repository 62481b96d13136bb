import Foundation
import NIOSSL

/// Certificate chain and private key of a TLS server, which belong together.
struct TLSIdentity {
    var chain: [NIOSSLCertificate]
    var key: NIOSSLPrivateKey
    /// Sentence about a certificate whose time is over or has not begun; nil for a valid one.
    var warning: String?

    /// Reads both files.
    ///
    /// - Throws: `TalariaServerError.tls` with the file that is wrong, and what is wrong with it.
    init(_ files: TLSFiles, at time: Date = Date()) throws(TalariaServerError) {
        let (certificate, secret) = (try Self.bytes(files.certificate), try Self.bytes(files.key))
        chain = (try? NIOSSLCertificate.fromPEMBytes(certificate)) ?? []
        if chain.isEmpty { throw .tls(reason: Self.problem(of: certificate, at: files.certificate, isKey: false)) }
        do { key = try NIOSSLPrivateKey(bytes: secret, format: .pem) } catch {
            throw .tls(reason: Self.problem(of: secret, at: files.key, isKey: true))
        }
        let marked = certificate.starts(with: Self.byteOrderMark)
        if marked || !Self.belong(chain[0], key) {
            let place = chain.firstIndex { Self.belong($0, key) }
            throw .tls(
                reason: "the key \(files.key) does not match the certificate \(files.certificate)"
                    + (marked
                        ? ", which begins with a byte order mark that hides its first certificate; save it without"
                        : place.map { ", but number \($0 + 1) in that file; put it before those that signed it" } ?? "")
            )
        }
        let now = Int(time.timeIntervalSince1970)
        if now > chain[0].notValidAfter {
            warning = "the certificate \(files.certificate) has expired; clients refuse it"
        } else if now < chain[0].notValidBefore {
            warning = "the certificate \(files.certificate) is not valid yet; clients refuse it"
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func bytes(_ path: String) throws(TalariaServerError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .tls(reason: "\(path) cannot be read")
        }
        if data.isEmpty { throw .tls(reason: "\(path) is empty") }
        return [UInt8](data)
    }

    /// Returns whether a certificate is of a key.
    private static func belong(_ certificate: NIOSSLCertificate, _ key: NIOSSLPrivateKey) -> Bool {
        let chain = [NIOSSLCertificateSource.certificate(certificate)]
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain,
            privateKey: .privateKey(key)
        )
        return (try? NIOSSLContext(configuration: configuration)) != nil
    }

    /// Returns what is wrong with a file in which no certificate, or no key, was found.
    private static func problem(of bytes: [UInt8], at path: String, isKey: Bool) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let (wanted, tool) = isKey ? ("PEM private key", "pkey") : ("PEM certificate", "x509")
        if bytes.starts(with: byteOrderMark) || bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return "\(path) begins with a byte order mark; save it as ASCII without"
        }
        if bytes[0] == 0x30 {
            return "\(path) is in DER, not PEM; convert it: openssl \(tool) -inform der -in \(path) -out NEW.pem"
        }
        if isKey, text.contains("ENCRYPTED") {
            return "\(path) is encrypted; decrypt it: openssl pkey -in \(path) -out NEW.pem"
        }
        if isKey ? text.contains("BEGIN CERTIFICATE-") : text.contains("PRIVATE KEY-") {
            return "\(path) contains a \(isKey ? "certificate" : "private key") instead of a \(wanted); "
                + "exchange --tls-certificate and --tls-key"
        }
        return "\(path) contains no valid \(wanted)"
    }
}
