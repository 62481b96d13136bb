import ArgumentParser
import Basics
import Composition
import DeviceSimulation
import Foundation
import ScanningPipeline
import ScanningPolicies

/// The options of `scan`.
struct ScanOptions: ParsableArguments {
    /// The reader on the device.
    enum Reader: String, ExpressibleByArgument, CaseIterable {
        case fast, accurate
        /// No reader, as on a device without one.
        case none
    }

    @Option(
        name: .customLong("variant"),
        help: .value("name", "The way to go, instead of the one that suits what there is."),
        transform: { try choice($0, refusal: "There is no variant") }
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
            "Read with less when reading gets too slow or takes too much memory.",
            discussion:
                "Goes from accurate over fast to a smaller picture, reads less often when the device is warm, unloads the reader "
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

    @Option(help: .value("seconds", "After so long vision-fallback reads here."))
    var slowThreshold = 1.0

    @Option(help: .value("seconds", "How long to wait for the back end's answer before a scan is queued."))
    var patience = 10.0

    @Flag(help: "Send nothing now: what would be sent is queued.")
    var offline = false

    @Option(help: .value("file", "Append a line of JSON for each request: when, where to, bytes, content."))
    var egressLog: String?

    func validate() throws {
        guard slowThreshold > 0, slowThreshold.isFinite, patience > 0, patience.isFinite else {
            throw ValidationError("--slow-threshold and --patience are more than 0 seconds.")
        }
        try GivenBackEndOptions.check(address, trust)
    }

    /// The back end's address; nil for none.
    var address: String? {
        let text = talaria ?? ProcessInfo.processInfo.environment["SPINEBENCH_TALARIA"] ?? ""
        return text.isEmpty ? nil : text
    }
}

/// The options of `scan --frames`.
struct LiveOptions: ParsableArguments {
    /// The pace of frames.
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
                "A folder of pictures, each a frame, in the order of their names; a recorded video as .y4m; or pan:DIR, "
                + "frames that are drawn of a camera that is aimed at the spines of a folder or dataset, one after the other.",
            valueName: "source"
        )
    )
    var frames: String?

    @Option(help: "Frames a second of the camera. (default: those of the recording, or 30)")
    var rate: Int?

    @Option(help: .value("seconds", "How long the camera runs; it begins anew at the end. (default: each frame once)"))
    var seconds: Double?

    @Option(
        help: "real: by the clock, frames that nobody takes in time are dropped; max: as fast as they are worked on."
    )
    var pace = Pace.real

    @Option(help: .value("n", "The most spines of pan:DIR."))
    var pictures = 12

    @Option(help: "What the frames of pan:DIR are drawn from.")
    var seed: UInt64 = 1

    @Option(
        help: .value(
            "share",
            "The strip that the spine is brought into, of a frame's short side. (default: 0.3 for pan:DIR, else 1)"
        )
    )
    var guide: Double?

    @Flag(
        name: .customLong("gate"),
        inversion: .prefixedNo,
        help: "Read only the frames on which the presence gate finds a spine."
    )
    var hasGate = PresenceGate.isOnByDefault

    @Option(
        name: .customLong("thermal-policy"),
        help: "What is done with frames when the device gets warm: seed-code, proactive, interval or none.",
        transform: choice
    )
    var policy = ThermalPolicy.seedCode

    @Option(
        help: .value(
            "steps",
            "How warm the device says it is, from which second on: 0:fair,20:serious. (default: nominal)"
        )
    )
    var heat: HeatArgument?

    @Option(help: .value("seconds", "After so long without a new spine the camera pauses."))
    var idleLimit = 30.0

    @Option(help: .value("file", "Write down how the scan fared, for 'devices import-trace'."))
    var trace: String?

    @Flag(help: "Compare the frames' fates with what the session simulator has for them; of pan:DIR, with --trace.")
    var simulate = false

    /// Returns the camera's pace for a sequence.
    func rate(of sequence: FrameSequence) -> Int { rate ?? sequence.framesPerSecond ?? 30 }

    func validate() throws {
        if let rate, !(1...1_000).contains(rate) { throw ValidationError("--rate is \(rate); expected 1 to 1000.") }
        for (name, value, most) in [("--seconds", seconds, 86_400.0), ("--guide", guide, 1)] {
            guard let value, !(value > 0 && value <= most) else { continue }
            let range = "more than 0 and at most \(NumberText.short(most))"
            throw ValidationError("\(name) is \(NumberText.short(value)); expected \(range).")
        }
        guard idleLimit > 0, idleLimit.isFinite else { throw ValidationError("--idle-limit is more than 0 seconds.") }
        guard (1...10_000).contains(pictures) else {
            throw ValidationError("--pictures is \(pictures); expected 1 to 10000.")
        }
        if simulate, trace == nil || frames?.hasPrefix("pan:") != true || heat != nil {
            throw ValidationError(
                "--simulate compares a recording of drawn frames: say --frames pan:DIR and --trace FILE, without --heat."
            )
        }
    }
}
