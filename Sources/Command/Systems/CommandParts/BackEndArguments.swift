package import ArgumentParser
import CommandSupport
import Foundation

package struct BackEndTrustOptions: ParsableArguments {
    @Option(
        name: .customLong("ca-file"),
        help: .value(
            "file",
            "PEM file of trusted certificates. (default: the system's)"
        ),
        completion: .file()
    )
    package var authorities: String?

    @Option(
        name: .customLong("pin"),
        help: "Public key of the back end, sha256:BASE64 (repeatable)."
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
            throw ValidationError("cannot read \(authorities): --ca-file expects a file of PEM certificates.")
        }
    }

    package func check(address: String?) throws {
        if trust != BackEndTrust(), address?.hasPrefix("https://") != true {
            throw ValidationError("--ca-file and --pin require --talaria https://….")
        }
    }
}

/// The options of commands that measure with a back end.
package struct BackEndOverrideOptions: ParsableArguments {
    @Option(
        help: .value(
            "url",
            "Address of a running back end, http://HOST:PORT. (default: start one)"
        )
    )
    package var talaria: String?

    @OptionGroup package var trust: BackEndTrustOptions

    package func validate() throws { try Self.check(talaria, trust) }

    package static func check(_ address: String?, _ trust: BackEndTrustOptions) throws {
        if let address {
            let url = URL(string: address)
            guard let url, ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false,
                (0...65_535).contains(url.port ?? 0)
            else {
                throw ValidationError(
                    "invalid back end address '\(address)': expected http://HOST:PORT or https://HOST:PORT"
                )
            }
        }
        try trust.check(address: address)
    }

    package init() {}

    package var given: BackEndAddress? { talaria.map { BackEndAddress(address: $0, trust: trust.trust) } }
}
