import Foundation
package import Talaria

/// Which servers are believed to be the back end, when it is asked over TLS.
package struct BackEndTrust: Sendable, Hashable {
    /// Certificates that are trusted instead of the system's, a PEM file; nil for the system's.
    package var authorities: String?
    /// Keys of which the server must show one, as `sha256:` and base64; empty for any that is vouched for.
    package var pins: [String] = []

    package init(authorities: String? = nil, pins: [String] = []) {
        self.authorities = authorities
        self.pins = pins
    }

    /// As options of a command.
    package var arguments: [String] { (authorities.map { ["--ca-file", $0] } ?? []) + pins.flatMap { ["--pin", $0] } }

    /// What carries requests to such servers.
    ///
    /// - Throws: `TalariaError.badConfiguration` for a file that cannot be read or holds no certificate, and for a pin that is
    ///   none.
    package func transport() throws -> AsyncHTTPTransport {
        var configuration = AsyncHTTPTransport.Configuration()
        configuration.pins = try pins.map(Self.pin)
        if let authorities {
            guard let text = try? String(contentsOfFile: authorities, encoding: .utf8) else {
                throw TalariaError.badConfiguration(
                    "\(authorities) cannot be read; --ca-file names certificates in PEM"
                )
            }
            configuration.trustedRoots = [text]
        }
        return try AsyncHTTPTransport(configuration)
    }

    /// The pin that a text such as `sha256:k52GLXgJwFqTyOwf8VOlA2zsROBrJlvhhPx49x/cVMM=` means; `sha256/` is taken too.
    package static func pin(_ text: String) throws -> CertificatePin {
        guard let prefix = ["sha256:", "sha256/"].first(where: text.hasPrefix) else {
            throw TalariaError.badConfiguration(
                "'\(text)' is no pin; expected sha256: and the SHA-256 of the server's public key as base64"
            )
        }
        return try CertificatePin(base64: String(text.dropFirst(prefix.count)))
    }
}
