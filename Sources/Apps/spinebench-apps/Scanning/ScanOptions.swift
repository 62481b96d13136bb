import ArgumentParser
import Basics
import Composition
import Foundation
import Harness
import ScanningPipeline
import ScanningPolicies

struct ScanOptions: ParsableArguments {
    enum Reader: String, ExpressibleByArgument, CaseIterable {
        case fast, accurate
        /// No reader, as on a device without one.
        case none
    }

    @Option(
        name: .customLong("variant"),
        help: .value("name", "Scanning variant. (default: chosen by the available readers and back end)"),
        transform: { try choice($0, refusal: "Unknown variant") }
    )
    var strategy: ScanStrategy?

    @Option(
        help: .value(
            "url",
            "The back end's address. (default: SPINEBENCH_TALARIA; without it nothing leaves this machine)"
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
            "Lower the quality when reading is too slow or uses too much memory.",
            discussion:
                "Switches from accurate to fast to a smaller picture, reads less often when the device is warm, unloads the reader "
                + "when it is too hot or short of memory, and recovers step by step; reports each step on standard error."
        )
    )
    var adaptive = false

    @Option(
        help: .value(
            "name",
            "The phone whose battery is modelled for alerts, with --adaptive or --frames. (default: \(PhoneBattery.standard))"
        )
    )
    var device: String?

    @Option(help: .value("seconds", "Timeout after which vision-fallback reads here."))
    var slowThreshold = 1.0

    @Option(help: .value("seconds", "Timeout of the back end's answer, after which a scan is queued."))
    var patience = 10.0

    @Flag(help: "Send nothing now; queue it instead.")
    var offline = false

    @Option(help: .value("file", "Append one line of JSON per request to this file: time, address, bytes, content."))
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
            "Scan a camera's frames instead of photos.",
            discussion:
                "A folder of pictures, one per frame, in the order of their names; a recorded video as .y4m; or pan:DIR, "
                + "drawn frames of a camera that is aimed at the spines of a folder or dataset, one after the other.",
            valueName: "source"
        )
    )
    var frames: String?

    @Option(help: "Frames per second of the camera. (default: the recording's rate, or 30)")
    var rate: Int?

    @Option(help: .value("seconds", "Duration in seconds; the frames repeat at their end. (default: each frame once)"))
    var seconds: Double?

    @Option(
        help: "real: by the clock, and late frames are dropped; max: as fast as they can be processed."
    )
    var pace = Pace.real

    @Option(help: .value("n", "Maximum number of spines of pan:DIR."))
    var pictures = 12

    @Option(help: "Random seed of the frames of pan:DIR.")
    var seed: UInt64 = 1

    @Option(
        help: .value(
            "share",
            "Width of the aiming strip, as a share of a frame's short side. (default: 0.3 for pan:DIR, else 1)"
        )
    )
    var guide: Double?

    @Flag(
        name: .customLong("gate"),
        inversion: .prefixedNo,
        help: "Read only frames in which the presence gate finds a spine."
    )
    var hasGate = PresenceGate.isOnByDefault

    @Option(
        name: .customLong("thermal-policy"),
        help: "Thermal policy: seed-code, proactive, interval or none.",
        transform: choice
    )
    var policy = ThermalPolicy.seedCode

    @Option(
        help: .value(
            "steps",
            "Reported thermal states and their start in seconds: 0:fair,20:serious. (default: nominal)"
        )
    )
    var heat: HeatArgument?

    @Option(help: .value("seconds", "Time without a new spine after which the camera pauses."))
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
