import ArgumentParser
import CommandParts
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

    func validate() throws { try Self.check(talaria, trust) }

    /// - Throws: `ValidationError` when an address is none that a back end can have, or does not go with what is trusted.
    static func check(_ address: String?, _ trust: BackEndTrustOptions) throws {
        if let address {
            let url = URL(string: address)
            guard let url, ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false,
                (0...65_535).contains(url.port ?? 0)
            else {
                throw ValidationError(
                    "'\(address)' is no address of a back end; expected http://HOST:PORT or https://HOST:PORT"
                )
            }
        }
        try trust.check(address: address)
    }

    var given: BackEnds.Given? { talaria.map { BackEnds.Given(address: $0, trust: trust.trust) } }
}
