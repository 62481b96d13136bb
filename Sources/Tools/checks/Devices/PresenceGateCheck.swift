import ArgumentParser
import Basics
import Composition
import DeviceSimulation
import Foundation
import Harness
import Imaging
import ScanningPipeline

struct PresenceGateCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate",
        abstract: "Measure the presence gate on panning sequences with a known truth.",
        discussion: """
            Frames of 1440 × 1920 pixels of luma, thirty a second, of a camera that moves over drawn places and photographs, \
            rests, and moves on, with the smear of the exposure, a lens that looks for its focus, and noise. A frame counts as one with \
            a spine when three quarters of a spine's outline are in view, and as one without when no part of any spine is in view; \
            other frames are counted as neither.

            Without folders: Datasets/spines-1 and Datasets/shelves-1. The same folders and seed give the same frames.

            Exit codes: 0 done, 1 the gate takes longer than 16.7 ms (P95), or --check found a different gate, 2 invalid usage.
            """
    )

    @Option(help: .value("dir", "Pictures of single spines, with samples.jsonl (repeatable)."))
    var spines: [String] = []

    @Option(help: .value("dir", "Shelves of which every book is labelled, with shelves.jsonl."))
    var shelves: [String] = []

    @Option(
        help: .value(
            "dir",
            "Shelves of which some books are labelled, with shelves.jsonl or shelf.json: frames without a labelled book count as neither."
        )
    )
    var photos: [String] = []

    @Option(help: .value("dir", "Photographs without a spine."))
    var without: [String] = []

    @Option(help: "Maximum number of sequences of each kind.")
    var clips = 40

    @Option(help: "Random seed.")
    var seed: UInt64 = 1

    @Option(name: .customLong("out"), help: .value("file", "JSON file for the measurement."))
    var output: String?

    @Option(help: .value("file", "Output file for the evidence of every frame, for fitting the gate."))
    var evidence: String?

    @Option(help: .value("dir", "Folder for the middle frame of every sequence, for inspection."))
    var frames: String?

    @Flag(help: "Only check that the built-in measurement belongs to this gate.")
    var check = false

    /// A frame at 60 a second (S0-TS1), in ms.
    private static let budget = 16.7

    func run() throws {
        let gate = PresenceGate()
        let digest = GateDigest.digest(of: gate)
        if check {
            let committed = try GateMeasurement.committed()
            print("The measurement belongs to \(committed.gate == digest ? "this" : "another") gate.")
            return try end([], isGood: committed.gate == digest)
        }
        let folders = try self.folders
        let calibration = try CalibrationPicture()
        var (times, image, lines) = ([Double](), [Double](), [String]())
        var sequences: [GateClip] = []
        for plan in ScenePlan.plans(folders, clips: clips, seed: seed) {
            var seen: [RasterImage] = []
            let clip = try plan.clip { frame in
                if frames != nil { seen.append(frame) }
                let start = CallTimes.threadMilliseconds
                let finding = gate.examine(frame)
                times.append(CallTimes.threadMilliseconds - start)
                if evidence != nil {
                    lines.append(GateEvidence(of: frame).features.map { "\($0)" }.joined(separator: "\t"))
                }
                return finding.isSpine
            }
            // Between the sequences, so that both are of the same minutes of the machine.
            let start = CallTimes.threadMilliseconds
            try calibration.work()
            image.append(CallTimes.threadMilliseconds - start)
            if let clip {
                sequences.append(clip)
                if let frames, !seen.isEmpty {
                    let place = seen.count / 2
                    let name = "\(sequences.count) \(clip.frames[place].truth) \(clip.frames[place].isPassed).png"
                    try FileManager.default.createDirectory(atPath: frames, withIntermediateDirectories: true)
                    try Data(try ImageCodec.encodePNG(seen[place])).write(to: URL(filePath: "\(frames)/\(name)"))
                }
            } else {
                print("skipped, too small: \(plan.scene)")
            }
        }
        if let evidence { try write(lines, of: sequences, to: evidence) }
        let measurement = GateMeasurement(
            gate: digest,
            fittedOn: GateModel.fittedOn,
            date: Date().formatted(.iso8601.year().month().day()),
            seed: seed,
            clipsOfEach: clips,
            sources: folders.map { GateMeasurement.Source(name: $0.name, pictures: $0.count, digest: $0.digest) },
            clips: sequences,
            time: GateMeasurement.Time(
                host: HostDescription.current().fingerprint,
                milliseconds: times,
                image: HostCalibration.Timing(image)
            )
        )
        show(measurement, sequences)
        if let output {
            try Data((JSONText.of(measurement) + "\n").utf8).write(to: URL(filePath: output), options: .atomic)
        }
        if measurement.time.p95 > Self.budget {
            print("The gate takes longer than a frame at 60 per second: \(Self.budget) ms.")
            throw ExitCode(1)
        }
    }

    private var folders: [PictureFolder] {
        get throws {
            let isOwn = spines.isEmpty && shelves.isEmpty && photos.isEmpty && without.isEmpty
            let (spines, shelves) = isOwn ? (["Datasets/spines-1"], ["Datasets/shelves-1"]) : (spines, shelves)
            return try spines.map { try PictureFolder($0, .spines) }
                + shelves.map { try PictureFolder($0, .shelves(areComplete: true)) }
                + photos.map { try PictureFolder($0, .shelves(areComplete: false)) }
                + without.map { try PictureFolder($0, .empty) }
        }
    }

    private func write(_ lines: [String], of sequences: [GateClip], to path: String) throws {
        let frames = sequences.flatMap { clip in clip.frames.map { (clip, $0) } }
        let text = zip(frames, lines).map { frame, line in
            "\(frame.0.kind)\t\(frame.0.scene)\t\(frame.1.truth)\t\(frame.1.condition)\t\(line)\n"
        }
        try text.joined().write(toFile: path, atomically: true, encoding: .utf8)
    }

    private func show(_ measurement: GateMeasurement, _ sequences: [GateClip]) {
        func text(_ rate: GateMeasurement.Rate) -> String {
            guard let value = rate.passed.rate.value, let interval = rate.passed.interval.value else { return "–" }
            let shares = [value, interval.lowerBound, interval.upperBound].map { NumberText.fixed(100 * $0, 1) }
            let text = "\(shares[0]) % [\(shares[1]) – \(shares[2])] of \(rate.passed.trials) in \(rate.scenes)"
            return text.padding(toLength: 40, withPad: " ", startingAt: 0)
        }
        let kinds = measurement.kinds + measurement.conditions.values.sorted { $0.name < $1.name } + [measurement.all]
        print("Passed [95 %] of frames in scenes; parts of spines and unlabelled views count as neither\n")
        for kind in kinds {
            let name = kind.name.padding(toLength: 40, withPad: " ", startingAt: 0)
            print(
                "\(name) with \(text(kind.withSpine)) without \(text(kind.without)) parts \(kind.parts), "
                    + "unlabelled \(kind.unknown)"
            )
        }
        let missed = sequences.filter { clip in
            let seen = clip.frames.filter { $0.truth == .spine }
            return !seen.isEmpty && !seen.contains(where: \.isPassed)
        }
        let shown = sequences.count { $0.frames.contains { $0.truth == .spine } }
        print("\nsequences with a spine of which no frame with one passed: \(missed.count) of \(shown)")
        let time = measurement.time
        let milliseconds = [time.p50, time.p95, time.image.milliseconds].map { NumberText.fixed($0, 2) }
        print(
            "processor time: P50 \(milliseconds[0]) ms, P95 \(milliseconds[1]) ms of \(time.frames) frames; "
                + "pictures of the calibration: \(milliseconds[2]) ms"
        )
    }
}
