import ArgumentParser
import Composition
import Foundation

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
