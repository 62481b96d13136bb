import ArgumentParser
import Composition
import DeviceSimulation
import Documents
import Evaluation
import Foundation
import ScanningPolicies

/// What `scan --frames` goes by.
struct LiveOptions: ParsableArguments {
    /// How frames follow each other.
    enum Pace: String, ExpressibleByArgument, CaseIterable {
        /// By the clock: what is due while a frame is worked on is dropped.
        case real
        /// As fast as they are worked on: none is dropped, and times are those of the frames.
        case max
    }

    /// How warm the device is from a second on.
    struct Heat: ExpressibleByArgument, Sendable {
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

    @Option(
        help: ArgumentHelp(
            "How long the camera runs; it begins anew at the end. (default: each frame once)",
            valueName: "seconds"
        )
    )
    var seconds: Double?

    @Option(
        help: "real: by the clock, frames that nobody takes in time are dropped; max: as fast as they are worked on."
    )
    var pace = Pace.real

    @Option(help: ArgumentHelp("The most spines of pan:DIR.", valueName: "n"))
    var pictures = 12

    @Option(help: "What the frames of pan:DIR are drawn from.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "The strip that the spine is brought into, of a frame's short side. (default: 0.3 for pan:DIR, else 1)",
            valueName: "share"
        )
    )
    var guide: Double?

    @Flag(name: .customLong("no-gate"), help: "Read every frame, without looking for a spine first.")
    var hasNoGate = false

    @Option(
        name: .customLong("thermal-policy"),
        help: "What is done with frames when the device gets warm: seed-code, proactive, interval or none.",
        transform: SimulationOptions.choice
    )
    var policy = ThermalPolicy.seedCode

    @Option(
        help: ArgumentHelp(
            "How warm the device says it is, from which second on: 0:fair,20:serious. (default: nominal)",
            valueName: "steps"
        )
    )
    var heat: Heat?

    @Option(help: ArgumentHelp("After so long without a new spine the camera pauses.", valueName: "seconds"))
    var idleLimit = 30.0

    @Option(help: ArgumentHelp("Write down how the scan fared, for 'devices import-trace'.", valueName: "file"))
    var trace: String?

    @Flag(help: "Compare the frames' fates with what the session simulator has for them; of pan:DIR, with --trace.")
    var simulate = false

    /// The camera's pace for a sequence.
    func rate(of sequence: FrameSequence) -> Int { rate ?? sequence.framesPerSecond ?? 30 }

    func validate() throws {
        if let rate, !(1...1_000).contains(rate) { throw ValidationError("--rate is \(rate); expected 1 to 1000.") }
        if let seconds, !(seconds > 0 && seconds <= 86_400) {
            throw ValidationError("--seconds is \(NumberText.short(seconds)); expected more than 0 and at most 86400.")
        }
        if let guide, !(guide > 0 && guide <= 1) {
            throw ValidationError("--guide is \(NumberText.short(guide)); expected more than 0 and at most 1.")
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
