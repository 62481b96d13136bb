import Basics
import Foundation
import TalariaServer

/// A certificate that the server signs itself, for clients of the same machine that receive it.
enum SelfSignedCertificate {
    /// Days for which it is valid: longer than any measurement takes.
    private static let days = 30

    /// Creates a key, which only this user may read, and a certificate (PEM) for the loopback addresses and
    /// `localhost`.
    ///
    /// - Throws: an error with the output of `openssl`, which does it, or the system's when `openssl` cannot be
    ///   started.
    static func write(to path: String, keyIn folder: String) throws -> TLSFiles {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let files = TLSFiles(certificate: path, key: "\(folder)/tls-key.pem")
        // `openssl` writes into a file that exists with the permissions that it has.
        try? FileManager.default.removeItem(atPath: files.key)
        guard
            FileManager.default.createFile(atPath: files.key, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: files.key]) }
        let part = "\(path).part"
        try openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "\(days)",
            "-subj", "/CN=talaria", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1",
            "-addext", "basicConstraints=critical,CA:FALSE", "-keyout", files.key, "-out", part,
        ])
        guard rename(part, path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
        return files
    }

    private static func openssl(_ arguments: [String]) throws {
        let errors = Pipe()
        let process = try Process.start("/usr/bin/env", ["openssl"] + arguments, errors: errors)
        let output = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw OpenSSLError(output: String(decoding: output, as: UTF8.self))
        }
    }
}

struct OpenSSLError: Error, CustomStringConvertible {
    var output: String

    var description: String {
        let text = output.trimmingCharacters(in: .whitespacesAndNewlines)
        return "openssl could not create the server's certificate: \(text)"
    }
}
