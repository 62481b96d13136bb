import Basics
import CommandSupport
import Foundation
import Harness
import Imaging
import OpenVINOEngine
import SpineDatasets
import SpineReaders
import Systems
import TextRecognition

/// Measures the speed of this host for the work of readings.
enum HostCalibrator {
    /// Returns the networks, precision and threads of a reader; nil for one without networks of its own.
    static func key(of settings: ReadingSettings) -> String? {
        guard settings.engine == .openVINO, let work = work(of: settings) else { return nil }
        return "\(work.name), \(settings.precision.rawValue), \(settings.alphabet.rawValue), "
            + NumberText.count(settings.threads, "thread")
    }

    /// Networks of the stages, and those of them that search spines.
    private static func stages(of settings: ReadingSettings) -> (all: [OpenVINOModelSet], searching: Int) {
        guard let first = settings.firstStage else { return ([settings.models], 1) }
        return ([first, settings.models], settings.gate == .lines ? 1 : 2)
    }

    private static func work(of settings: ReadingSettings) -> NetworkWork? {
        let stages = stages(of: settings)
        return NetworkWork(stages: stages.all.map(\.rawValue), searching: stages.searching)
    }

    /// Measures the host for the readers of variants, anew for each run: its speed is that of the moment.
    static func calibration(for variants: [Variant]) throws -> HostCalibration {
        Console.standardError("Calibrating this host: measuring its speed on the reference work of the device models.")
        let picture = try CalibrationPicture()
        var models: [String: String] = [:]
        var networks: [String: HostCalibration.Networks] = [:]
        for settings in try variants.compactMap({ try ComposedVariant($0).settings.reading }) {
            guard let key = key(of: settings), networks[key] == nil, let work = work(of: settings) else { continue }
            networks[key] = try Self.networks(settings, work)
            for path in try settings.files where path.hasSuffix(".onnx") {
                models[URL(filePath: path).lastPathComponent] = "sha256:" + (try SHA256.hex(ofFile: path))
            }
        }
        return HostCalibration(
            fingerprint: HostDescription.current().fingerprint,
            measuredAt: Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded()),
            engine: "OpenVINO \(OpenVINOEngine.version)",
            models: models,
            image: try timing { try ContinuousClock().measure(picture.work) },
            networks: networks
        )
    }

    /// Returns the networks as the reader runs them, on inputs of the sizes that their work is counted for.
    private static func networks(_ reader: ReadingSettings, _ work: NetworkWork) throws -> HostCalibration.Networks {
        let (look, line, stages) = (NetworkWork.detectorInput, NetworkWork.recognizerInput, stages(of: reader))
        let engines = try stages.all.map { models in
            var settings = reader.with(models: models)
            settings.canvases = [NetworkShape(width: look.width, height: look.height)]
            settings.lineWidths = [line.width]
            settings.correction = false
            return try settings.openVINOEngine()
        }
        // Several lines at a time, as a spine has several.
        let (page, lines) = (image(look), [RasterImage](repeating: image(line), count: 4))
        return HostCalibration.Networks(
            work: work,
            detection: try timing {
                try engines.prefix(stages.searching)
                    .reduce(.zero) { $0 + (try $1.detector.detect(in: page).inferenceTime) }
            },
            recognition: try timing {
                try engines.reduce(.zero) { $0 + (try $1.recognizer.recognize(lines).inferenceTime) } / lines.count
            }
        )
    }

    /// Returns any picture: the time does not depend on its content, except for numbers next to zero.
    private static func image(_ size: (width: Int, height: Int)) -> RasterImage {
        let pixels = (0..<size.width * size.height).map { UInt8(truncatingIfNeeded: $0 &* 7 % 251) }
        return RasterImage(width: size.width, height: size.height, channels: 1, pixels: pixels)
    }

    /// Returns the time when warm: of 18 runs, the first three do not count.
    private static func timing(_ work: () throws -> Duration) throws -> HostCalibration.Timing {
        for _ in 0..<3 { _ = try work() }
        return HostCalibration.Timing(try (0..<15).map { _ in try work() / .milliseconds(1) })
    }
}

/// The work on pictures for the calibration of a host: a reader's work on a spine outside its networks.
private struct CalibrationPicture {
    private let file: [UInt8]
    private let emissions: CTCEmissions
    private let decoder: CTCDecoder

    /// Draws a spine of 320 × 1,400 pixels with four lines of dark strokes.
    init() throws {
        let (width, height) = (320, 1_400)
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        for y in 0..<height {
            for x in 0..<width {
                let isStroke = x / 40 % 2 == 1 && (x * 7 + y * 13) / 48 % 3 == 0
                for channel in 0..<3 {
                    pixels[(y * width + x) * 3 + channel] = isStroke ? 30 : UInt8(150 + (x + y * 3 + channel * 20) % 64)
                }
            }
        }
        let picture = RasterImage(width: width, height: height, channels: 3, pixels: pixels)
        file = try ImageCodec.encodeJPEG(picture, quality: 90)
        // The recogniser's number of steps for a line of 320 pixels, and its number of Latin classes.
        let (steps, classes) = (40, 440)
        var probabilities = [Float](repeating: 0.001, count: steps * classes)
        for step in 0..<steps { probabilities[step * classes + step * 11 % classes] = 0.9 }
        emissions = CTCEmissions(
            classes: classes,
            probabilities: probabilities,
            positions: (0..<steps).map { Double($0) * 8 + 4 }
        )
        decoder = CTCDecoder(alphabet: [""] + (1..<classes).map { String(UnicodeScalar(UInt8(33 + $0 % 90))) })
    }

    /// Decodes, turns, shrinks, cuts four lines out, and reads four answers, on this thread.
    func work() throws {
        let picture = try ImageCodec.decode(file, name: "calibration").image.rotated(.clockwise)
        _ = picture.resized(width: 1_024, height: 64)
        for line in 0..<4 {
            let top = Double(line) * 75 + 5
            let quad = Quad(
                topLeft: Point(x: 40, y: top),
                topRight: Point(x: 1_350, y: top + 3),
                bottomRight: Point(x: 1_350, y: top + 73),
                bottomLeft: Point(x: 40, y: top + 70)
            )
            _ = picture.cropped(to: quad, width: 320, height: 48)
            _ = decoder.decode(emissions)
        }
    }
}
