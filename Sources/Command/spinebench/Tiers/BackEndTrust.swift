import ArgumentParser
import Foundation
import Talaria

/// Which servers are believed to be the back end, when it is asked over TLS.
struct BackEndTrust: Sendable, Hashable {
    /// Certificates that are trusted instead of the system's, a PEM file; nil for the system's.
    var authorities: String?
    /// Keys of which the server must show one, as `sha256:` and base64; empty for any that is vouched for.
    var pins: [String] = []

    /// As options of a command.
    var arguments: [String] { (authorities.map { ["--ca-file", $0] } ?? []) + pins.flatMap { ["--pin", $0] } }

    /// What carries requests to such servers.
    ///
    /// - Throws: `TalariaError.badConfiguration` for a file that cannot be read or holds no certificate, and for a pin that is
    ///   none.
    func transport() throws -> AsyncHTTPTransport {
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
    fileprivate static func pin(_ text: String) throws -> CertificatePin {
        guard let prefix = ["sha256:", "sha256/"].first(where: text.hasPrefix) else {
            throw TalariaError.badConfiguration(
                "'\(text)' is no pin; expected sha256: and the SHA-256 of the server's public key as base64"
            )
        }
        return try CertificatePin(base64: String(text.dropFirst(prefix.count)))
    }
}

/// The options of commands that ask a back end that somebody else runs.
struct BackEndTrustOptions: ParsableArguments {
    @Option(
        name: .customLong("ca-file"),
        help: ArgumentHelp(
            "Certificates (PEM) that vouch for the back end, instead of those that the system trusts.",
            valueName: "file"
        ),
        completion: .file()
    )
    var authorities: String?

    @Option(
        name: .customLong("pin"),
        help: ArgumentHelp(
            "A key that the back end must show: sha256: and the SHA-256 of its public key as base64; may be repeated.",
            valueName: "pin"
        )
    )
    var pins: [String] = []

    /// What was said.
    var trust: BackEndTrust { BackEndTrust(authorities: authorities, pins: pins) }

    func validate() throws {
        do {
            for pin in pins { _ = try BackEndTrust.pin(pin) }
        } catch {
            throw ValidationError("\(error)")
        }
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw ValidationError("\(authorities) cannot be read; --ca-file names a file of certificates in PEM.")
        }
    }

    /// - Throws: `ValidationError` when something was said of a back end that is not asked over TLS.
    func check(address: String?) throws {
        if trust != BackEndTrust(), address?.hasPrefix("https://") != true {
            throw ValidationError("--ca-file and --pin are of a back end that --talaria https://… names.")
        }
    }
}
