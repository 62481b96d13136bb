internal import Foundation
public import TextRecognition

/// OpenVINO with PaddleOCR's networks: a detector and a recogniser that are loaded and ready.
public struct OpenVINOEngine: Sendable {
    /// Finds lines.
    public let detector: OpenVINOTextDetector
    /// Reads lines.
    public let recognizer: OpenVINOLineRecognizer
    /// `bf16` or `f32`: what the networks compute in.
    public let precision: String

    /// Opens the models; a network is compiled when its first input shape is needed.
    ///
    /// - Parameters:
    ///   - models: Which networks.
    ///   - options: How they are compiled and run.
    ///   - lexicon: Corrects doubtful words; nil for none.
    ///   - modelDirectory: Holds the ONNX files that `make setup` fetches.
    ///   - cacheDirectory: Where compiled networks are kept between processes; nil for none.
    /// - Throws: ``OpenVINOError`` when a model is missing or is not the network that it should be.
    public init(
        models: OpenVINOModelSet,
        options: OpenVINOOptions,
        lexicon: Lexicon? = nil,
        modelDirectory: String,
        cacheDirectory: String?
    ) throws {
        let canvases = try options.detectorCanvases.map { sides in
            guard sides.count == 2, sides.allSatisfy({ $0 > 0 && $0 % 32 == 0 }) else {
                throw OpenVINOError.canvasUnsuitable(sides)
            }
            return NetworkShape(width: sides[0], height: sides[1])
        }
        let runtime = try OpenVINORuntime(
            execution: NetworkExecution(threads: options.threads, streams: 1, precision: options.precision)
        )
        precision = options.precision ?? (runtime.supportsBFloat16() ? "bf16" : "f32")
        let detection = try ModelFile(path: "\(modelDirectory)/\(models.detectionFile)")
        let name = "\(models.rawValue)-det"
        detector = OpenVINOTextDetector(
            networks: NetworkPool(
                runtime: runtime,
                name: name,
                fingerprint: detection.fingerprint,
                cacheDirectory: cacheDirectory,
                // Nearly every spine is searched on the same canvas; the others are rare enough to share a network.
                takesAnyShape: true,
                source: { NetworkSource(name: name, bytes: try detection.bytes(), normalization: .imageNet) }
            ),
            canvases: CanvasSizes(canvases)
        )
        recognizer = try Self.recognizer(
            models: models,
            options: options,
            lexicon: lexicon,
            modelDirectory: modelDirectory,
            cacheDirectory: cacheDirectory
        )
    }

    /// Compiles or loads every network shape, so that no later reading has to wait for one.
    public func prepare() throws {
        try detector.prepare()
        try recognizer.prepare()
    }

    /// Compiles or loads the detector's shapes alone, for a reader with another recogniser.
    public func prepareDetector() throws { try detector.prepare() }

    /// OpenVINO's version and build.
    public static var version: String { OpenVINORuntime.version }

    private static func recognizer(
        models: OpenVINOModelSet,
        options: OpenVINOOptions,
        lexicon: Lexicon?,
        modelDirectory: String,
        cacheDirectory: String?
    ) throws -> OpenVINOLineRecognizer {
        let file = try ModelFile(path: "\(modelDirectory)/\(models.recognitionFile)")
        let model = ONNXModel(bytes: try file.bytes())
        guard let characters = model.metadata("character") else {
            throw OpenVINOError.modelUnsuitable(
                path: file.path,
                expected: "an ONNX file with the metadata 'character'",
                found: "none"
            )
        }
        // Class 0 is the blank; PaddleOCR adds the space as the last class.
        let classes =
            [""] + characters.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [" "]
        let kept = classes.indices.filter { $0 == 0 || options.alphabet.admits(classes[$0]) }
        let name = "\(models.rawValue)-rec-\(options.alphabet.rawValue)"
        let path = file.path
        return OpenVINOLineRecognizer(
            networks: NetworkPool(
                // One thread a line: lines side by side use the processor better than one line on all of it.
                runtime: try OpenVINORuntime(
                    execution: NetworkExecution(
                        threads: options.threads,
                        streams: options.threads,
                        precision: options.precision
                    )
                ),
                name: name,
                fingerprint: file.fingerprint,
                cacheDirectory: cacheDirectory,
                source: {
                    var bytes = try file.bytes()
                    if kept.count < classes.count {
                        guard let smaller = ONNXModel(bytes: bytes).keepingClasses(kept, of: classes.count) else {
                            throw OpenVINOError.modelUnsuitable(
                                path: path,
                                expected: "a last layer of \(classes.count) classes",
                                found: "another"
                            )
                        }
                        bytes = smaller.bytes
                    }
                    return NetworkSource(name: name, bytes: bytes, normalization: .symmetric)
                }
            ),
            widths: options.recognizerWidths,
            decoder: CTCDecoder(alphabet: kept.map { classes[$0] }, lexicon: lexicon),
            threads: options.threads
        )
    }
}
