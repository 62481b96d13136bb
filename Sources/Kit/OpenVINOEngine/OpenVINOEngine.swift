internal import Basics
internal import COpenVINO
internal import Foundation
internal import Imaging
package import TextRecognition

/// OpenVINO with PaddleOCR's networks: a detector and a recogniser that are loaded and ready.
public struct OpenVINOEngine: Sendable {
    package let detector: OpenVINOTextDetector
    package let recognizer: OpenVINOLineRecognizer
    /// Precision of the networks: `f32`, `bf16` or `f16`.
    package let precision: InferencePrecision
    /// The canvas that most readings need first.
    private let firstCanvas: NetworkShape

    /// Opens the models; a network is loaded when its first input shape is needed, or by ``prepare()``.
    ///
    /// The canvases of the detector, of which there is one, have sides that are multiples of 32, by which it shrinks its
    /// input; the recogniser's widths in pixels are multiples of 8, its step. The lexicon corrects doubtful words. The
    /// models' folder holds the ONNX files that `make setup` fetches, the cache's folder compiled networks between
    /// processes; nil for none.
    ///
    /// - Throws: ``OpenVINOError`` when a model is missing or is not the network that it should be, or when the
    ///   processor cannot compute in the precision asked for.
    package init(
        models: OpenVINOModelSet,
        threads: Int,
        precision: InferencePrecision,
        alphabet: RecognitionAlphabet,
        canvases: [NetworkShape],
        lineWidths: [Int],
        lexicon: Lexicon? = nil,
        modelDirectory: String,
        cacheDirectory: String?
    ) throws {
        let files = try ModelFiles(models: models, directory: modelDirectory)
        let classes = try RecognitionClasses(of: files, alphabet: alphabet)
        for canvas in canvases where [canvas.width, canvas.height].contains(where: { $0 <= 0 || $0 % 32 != 0 }) {
            throw OpenVINOError.canvasUnsuitable(canvas)
        }
        let loader = try NetworkLoader(threads: threads, precision: precision)
        self.precision = loader.precision
        firstCanvas = canvases[0]
        let detection = NetworkSource(
            name: "\(models.name)-det",
            file: files.detection,
            normalization: .imageNet,
            meaning: "a detector, which answers with one value for each pixel",
            counted: (.detectionCalls, .detectionElements, models.name)
        )
        detector = OpenVINOTextDetector(
            networks: NetworkPool(detection, loader: loader, cacheDirectory: cacheDirectory),
            canvases: CanvasSizes(canvases)
        )
        let recognition = NetworkSource(
            // Includes the number of classes: a network cached by another version may have others.
            name: "\(models.name)-rec-\(alphabet.rawValue)\(classes.texts.count)"
                + (try files.dictionary.map { "-" + (try ModelFile(path: $0).fingerprint) } ?? ""),
            file: files.recognition,
            normalization: .symmetric,
            meaning: "a recogniser, which answers with \(classes.texts.count) values for each step",
            counted: (.recognitionCalls, .recognitionElements, models.name),
            // Compiled for each width, a small one takes 7 MB more, and a sheet a millisecond of its three less.
            takesAnyShape: models != .ppOCRv6Tiny,
            adapt: classes.selection
        )
        recognizer = OpenVINOLineRecognizer(
            networks: NetworkPool(recognition, loader: loader, cacheDirectory: cacheDirectory),
            name: models.name,
            widths: lineWidths,
            decoder: CTCDecoder(alphabet: classes.texts, lexicon: lexicon),
            calibration: models.calibration
        )
    }

    /// Returns the precision in which networks are computed that are requested in another.
    ///
    /// - Throws: ``OpenVINOError``; `precisionUnknown` when this processor lacks it.
    package static func resolved(_ precision: InferencePrecision) throws -> InferencePrecision {
        try Processor.current.get().precision(precision)
    }

    /// Compiles or loads every network shape, so that no later reading has to wait for one.
    public func prepare() throws { try Self.sideBySide(detector.prepare, recognizer.prepare) }

    /// Compiles or loads the two networks that most readings begin with; the others are loaded when they are needed.
    ///
    /// Side by side: a reading would load them one after the other, in twice the time.
    public func prepareFirst() throws {
        try Self.sideBySide {
            try detector.networks.load(firstCanvas)
        } _: {
            try recognizer.networks.load(recognizer.shape(recognizer.widestLine))
        }
    }

    private static func sideBySide(_ one: @Sendable () throws -> Void, _ other: @Sendable () throws -> Void) throws {
        _ = try concurrentMap(2) { index in try index == 0 ? one() : other() }
    }

    /// Returns the memory of released engines to the system: without it, the C library retains most of it.
    public static func giveBackMemory() { give_back_free_memory() }

    /// OpenVINO's version and build; "missing" without its library.
    public static var version: String { NetworkLoader.version }

    /// Why OpenVINO's library, which this opens, cannot be used, and the remedy; nil when it can.
    public static var problem: String? { OpenVINOLibrary.problem.map { "\(OpenVINOError.libraryMissing($0))" } }

    /// Characters that a recogniser can answer with.
    ///
    /// - Throws: ``OpenVINOError`` when the model is missing, or is none that is known.
    package static func characters(
        of models: OpenVINOModelSet,
        alphabet: RecognitionAlphabet,
        modelDirectory: String
    ) throws -> [String] {
        try RecognitionClasses(of: ModelFiles(models: models, directory: modelDirectory), alphabet: alphabet).texts
    }
}

/// Texts of a recogniser's classes.
struct RecognitionClasses: Sendable {
    /// Texts of the remaining classes; the first is the blank.
    let texts: [String]
    /// Removes the other classes from the network's file; nil if all remain.
    private(set) var selection: (@Sendable (UnsafeRawBufferPointer) throws -> [UInt8])?

    init(of files: ModelFiles, alphabet: RecognitionAlphabet) throws {
        let path = files.recognition.path
        func unsuitable(_ path: String, _ expected: String, _ found: String) -> OpenVINOError {
            .modelUnsuitable(path: path, expected: expected, found: found)
        }
        guard let characters = try Self.characters(of: files) else {
            throw unsuitable(
                path,
                "the metadata 'character', or a dictionary beside it (*dict*.txt or *keys*.txt, a character a line)",
                "neither"
            )
        }
        // Class 0 is the blank; PaddleOCR adds the space as the last class, unless the dictionary has it.
        var classes = [""] + characters + [" "]
        if files.classes == classes.count - 1, characters.contains(" ") { classes.removeLast() }
        if let count = files.classes, count != classes.count {
            throw unsuitable(
                files.dictionary ?? path,
                "\(count - 2) characters, as \(path) has \(count) classes with blank and space",
                "\(characters.count)"
            )
        }
        let kept = classes.indices.filter { $0 == 0 || alphabet.admits(classes[$0]) }
        texts = kept.map { classes[$0] }
        guard kept.count < classes.count else { return }
        selection = { [count = classes.count] bytes in
            if let smaller = ONNXModel(bytes: bytes).keepingClasses(kept, of: count) { return smaller }
            throw OpenVINOError.modelUnsuitable(
                path: path,
                expected:
                    "a last layer of \(count) classes in 32-bit floats; with the setting alphabet=all it need not have one",
                found: "another"
            )
        }
    }

    /// Returns the characters in the order of the classes: of the dictionary, or else of the network's own metadata.
    private static func characters(of files: ModelFiles) throws -> [String]? {
        guard let path = files.dictionary else {
            return try files.recognition.mapped().withBytes { ONNXModel(bytes: $0).metadata("character") }.map(lines)
        }
        let bytes: Data
        do { bytes = try Data(contentsOf: URL(filePath: path)) } catch {
            throw OpenVINOError.fileUnusable(path: path, reason: "cannot be read: \(error.systemReason)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw OpenVINOError.fileUnusable(path: path, reason: "is not UTF-8; expected a character a line")
        }
        return lines(
            of: text.utf8.last == UInt8(ascii: "\n") ? String(decoding: text.utf8.dropLast(), as: UTF8.self) : text
        )
    }

    /// Returns the lines without their ends; by bytes, as "\r\n" is one character.
    private static func lines(of text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
    }
}

/// The files of a set of networks, whose inputs and outputs are those of a detector and a recogniser.
struct ModelFiles {
    let detection: ModelFile
    let recognition: ModelFile
    let dictionary: String?
    /// Classes of the recogniser; nil when its file leaves the number open.
    let classes: Int?

    init(models: OpenVINOModelSet, directory: String) throws {
        let paths = try models.files(in: directory)
        dictionary = paths.dictionary
        detection = try ModelFile(path: paths.detection)
        recognition = try ModelFile(path: paths.recognition)
        _ = try detection.output(expecting: "a detector", height: nil, of: 4)
        classes = try recognition.output(expecting: "a recogniser", height: 48, of: 3)[2]
    }
}

extension ModelFile {
    /// Returns the sizes of the network's output, of which an open one is nil.
    ///
    /// - Throws: ``OpenVINOError/modelUnsuitable(path:expected:found:)`` unless the input is a picture of three colours,
    ///   any width and any or this height, and the output has this number of dimensions.
    fileprivate func output(
        expecting network: String,
        height: Int?,
        of dimensions: Int
    ) throws(OpenVINOError) -> [Int?] {
        func text(_ sizes: [Int?]) -> String { NetworkTensor(name: "", dimensions: sizes).shapeText }
        let (input, output) = try mapped().withBytes { bytes in
            let model = ONNXModel(bytes: bytes)
            return (model.sizes(of: .input), model.sizes(of: .output))
        }
        var found = "no whole ONNX file"
        if let input, let output {
            if input.count == 4, [3, nil].contains(input[1]), [height, nil].contains(input[2]), input[3] == nil,
                output.count == dimensions
            {
                return output
            }
            found = "\(text(input)) and \(text(output))"
        }
        throw .modelUnsuitable(
            path: path,
            expected:
                "\(network) with an input of \(text([nil, 3, height, nil])) and an output of \(dimensions) dimensions",
            found: found
        )
    }
}
