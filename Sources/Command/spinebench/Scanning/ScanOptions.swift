import ArgumentParser
import Basics
import Composition
import Evaluation
import Foundation
import ScanningPipeline
import ScanningPolicies

/// What `scan` goes by.
struct ScanOptions: ParsableArguments {
    /// The reader on the device.
    enum Reader: String, ExpressibleByArgument, CaseIterable {
        case fast, accurate
        /// As on a device that has none.
        case none
    }

    @Option(
        name: .customLong("variant"),
        help: ArgumentHelp("The way to go, instead of the one that suits what there is.", valueName: "name"),
        transform: ScanOptions.strategy
    )
    var strategy: ScanStrategy?

    @Option(
        help: ArgumentHelp(
            "The back end's address. (default: SPINEBENCH_TALARIA; without it nothing leaves this machine)",
            valueName: "url"
        )
    )
    var talaria: String?

    @OptionGroup var trust: BackEndTrustOptions

    @Option(help: "The catalogue on this device; “embedded” for the one inside the program.", completion: .file())
    var catalogue = "embedded"

    @Option(help: "The reader on this device. (default: fast, or accurate where that is missing)")
    var reader: Reader?

    @Flag(
        help: ArgumentHelp(
            "Read with less when reading gets too slow or takes too much memory.",
            discussion:
                "Goes from accurate over fast to a smaller picture, unloads the reader when the system is short of "
                + "memory, and comes back step by step; says so on standard error."
        )
    )
    var adaptive = false

    @Option(help: ArgumentHelp("After so long vision-fallback reads here.", valueName: "seconds"))
    var slowThreshold = 1.0

    @Option(
        help: ArgumentHelp("How long to wait for the back end's answer before a scan is queued.", valueName: "seconds")
    )
    var patience = 10.0

    @Flag(help: "Send nothing now: what would be sent is queued.")
    var offline = false

    @Option(
        help: ArgumentHelp("Append a line of JSON for each request: when, where to, bytes, content.", valueName: "file")
    )
    var egressLog: String?

    func validate() throws {
        guard slowThreshold > 0, slowThreshold.isFinite, patience > 0, patience.isFinite else {
            throw ValidationError("--slow-threshold and --patience are more than 0 seconds.")
        }
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

    private static func strategy(_ name: String) throws -> ScanStrategy {
        guard let strategy = ScanStrategy(rawValue: name) else {
            let hint = NearName.hint(for: name, among: ScanStrategy.allCases.map(\.rawValue))
            throw ValidationError("There is no variant '\(name)'; \(hint)")
        }
        return strategy
    }

    /// The back end's address; nil for none.
    var address: String? {
        let text = talaria ?? ProcessInfo.processInfo.environment["SPINEBENCH_TALARIA"] ?? ""
        return text.isEmpty ? nil : text
    }
}
