import Basics
import Composition
import Foundation
import Harness
import OpenVINOEngine
import SpineDatasets
import SpineReaders

/// Measures the speed of this host for the work of readings, or loads an earlier measurement.
struct HostCalibrator {
    private var readers: [String: ReadingSettings] = [:]
    private var models: [String: String] = [:]
    private let fingerprint = HostDescription.current().fingerprint
    private let engine = "OpenVINO \(OpenVINOEngine.version)"
    private static let repetitions = 15

    init(for variants: [Variant]) throws {
        for variant in variants {
            guard let settings = try ComposedVariant(variant).settings.reading, let key = Self.key(of: settings) else {
                continue
            }
            readers[key] = settings
        }
        for settings in readers.values {
            for path in try settings.files where path.hasSuffix(".onnx") {
                models[URL(filePath: path).lastPathComponent] = "sha256:" + (try SHA256.hex(ofFile: path))
            }
        }
    }

    /// Returns the networks, precision and threads of a reader; nil for one without networks of its own.
    static func key(of settings: ReadingSettings) -> String? {
        guard settings.engine == .openVINO, work(of: settings) != nil else { return nil }
        return "\(settings.models.rawValue), \(settings.precision.rawValue), \(settings.alphabet.rawValue), "
            + NumberText.count(settings.threads, "thread")
    }

    private static func work(of settings: ReadingSettings) -> NetworkWork? {
        NetworkWork.all.first { $0.name == settings.models.rawValue }
    }

    /// Returns the stored calibration if it holds and a probe agrees with it, and else a new one, which is stored.
    func calibration(_ note: (String) -> Void = { _ in }) throws -> HostCalibration {
        let picture = try CalibrationPicture()
        let kept = file.flatMap { FileManager.default.contents(atPath: $0) }
            .flatMap { try? JSONDecoder().decode(HostCalibration.self, from: $0) }
        if let kept {
            let objection = kept.objection(
                fingerprint: fingerprint,
                engine: engine,
                models: models,
                readers: Array(readers.keys),
                at: Date()
            )
            if objection == nil, try !hasDrifted(kept, picture) { return kept }
            note("Recalibrating this host: \(objection ?? "its speed has changed").")
        } else {
            note("Calibrating this host: measuring its speed on the reference work of the device models.")
        }
        let new = HostCalibration(
            fingerprint: fingerprint,
            measuredAt: Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded()),
            engine: engine,
            models: models,
            image: try Self.timing { try ContinuousClock().measure(picture.work) },
            networks: try readers.mapValues { try networks($0, repetitions: Self.repetitions) }
        )
        if let file {
            // Without a place to store it, it is measured each time.
            let url = URL(filePath: file)
            let folder = url.deletingLastPathComponent()
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try? JSONLine.encode(new).write(to: url, options: .atomic)
        }
        return new
    }

    /// One for each host and set of readers.
    private var file: String? {
        let name = ([fingerprint] + readers.keys.sorted()).joined(separator: "; ")
        let digest = SHA256.hex(of: Array(name.utf8)).prefix(16)
        return Installation.cacheDirectory.map { "\($0)/calibration-\(digest).json" }
    }

    /// Returns whether a third of the repetitions give other figures than those that were kept.
    private func hasDrifted(_ kept: HostCalibration, _ picture: CalibrationPicture) throws -> Bool {
        let few = Self.repetitions / 3
        let image = try Self.timing(few) { try ContinuousClock().measure(picture.work) }
        if kept.image.isFar(from: image.milliseconds) { return true }
        for (key, settings) in readers.sorted(by: { $0.key < $1.key }) {
            guard let before = kept.networks[key] else { return true }
            let now = try networks(settings, repetitions: few)
            if before.detection.isFar(from: now.detection.milliseconds)
                || before.recognition.isFar(from: now.recognition.milliseconds)
            {
                return true
            }
        }
        return false
    }

    /// Returns the networks as the reader runs them, on inputs of the sizes that their work is counted for.
    private func networks(_ settings: ReadingSettings, repetitions: Int) throws -> HostCalibration.Networks {
        var settings = settings
        let (look, line) = (NetworkWork.detectorInput, NetworkWork.recognizerInput)
        settings.canvases = [NetworkShape(width: look.width, height: look.height)]
        settings.lineWidths = [line.width]
        settings.correction = false
        guard let work = Self.work(of: settings) else {
            throw HarnessError.configuration("the work of \(settings.models.rawValue) has not been counted")
        }
        let engine = try settings.openVINOEngine()
        let reference = ReferenceWork(engine.detector, engine.recognizer)
        return HostCalibration.Networks(
            work: work,
            detection: try Self.timing(repetitions) { try reference.detection() },
            // Several at a time, as a spine has several.
            recognition: try Self.timing(repetitions) { try reference.recognition(ofLines: 4) }
        )
    }

    /// Returns the time when warm: the first three runs do not count.
    private static func timing(
        _ repetitions: Int = Self.repetitions,
        _ work: () throws -> Duration
    ) throws -> HostCalibration.Timing {
        for _ in 0..<3 { _ = try work() }
        return HostCalibration.Timing(try (0..<repetitions).map { _ in try work() / .milliseconds(1) })
    }
}
