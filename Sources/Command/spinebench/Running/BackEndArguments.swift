import ArgumentParser
import Composition
import Foundation

/// How a back end that somebody else runs is known.
struct BackEndTrustOptions: ParsableArguments {
    @Option(
        name: .customLong("ca-file"),
        help: .value(
            "file",
            "Certificates (PEM) that vouch for the back end, instead of those that the system trusts."
        ),
        completion: .file()
    )
    var authorities: String?

    @Option(
        name: .customLong("pin"),
        help: "A key that the back end must show: sha256: and the SHA-256 of its public key as base64; may be repeated."
    )
    var pins: [String] = []

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

/// The options of commands that measure with a back end.
struct GivenBackEndOptions: ParsableArguments {
    @Option(
        help: .value(
            "url",
            "Ask the back end that listens there, such as http://127.0.0.1:8080, instead of starting one."
        )
    )
    var talaria: String?

    @OptionGroup var trust: BackEndTrustOptions

    func validate() throws { try trust.check(address: talaria) }

    var given: BackEnds.Given? { talaria.map { BackEnds.Given(address: $0, trust: trust.trust) } }
}
