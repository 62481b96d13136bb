import Foundation
package import Talaria

/// The servers that are trusted as the back end over TLS.
package struct BackEndTrust: Sendable, Hashable {
    /// Certificates that are trusted instead of the system's, a PEM file; nil for the system's.
    package var authorities: String?
    /// Accepted keys of the server, as `sha256:` and base64; empty for any certified key.
    package var pins: [String] = []

    /// Options of a command.
    package var arguments: [String] { (authorities.map { ["--ca-file", $0] } ?? []) + pins.flatMap { ["--pin", $0] } }

    /// Returns the transport of requests to such servers.
    package func transport() throws(TalariaError) -> NetworkTransport {
        var configuration = NetworkTransport.Configuration()
        configuration.pins = try pins.map(Self.pin)
        if let authorities {
            guard let text = try? String(contentsOfFile: authorities, encoding: .utf8) else {
                throw TalariaError.badConfiguration(
                    "invalid certificate file \(authorities): --ca-file expects PEM certificates"
                )
            }
            configuration.trustedRoots = [text]
        }
        do {
            return try NetworkTransport(configuration)
        } catch {
            throw authorities.map { .badConfiguration("--ca-file \($0): \(error)") } ?? error
        }
    }

    /// Returns the pin of a text: `sha256:` or `sha256/`, and the digest as base64.
    package static func pin(_ text: String) throws(TalariaError) -> CertificatePin {
        guard let prefix = ["sha256:", "sha256/"].first(where: text.hasPrefix) else {
            throw TalariaError.badConfiguration(
                "invalid pin '\(text)': expected sha256: and the base64 SHA-256 of the server's public key"
            )
        }
        return try CertificatePin(base64: String(text.dropFirst(prefix.count)))
    }
}
