internal import Basics
internal import COpenVINO
internal import Foundation
internal import Imaging
package import TextRecognition

/// OpenVINO with PaddleOCR's networks: a detector and a recogniser that are loaded and ready.
package struct OpenVINOEngine: Sendable {
    package let detector: OpenVINOTextDetector
    package let recognizer: OpenVINOLineRecognizer
    /// Precision of the networks: `f32`, `bf16` or `f16`.
    package let precision: InferencePrecision
    /// Timings that determined the precision; nil if it was requested.
    package private(set) var precisionTimings: PrecisionTimings?
    /// The canvas that most readings need first.
    private let firstCanvas: NetworkShape

    /// Opens the models; a network is loaded when its first input shape is needed, or by ``prepare()``.
    ///
    /// With ``InferencePrecision/measured`` both precisions are compiled and timed, which takes a second or two when
    /// the cache has no timings of this machine, and nothing when it has.
    ///
    /// The lexicon corrects doubtful words. The models' folder holds the ONNX files that `make setup` fetches, the
    /// cache's folder compiled networks and timings between processes; nil for none.
    ///
    /// - Throws: ``OpenVINOError`` when a model is missing or is not the network that it should be, or when the
    ///   processor cannot compute in the precision asked for.
    package init(
        models: OpenVINOModelSet,
        options: OpenVINOOptions,
        lexicon: Lexicon? = nil,
        modelDirectory: String,
        cacheDirectory: String?
    ) throws {
        let files = try ModelFiles(models: models, directory: modelDirectory)
        let classes = try RecognitionClasses(of: files, alphabet: options.alphabet)
        func engine(_ precision: InferencePrecision) throws -> OpenVINOEngine {
            var options = options
            options.precision = precision
            return try OpenVINOEngine(files, classes, options, lexicon, cacheDirectory)
        }
        guard options.precision == .measured else {
            self = try engine(options.precision)
            return
        }
        let networks = "\(models.name)-\(options.alphabet.rawValue)-\(files.fingerprint)"
        let processor = try Processor.current()
        let cache = cacheDirectory.map {
            "\($0)/precision-\(networks)-\(options.threads)t-\(Self.machine(processor)).json"
        }
        var timed: [InferencePrecision: OpenVINOEngine] = [:]
        let timings = try PrecisionTimings.taken(among: processor.precisions.filter { $0 != .f16 }, cache: cache) {
            let engine = try engine($0)
            timed[$0] = engine
            try engine.prepareFirst()
            return { try engine.inferenceTimeOfASpine() }
        }
        self = try timed[timings.quickest] ?? engine(timings.quickest)
        precisionTimings = timings
        if timed.count > 1 {
            timed = [:]
            Self.giveBackMemory()
        }
    }

    private init(
        _ files: ModelFiles,
        _ classes: RecognitionClasses,
        _ options: OpenVINOOptions,
        _ lexicon: Lexicon?,
        _ cacheDirectory: String?
    ) throws {
        let canvases = options.detectorCanvases
        for canvas in canvases where [canvas.width, canvas.height].contains(where: { $0 <= 0 || $0 % 32 != 0 }) {
            throw OpenVINOError.canvasUnsuitable(canvas)
        }
        let execution = NetworkExecution(threads: options.threads, precision: options.precision.hint)
        let runtime = try OpenVINORuntime(execution: execution)
        precision = try Processor.current().precision(options.precision)
        let detection = NetworkSource(
            name: "\(files.models.name)-det",
            file: files.detection,
            normalization: .imageNet
        )
        firstCanvas = canvases[0]
        detector = OpenVINOTextDetector(
            networks: NetworkPool(detection, runtime: runtime, cacheDirectory: cacheDirectory),
            canvases: CanvasSizes(canvases)
        )
        let recognition = NetworkSource(
            // Includes the number of classes: a network cached by another version may have others.
            name: "\(files.models.name)-rec-\(options.alphabet.rawValue)\(classes.texts.count)"
                + (try files.dictionary.map { "-" + (try ModelFile(path: $0).fingerprint) } ?? ""),
            file: files.recognition,
            normalization: .symmetric,
            takesAnyShape: true,
            adapt: classes.selection
        )
        recognizer = OpenVINOLineRecognizer(
            networks: NetworkPool(recognition, runtime: runtime, cacheDirectory: cacheDirectory),
            widths: options.recognizerWidths,
            decoder: CTCDecoder(alphabet: classes.texts, lexicon: lexicon),
            calibration: files.models == .ppOCRv6Small ? .ppOCRv6Small : nil
        )
    }

    /// Precisions that this processor has without emulation.
    ///
    /// - Throws: ``OpenVINOError/callFailed(operation:status:message:)``.
    package static func precisions() throws -> [InferencePrecision] { try Processor.current().precisions }

    /// Returns the machine that a timing holds for, as part of a file's name: host, processor and OpenVINO's version.
    private static func machine(_ processor: Processor) -> String {
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let name = host.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        return String(
            "\(name)-\(processor.name)-\(version)".map { $0.isLetter || $0.isNumber || ".-".contains($0) ? $0 : "_" }
        )
    }

    /// Returns the running time of the networks for one spine with two lines of the greatest width.
    ///
    /// They are the first ones alone, which the chosen precision needs at once.
    private func inferenceTimeOfASpine() throws -> Duration {
        // Any pattern is suitable: the time does not depend on the content, except for numbers next to zero.
        func picture(_ width: Int, _ height: Int) -> RasterImage {
            let pixels = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* 7 % 251) }
            return RasterImage(width: width, height: height, channels: 1, pixels: pixels)
        }
        let line = picture(recognizer.widestLine, recognizer.lineHeight)
        return try detector.detect(in: picture(firstCanvas.width, firstCanvas.height)).inferenceTime
            + recognizer.recognize([line, line]).inferenceTime
    }

    /// Compiles or loads every network shape, so that no later reading has to wait for one.
    package func prepare() throws { try Self.sideBySide(detector.prepare, recognizer.prepare) }

    /// Compiles or loads the two networks that most readings begin with; the others are loaded when they are needed.
    ///
    /// Side by side: a reading would load them one after the other, in twice the time.
    package func prepareFirst() throws {
        try Self.sideBySide {
            _ = try detector.networks.network(for: firstCanvas)
        } _: {
            _ = try recognizer.networks.network(
                for: NetworkShape(width: recognizer.widestLine, height: recognizer.lineHeight)
            )
        }
    }

    private static func sideBySide(_ one: @Sendable () throws -> Void, _ other: @Sendable () throws -> Void) throws {
        _ = try concurrentMap(2) { index in try index == 0 ? one() : other() }
    }

    /// Returns the memory of released engines to the system: without it, the C library retains most of it.
    package static func giveBackMemory() { give_back_free_memory() }

    /// OpenVINO's version and build; "missing" without its library.
    package static var version: String { OpenVINORuntime.version }

    /// Why OpenVINO's library, which this opens, cannot be used, and the remedy; nil when it can.
    package static var problem: String? { OpenVINOLibrary.problem.map { "\(OpenVINOError.libraryMissing($0))" } }
}

/// Texts of a recogniser's classes.
struct RecognitionClasses: Sendable {
    /// Texts of the remaining classes; the first is the blank.
    var texts: [String] = []
    /// Removes the other classes from the network's file; nil if all remain.
    var selection: (@Sendable (UnsafeRawBufferPointer) throws -> [UInt8])?

    init(of files: ModelFiles, alphabet: RecognitionAlphabet) throws {
        let path = files.recognition.path
        guard let characters = try Self.characters(of: files) else {
            throw OpenVINOError.modelUnsuitable(
                path: path,
                expected:
                    "the metadata 'character', or a dictionary beside it (*dict*.txt or *keys*.txt, a character a line)",
                found: "neither"
            )
        }
        // Class 0 is the blank; PaddleOCR adds the space as the last class, unless the dictionary has it.
        var classes = [""] + characters + [" "]
        if files.classes == classes.count - 1, characters.contains(" ") { classes.removeLast() }
        if let count = files.classes, count != classes.count {
            throw OpenVINOError.modelUnsuitable(
                path: files.dictionary ?? path,
                expected: "\(count - 2) characters, as \(path) has \(count) classes with blank and space",
                found: "\(characters.count)"
            )
        }
        let kept = classes.indices.filter { $0 == 0 || alphabet.admits(classes[$0]) }
        texts = kept.map { classes[$0] }
        guard kept.count < classes.count else { return }
        selection = { [count = classes.count] bytes in
            if let smaller = ONNXModel(bytes: bytes).keepingClasses(kept, of: count) { return smaller.bytes }
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
            let text = try files.recognition.mapped().withBytes { ONNXModel(bytes: $0).metadata("character") }
            return text.map { lines(of: Array($0.utf8)) }
        }
        do {
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            guard String(validating: bytes, as: UTF8.self) != nil else {
                throw OpenVINOError.fileUnusable(path: path, reason: "is not UTF-8; expected a character a line")
            }
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            return lines(of: bytes)
        } catch let error as OpenVINOError {
            throw error
        } catch {
            throw OpenVINOError.fileUnusable(path: path, reason: "cannot be read: \(error.systemReason)")
        }
    }

    /// Returns the lines without their ends; by bytes, as "\r\n" is one character.
    private static func lines(of bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
    }
}

/// The files of a set of networks, whose inputs and outputs are those of a detector and a recogniser.
struct ModelFiles {
    let models: OpenVINOModelSet
    let detection: ModelFile
    let recognition: ModelFile
    let dictionary: String?
    /// Classes of the recogniser; nil when its file leaves the number open.
    let classes: Int?

    init(models: OpenVINOModelSet, directory: String) throws {
        self.models = models
        let paths = try models.files(in: directory)
        dictionary = paths.dictionary
        detection = try ModelFile(path: paths.detection)
        recognition = try ModelFile(path: paths.recognition)
        _ = try detection.output(expecting: "a detector", height: nil, of: 4)
        classes = try recognition.output(expecting: "a recogniser", height: 48, of: 3)[2]
    }

    var fingerprint: String { "\(detection.fingerprint)-\(recognition.fingerprint)" }
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
        let (input, output) = try mapped().withBytes { bytes in
            let model = ONNXModel(bytes: bytes)
            return (model.sizes(of: .input), model.sizes(of: .output))
        }
        func text(_ sizes: [Int?]) -> String { NetworkTensor(name: "", dimensions: sizes).shapeText }
        if let input, let output, input.count == 4, [3, nil].contains(input[1]), [height, nil].contains(input[2]),
            input[3] == nil, output.count == dimensions
        {
            return output
        }
        throw .modelUnsuitable(
            path: path,
            expected:
                "\(network) with an input of \(text([nil, 3, height, nil])) and an output of \(dimensions) dimensions",
            found: input.flatMap { input in output.map { "\(text(input)) and \(text($0))" } } ?? "no whole ONNX file"
        )
    }
}
