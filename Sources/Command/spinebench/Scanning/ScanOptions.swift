import ArgumentParser
import Basics
import Foundation
import Harness
import ScanningPipeline
import ScanningPolicies
import Systems

struct ScanOptions: ParsableArguments {
    enum Reader: String, ExpressibleByArgument, CaseIterable {
        case fast, accurate
        /// No reader, as on a device without one.
        case none
    }

    @Option(
        name: .customLong("variant"),
        help: .value("name", "Strategy. (default: by what works)")
    )
    var strategy: ScanStrategy?

    @Option(
        help: .value(
            "url",
            "Address of the back end. (default: SPINEBENCH_TALARIA, else none)"
        )
    )
    var talaria: String?

    @OptionGroup var trust: BackEndTrustOptions

    @Option(help: "Catalogue file; “embedded” for the built-in one.", completion: .file())
    var catalogue = "embedded"

    @Option(help: "Reader on this device. (default: fast, or accurate if fast is missing)")
    var reader: Reader?

    @Flag(
        help: "Lower the quality when reading is slow, hot or short of memory (Docs/DEVICES.md#suites-about-phones)."
    )
    var adaptive = false

    @Option(
        help: .value(
            "name",
            "Phone of the modelled battery, with --adaptive or --frames. (default: \(PhoneBattery.standard))"
        )
    )
    var device: String?

    @Option(help: .value("seconds", "Timeout after which vision-fallback reads here."))
    var slowThreshold = 1.0

    @Option(help: .value("seconds", "Timeout of the back end, after which a scan is queued."))
    var patience = 10.0

    @Flag(help: "Queue everything instead of sending it.")
    var offline = false

    @Option(help: .value("file", "File to which each request's time, address, bytes and content are appended."))
    var egressLog: String?

    func validate() throws {
        guard slowThreshold > 0, slowThreshold.isFinite, patience > 0, patience.isFinite else {
            throw ValidationError("Invalid --slow-threshold or --patience: expected more than 0 seconds.")
        }
        try BackEndOverrideOptions.check(address, trust)
    }

    var address: String? {
        let text = talaria ?? ProcessInfo.processInfo.environment["SPINEBENCH_TALARIA"] ?? ""
        return text.isEmpty ? nil : text
    }
}

struct LiveOptions: ParsableArguments {
    enum Pace: String, ExpressibleByArgument, CaseIterable {
        /// Real time: frames due during the processing of another are dropped.
        case real
        /// Maximum pace: none is dropped, and times are those of the frames.
        case max
    }

    @Option(
        help: ArgumentHelp(
            "A camera's frames instead of photos: a folder of pictures, a .y4m video, or pan:DIR, drawn ones.",
            valueName: "source"
        )
    )
    var frames: String?

    @Option(help: "Frames per second. (default: the recording's, or 30)")
    var rate: Int?

    @Option(help: .value("seconds", "Duration; the frames repeat. (default: each frame once)"))
    var seconds: Double?

    @Option(
        help: "real: by the clock, dropping late frames; max: as fast as possible."
    )
    var pace = Pace.real

    @Option(help: .value("n", "Maximum spines of pan:DIR."))
    var pictures = 12

    @Option(help: "Random seed of pan:DIR.")
    var seed: UInt64 = 1

    @Option(
        help: .value(
            "share",
            "Width of the strip that is read, as a share of the short side. (default: 0.3 for pan:DIR, else 1)"
        )
    )
    var guide: Double?

    @Option(
        name: .customLong("thermal-policy"),
        help: "Thermal policy."
    )
    var policy = ThermalPolicy.seedCode

    @Option(
        help: .value(
            "steps",
            "Thermal states from a second on, such as 0:fair,20:serious. (default: nominal)"
        )
    )
    var heat: HeatArgument?

    @Option(help: .value("seconds", "Time without a new spine until the camera pauses."))
    var idleLimit = 30.0

    func rate(of sequence: FrameSequence) -> Int { rate ?? sequence.framesPerSecond ?? 30 }

    func validate() throws {
        if let rate, !(1...1_000).contains(rate) {
            throw ValidationError("Invalid --rate \(rate): expected 1 to 1000.")
        }
        for (name, value, most) in [("--seconds", seconds, 86_400.0), ("--guide", guide, 1)] {
            guard let value, !(value > 0 && value <= most) else { continue }
            let range = "more than 0 and at most \(NumberText.short(most))"
            throw ValidationError("Invalid \(name) \(NumberText.short(value)): expected \(range).")
        }
        guard idleLimit > 0, idleLimit.isFinite else {
            throw ValidationError("Invalid --idle-limit: expected more than 0 seconds.")
        }
        guard (1...10_000).contains(pictures) else {
            throw ValidationError("Invalid --pictures \(pictures): expected 1 to 10000.")
        }
    }
}

/// The thermal state of the device from given seconds on: `0:fair,20:serious`.
struct HeatArgument: ExpressibleByArgument, Sendable {
    var steps: [(second: Double, state: ThermalState)]

    init?(argument: String) {
        steps = []
        for part in argument.split(separator: ",") {
            let pair = part.split(separator: ":", maxSplits: 1)
            guard pair.count == 2, let second = Double(pair[0]), second >= 0,
                let state = ThermalState(rawValue: String(pair[1]))
            else { return nil }
            steps.append((second, state))
        }
        if steps.isEmpty { return nil }
    }

    func state(at second: Double) -> ThermalState { steps.last { $0.second <= second }?.state ?? .nominal }
}
