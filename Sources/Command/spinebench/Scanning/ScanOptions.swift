import ArgumentParser
import Basics
import CommandSupport
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
        try check([("--slow-threshold", slowThreshold, 86_400), ("--patience", patience, 86_400)])
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

    @Option(help: .value("seconds", "Time without a new spine until the camera pauses."))
    var idleLimit = 30.0

    /// Folder of pictures or recording; nil without frames.
    var folder: String? { frames.map { $0.hasPrefix("pan:") ? String($0.dropFirst(4)) : $0 } }

    func sequence() throws -> FrameSequence? {
        guard let frames else { return nil }
        if frames != folder { Console.standardError("Drawing the frames.") }
        return try FrameSequence(frames, pictures: pictures, seed: seed)
    }

    func validate() throws {
        try check([
            ("--rate", rate.map(Double.init), 1_000), ("--seconds", seconds, 86_400), ("--guide", guide, 1),
            ("--idle-limit", idleLimit, 86_400), ("--pictures", Double(pictures), 10_000),
        ])
    }
}

/// Throws for the first option with a number that is not between 0 and its most.
private func check(_ options: [(name: String, value: Double?, most: Double)]) throws {
    for (name, value, most) in options {
        guard let value, !(value > 0 && value <= most) else { continue }
        let range = "more than 0 and at most \(NumberText.short(most))"
        throw ValidationError("Invalid \(name) \(NumberText.short(value)): expected \(range).")
    }
}
