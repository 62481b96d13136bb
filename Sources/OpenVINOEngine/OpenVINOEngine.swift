internal import Foundation
internal import TextRecognition
let LX: Lexicon? = ProcessInfo.processInfo.environment["LX"].map { Lexicon(contentsOf: $0.split(separator: ",").map { "/usr/share/dict/" + $0 }) }

/// The networks that OpenVINO can run for the reader.
public enum OpenVINOModelSet: String, Sendable, Codable, CaseIterable {
    case ppOCRv6Small = "ppocrv6-small"
    case ppOCRv4Mobile = "ppocrv4-mobile"

    var detectionFile: String { "\(rawValue)-det.onnx" }
    var recognitionFile: String { "\(rawValue)-rec.onnx" }
}

/// The characters that a recogniser may answer with.
public enum RecognitionAlphabet: String, Sendable, Codable, CaseIterable {
    /// Letters of the Latin scripts, digits, punctuation and common signs: what spines in European languages carry.
    /// The other classes are cut out of the network, which makes it about a quarter faster.
    case latin
    /// Everything that the model knows.
    case all

    func admits(_ text: String) -> Bool {
        switch self {
        case .all: true
        case .latin:
            text.unicodeScalars.allSatisfy { scalar in
                switch scalar.value {
                // Basic Latin to Latin Extended-B; Latin Extended Additional; dashes, quotation marks, bullet, ellipsis.
                case 0x20..<0x250, 0x1E00..<0x1F00, 0x2010...0x2026: true
                // Euro, numero, trade mark.
                case 0x20AC, 0x2116, 0x2122: true
                default: false
                }
            }
        }
    }
}

/// How the networks are compiled and run.
public struct OpenVINOOptions: Sendable, Hashable, Codable {
    /// Processor threads.
    public var threads: Int
    /// `bf16` or `f32`; nil takes bf16 where the CPU has it.
    public var precision: String?
    public var alphabet: RecognitionAlphabet
    /// Canvas sizes of the detector as [width, height] in pixels.
    public var detectorCanvases: [[Int]]
    /// Widths of the recogniser in pixels.
    public var recognizerWidths: [Int]

    public init(
        threads: Int,
        precision: String? = nil,
        alphabet: RecognitionAlphabet = .latin,
        detectorCanvases: [[Int]],
        recognizerWidths: [Int]
    ) {
        self.threads = threads
        self.precision = precision
        self.alphabet = alphabet
        self.detectorCanvases = detectorCanvases
        self.recognizerWidths = recognizerWidths
    }
}

/// OpenVINO with PaddleOCR's networks: a detector and a recogniser that are loaded and ready.
public struct OpenVINOEngine: Sendable {
    public let detector: OpenVINOTextDetector
    public let recognizer: OpenVINOLineRecognizer
    /// `bf16` or `f32`: what the networks compute in.
    public let precision: String

    /// Opens the models; a network is compiled when its first input shape is needed.
    ///
    /// - Parameters:
    ///   - modelDirectory: Holds the ONNX files that `make setup` fetches.
    ///   - cacheDirectory: Where compiled networks are kept between processes; nil for none.
    /// - Throws: ``OpenVINOError`` when a model is missing or is not the network that it should be.
    public init(
        models: OpenVINOModelSet,
        options: OpenVINOOptions,
        modelDirectory: String,
        cacheDirectory: String?
    ) throws {
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
                source: { NetworkSource(name: name, bytes: try detection.bytes(), normalization: .imageNet) }
            ),
            canvases: CanvasSizes(options.detectorCanvases.map { NetworkShape(width: $0[0], height: $0[1]) })
        )
        recognizer = try Self.recognizer(
            models: models,
            options: options,
            modelDirectory: modelDirectory,
            cacheDirectory: cacheDirectory
        )
    }

    /// Compiles or loads every network shape, so that no later reading has to wait for one.
    public func prepare() throws {
        try detector.prepare()
        try recognizer.prepare()
    }

    /// OpenVINO's version and build.
    public static var version: String { OpenVINORuntime.version }

    private static func recognizer(
        models: OpenVINOModelSet,
        options: OpenVINOOptions,
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
            decoder: CTCDecoder(alphabet: kept.map { classes[$0] }, lexicon: LX),
            threads: options.threads
        )
    }
}
