package import Harness
package import ScanningPolicies

extension ScanSettings: KeyedSettings {
    package static let scopeName = "strategy"
    package static let unset = ScanSettings(strategy: .hybrid)
    package var scope: ScanStrategy { strategy }

    /// Every setting, in the order in which people are shown them; the strategy first, because it decides on the
    /// others.
    package static let keys: [SettingKey<ScanSettings>] = all.map { key in
        var key = key
        key.scopes = strategies(for: key.name)
        return key
    }

    /// Returns the strategies that a setting means something to: those that ask a back end, unless it is another's.
    private static func strategies(for key: String) -> [ScanStrategy] {
        switch key {
        case "strategy", "catalogue": ScanStrategy.allCases
        case "reader", "matching", "readings": ScanStrategy.allCases.filter(\.needsReader)
        case "pictures": [.onDeviceOnly, .talariaOnly]
        case "slow-threshold": [.visionFallback]
        case "upload-size", "jpeg-quality": [.talariaOnly, .visionFallback]
        default: ScanStrategy.allCases.filter(\.needsBackEnd)
        }
    }

    private static let all: [SettingKey<ScanSettings>] = [
        .choice("strategy", \.strategy, "How the work is divided between the device and the back end."),
        .choice("reader", \.reader, "Reader on the device."),
        .choice(
            "pictures",
            \.pictures,
            unset: .spines,
            "Content of each picture: one spine, whole shelves, anything (visual search), or captures for a "
                + "session (both on the device alone)."
        ),
        .toggle("matching", \.matching, "Whether the device has its own catalogue."),
        .integer(
            "readings",
            \.readings,
            1...5,
            unset: "1",
            "Number of candidate texts per doubtful line for catalogue matching; 1 uses only the text that was read."
        ),
        .file(
            "catalogue",
            \.catalogue,
            without: embedded,
            "Catalogue file of the device and of the back end, written by 'spinebench catalogue build'."
        ),
        .name(
            "network",
            \.network,
            among: networks,
            "Simulated network that delays requests; results with one are modelled."
        ),
        .number("outages", \.outages, 0...1, "Share of scans without a network."),
        .integer(
            "network-seed",
            \.networkSeed,
            0...1_000_000_000,
            "Random seed of delays, lost packets and outages."
        ),
        .choice(
            "retry",
            \.retry,
            "Waits before a request is retried: 1, 2 and 4 s (seed), 2 and 4 s (upstream), 2, 4 and 8 s (documented)."
        ),
        .number(
            "slow-threshold",
            \.slowThresholdSeconds,
            0.05...60,
            "Seconds without an answer after which the device reads."
        ),
        .number("patience", \.patienceSeconds, 0.1...600, "Seconds without an answer after which a scan is queued."),
        .integer(
            "upload-size",
            \.uploadSize,
            160...8_192,
            "Maximum long side of a sent picture, in pixels; larger ones are scaled down."
        ),
        .integer("jpeg-quality", \.jpegQuality, 1...100, "JPEG quality of sent pictures."),
        .file(
            "faults",
            \.faults,
            without: none,
            "Faults to inject into the back end: a name out of Suites/faults."
        ),
        .integer("server-workers", \.serverWorkers, 1...64, "Photos that the back end reads in parallel."),
        .integer("server-queue", \.serverQueue, 1...10_000, "Length of the back end's queue, in photos."),
        .toggle(
            "tls",
            \.tls,
            "Whether the back end started by a run uses HTTPS, with a self-signed certificate."
        ),
    ]

    package var contradictions: [SettingFault] {
        if [.anything, .captures].contains(pictures), strategy != .onDeviceOnly {
            let problem = "\"\(pictures.rawValue)\" is read on the device alone; expected strategy=on-device-only"
            return [SettingFault(key: "pictures", problem: problem)]
        }
        guard readings > 1, !matching, strategy.needsReader else { return [] }
        let problem =
            "\"\(readings)\" has no effect with matching=off: the device has no catalogue; "
            + "expected 1, or matching=on"
        return [SettingFault(key: "readings", problem: problem)]
    }

    static let networks = [none] + NetworkProfile.all.map(\.name)
}
