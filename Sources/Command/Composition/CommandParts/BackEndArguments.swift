package import ArgumentParser
import Foundation

/// The trust options of an external back end.
package struct BackEndTrustOptions: ParsableArguments {
    @Option(
        name: .customLong("ca-file"),
        help: .value(
            "file",
            "Certificates (PEM) that vouch for the back end, instead of those that the system trusts."
        ),
        completion: .file()
    )
    package var authorities: String?

    @Option(
        name: .customLong("pin"),
        help: "A key that the back end must show: sha256: and the SHA-256 of its public key as base64; may be repeated."
    )
    package var pins: [String] = []

    package init() {}

    package var trust: BackEndTrust { BackEndTrust(authorities: authorities, pins: pins) }

    package func validate() throws {
        do {
            for pin in pins { _ = try BackEndTrust.pin(pin) }
        } catch {
            throw ValidationError("\(error)")
        }
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw ValidationError("\(authorities) cannot be read; --ca-file names a file of certificates in PEM.")
        }
    }

    /// - Throws: `ValidationError` for a trust option about a back end without TLS.
    package func check(address: String?) throws {
        if trust != BackEndTrust(), address?.hasPrefix("https://") != true {
            throw ValidationError("--ca-file and --pin are of a back end that --talaria https://… names.")
        }
    }
}

/// The options of commands that measure with a back end.
package struct GivenBackEndOptions: ParsableArguments {
    @Option(
        help: .value(
            "url",
            "Ask the back end that listens there, such as http://127.0.0.1:8080, instead of starting one."
        )
    )
    package var talaria: String?

    @OptionGroup package var trust: BackEndTrustOptions

    package func validate() throws { try Self.check(talaria, trust) }

    /// - Throws: `ValidationError` for an invalid address of a back end, or one that contradicts the trust options.
    package static func check(_ address: String?, _ trust: BackEndTrustOptions) throws {
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

    package init() {}

    package var given: BackEnds.Given? { talaria.map { BackEnds.Given(address: $0, trust: trust.trust) } }
}
