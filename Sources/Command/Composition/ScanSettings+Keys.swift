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
        .choice("reader", \.reader, "What reads on the device."),
        .choice(
            "pictures",
            \.pictures,
            unset: .spines,
            "What each picture is of: one spine, whole shelves, anything, as visual search is asked, or captures for a "
                + "session (both on the device alone)."
        ),
        .toggle("matching", \.matching, "Whether the device has a catalogue of its own."),
        .integer(
            "readings",
            \.readings,
            1...5,
            unset: "1",
            "Texts of a doubtful line that the device's catalogue chooses from: 1 is the one that was read."
        ),
        .file(
            "catalogue",
            \.catalogue,
            without: embedded,
            "The catalogue of the device and of the back end, as 'spinebench catalogue build' writes it."
        ),
        .name(
            "network",
            \.network,
            among: networks,
            "The network that requests are made to wait for; what is measured behind one is modelled."
        ),
        .number("outages", \.outages, 0...1, "The share of scans during which there is no network."),
        .integer(
            "network-seed",
            \.networkSeed,
            0...1_000_000_000,
            "What delays, lost packets and outages are drawn from."
        ),
        .choice(
            "retry",
            \.retry,
            "Waits before a request is made again: 1, 2 and 4 s (seed), 2 and 4 s (upstream), 2, 4 and 8 s (documented)."
        ),
        .number(
            "slow-threshold",
            \.slowThresholdSeconds,
            0.05...60,
            "Seconds after which the device reads, because the back end is slow."
        ),
        .number("patience", \.patienceSeconds, 0.1...600, "Seconds after which a scan waits in the queue."),
        .integer(
            "upload-size",
            \.uploadSize,
            160...8_192,
            "The long side that a larger picture is scaled to before it is sent, in pixels."
        ),
        .integer("jpeg-quality", \.jpegQuality, 1...100, "The quality of the JPEG that is sent."),
        .file(
            "faults",
            \.faults,
            without: none,
            "What the back end does wrong on purpose; by name one of Suites/faults."
        ),
        .integer("server-workers", \.serverWorkers, 1...64, "Photos that the back end reads at a time."),
        .integer("server-queue", \.serverQueue, 1...10_000, "Photos that may wait at the back end."),
        .toggle(
            "tls",
            \.tls,
            "Whether the back end that a run starts speaks HTTPS, with a certificate that it makes for itself."
        ),
    ]

    package var contradictions: [SettingFault] {
        if [.anything, .captures].contains(pictures), strategy != .onDeviceOnly {
            let problem = "\"\(pictures.rawValue)\" is read on the device alone; expected strategy=on-device-only"
            return [SettingFault(key: "pictures", problem: problem)]
        }
        guard readings > 1, !matching, strategy.needsReader else { return [] }
        let problem =
            "\"\(readings)\" is of no use with matching=off: the device has no catalogue to choose by; "
            + "expected 1, or matching=on"
        return [SettingFault(key: "readings", problem: problem)]
    }

    static let networks = [none] + NetworkProfile.all.map(\.name)
}
