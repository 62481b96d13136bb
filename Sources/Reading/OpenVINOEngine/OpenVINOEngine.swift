internal import Foundation
internal import Raster
public import TextRecognition

/// OpenVINO with PaddleOCR's networks: a detector and a recogniser that are loaded and ready.
public struct OpenVINOEngine: Sendable {
    /// Finds lines.
    public let detector: OpenVINOTextDetector
    /// Reads lines.
    public let recognizer: OpenVINOLineRecognizer
    /// Precision of the networks: `f32`, `bf16` or `f16`.
    public let precision: InferencePrecision
    /// The timings by which the precision was chosen; nil when it was asked for.
    public let precisionTimings: PrecisionTimings?

    /// Opens the models; a network is compiled when its first input shape is needed.
    ///
    /// With ``InferencePrecision/measured`` both precisions are compiled and timed, which takes some seconds when the
    /// cache has no timings of this machine, and nothing when it has.
    ///
    /// The lexicon corrects doubtful words. The models' folder holds the ONNX files that `make setup` fetches, the cache's
    /// folder compiled networks and timings between processes; nil for none.
    ///
    /// - Throws: ``OpenVINOError`` when a model is missing or is not the network that it should be, or when the
    ///   processor cannot compute in the precision asked for.
    public init(
        models: OpenVINOModelSet,
        options: OpenVINOOptions,
        lexicon: Lexicon? = nil,
        modelDirectory: String,
        cacheDirectory: String?
    ) throws {
        let files = try ModelFiles(models: models, directory: modelDirectory)
        func engine(_ precision: InferencePrecision, _ timings: PrecisionTimings? = nil) throws -> OpenVINOEngine {
            var options = options
            options.precision = precision
            return try OpenVINOEngine(files, options, lexicon, cacheDirectory, timings)
        }
        guard options.precision == .measured else {
            self = try engine(options.precision)
            return
        }
        let networks = "\(models.rawValue)-\(options.alphabet.rawValue)-\(files.fingerprint)"
        let execution = "\(options.threads)t\(options.parallelLines)s"
        let cache = try cacheDirectory.map { "\($0)/precision-\(networks)-\(execution)-\(try Self.machine()).txt" }
        let timings = try PrecisionTimings.taken(among: try Self.precisions().filter { $0 != .f16 }, cache: cache) {
            let engine = try engine($0)
            return { try engine.inferenceTimeOfASpine() }
        }
        self = try engine(timings.quickest, timings)
    }

    private init(
        _ files: ModelFiles,
        _ options: OpenVINOOptions,
        _ lexicon: Lexicon?,
        _ cacheDirectory: String?,
        _ timings: PrecisionTimings?
    ) throws {
        let canvases = try options.detectorCanvases.map { sides in
            guard sides.count == 2, sides.allSatisfy({ $0 > 0 && $0 % 32 == 0 }) else {
                throw OpenVINOError.canvasUnsuitable(sides)
            }
            return NetworkShape(width: sides[0], height: sides[1])
        }
        var execution = NetworkExecution(threads: options.threads, streams: 1, precision: options.precision.hint)
        let runtime = try OpenVINORuntime(execution: execution)
        precision = try runtime.precision(options.precision)
        precisionTimings = timings
        let detection = NetworkSource(
            name: "\(files.models.rawValue)-det",
            file: files.detection,
            normalization: .imageNet,
            // Nearly every spine is searched on the same canvas; the others are rare enough to share a network.
            takesAnyShape: true
        )
        detector = OpenVINOTextDetector(
            networks: NetworkPool(detection, runtime: runtime, cacheDirectory: cacheDirectory),
            canvases: CanvasSizes(canvases)
        )
        execution.streams = options.parallelLines
        recognizer = try Self.recognizer(
            files,
            options: options,
            execution: execution,
            lexicon: lexicon,
            cacheDirectory: cacheDirectory
        )
    }

    /// Precisions that this processor has without emulation.
    ///
    /// - Throws: ``OpenVINOError/callFailed(operation:status:message:)``.
    public static func precisions() throws -> [InferencePrecision] {
        try OpenVINORuntime(execution: NetworkExecution(threads: 1, streams: 1)).precisions()
    }

    /// Machine that a timing holds for, as part of a file's name: host, processor and OpenVINO's version.
    private static func machine() throws -> String {
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let name = host.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        let processor = try OpenVINORuntime(execution: NetworkExecution(threads: 1, streams: 1)).processor()
        return String(
            "\(name)-\(processor)-\(version)".map { $0.isLetter || $0.isNumber || ".-".contains($0) ? $0 : "_" }
        )
    }

    /// Time that the networks run for one spine with four lines of text.
    private func inferenceTimeOfASpine() throws -> Duration {
        // Any pattern does: the time does not depend on what is there, but for numbers next to zero.
        func picture(_ width: Int, _ height: Int) -> RasterImage {
            let pixels = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* 7 % 251) }
            return RasterImage(width: width, height: height, channels: 1, pixels: pixels)
        }
        let canvas = detector.smallestCanvas
        let line = picture(min(240, recognizer.widestLine), recognizer.lineHeight)
        return try detector.detect(in: picture(canvas.width, canvas.height)).inferenceTime
            + recognizer.recognize([line, line, line, line]).inferenceTime
    }

    /// Compiles or loads every network shape, so that no later reading has to wait for one.
    public func prepare() throws {
        try detector.prepare()
        try recognizer.prepare()
    }

    /// Compiles or loads the detector's shapes alone, for a reader with another recogniser.
    public func prepareDetector() throws { try detector.prepare() }

    /// Gives the system back what was freed when engines were let go: without it, the C library keeps most of it.
    public static func giveBackMemory() { OpenVINORuntime.giveBackMemory() }

    /// OpenVINO's version and build.
    public static var version: String { OpenVINORuntime.version }

    private static func recognizer(
        _ files: ModelFiles,
        options: OpenVINOOptions,
        execution: NetworkExecution,
        lexicon: Lexicon?,
        cacheDirectory: String?
    ) throws -> OpenVINOLineRecognizer {
        let file = files.recognition
        let model = ONNXModel(bytes: try file.bytes())
        guard let characters = model.metadata("character") else {
            throw OpenVINOError.modelUnsuitable(
                path: file.path,
                expected: "an ONNX file with the metadata 'character'",
                found: "none"
            )
        }
        // Class 0 is the blank; PaddleOCR adds the space as the last class.
        let classes: [String] =
            [""] + characters.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [" "]
        let kept = classes.indices.filter { $0 == 0 || options.alphabet.admits(classes[$0]) }
        let source = NetworkSource(
            name: "\(files.models.rawValue)-rec-\(options.alphabet.rawValue)",
            file: file,
            normalization: .symmetric
        ) { bytes in
            if kept.count == classes.count { return bytes }
            if let smaller = ONNXModel(bytes: bytes).keepingClasses(kept, of: classes.count) { return smaller.bytes }
            throw OpenVINOError.modelUnsuitable(
                path: file.path,
                expected: "a last layer of \(classes.count) classes",
                found: "another"
            )
        }
        let runtime = try OpenVINORuntime(execution: execution)
        return OpenVINOLineRecognizer(
            networks: NetworkPool(source, runtime: runtime, cacheDirectory: cacheDirectory),
            widths: options.recognizerWidths,
            decoder: CTCDecoder(alphabet: kept.map { classes[$0] }, lexicon: lexicon),
            calibration: files.models == .ppOCRv6Small ? .ppOCRv6Small : nil,
            parallelLines: options.parallelLines
        )
    }
}

private struct ModelFiles {
    var models: OpenVINOModelSet
    var detection: ModelFile
    var recognition: ModelFile

    init(models: OpenVINOModelSet, directory: String) throws(OpenVINOError) {
        self.models = models
        detection = try ModelFile(path: "\(directory)/\(models.detectionFile)")
        recognition = try ModelFile(path: "\(directory)/\(models.recognitionFile)")
    }

    var fingerprint: String { "\(detection.fingerprint)-\(recognition.fingerprint)" }
}
