internal import Basics
internal import Dispatch
internal import Foundation
internal import Imaging
internal import Synchronization
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
        let classes = try RecognitionClasses(of: files.recognition, alphabet: options.alphabet)
        func engine(_ precision: InferencePrecision) throws -> OpenVINOEngine {
            var options = options
            options.precision = precision
            return try OpenVINOEngine(files, classes, options, lexicon, cacheDirectory)
        }
        guard options.precision == .measured else {
            self = try engine(options.precision)
            return
        }
        let networks = "\(models.rawValue)-\(options.alphabet.rawValue)-\(files.fingerprint)"
        let processor = try Processor.current()
        let cache = cacheDirectory.map {
            "\($0)/precision-\(networks)-\(options.threads)t-\(Self.machine(processor)).txt"
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
            name: "\(files.models.rawValue)-det",
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
            name: "\(files.models.rawValue)-rec-\(options.alphabet.rawValue)\(classes.texts.count)",
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
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            do { try index == 0 ? one() : other() } catch { failure.withLock { $0 = error } }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Compiles or loads the detector's shapes alone, for a reader with another recogniser.
    package func prepareDetector() throws { try detector.prepare() }

    /// Returns the memory of released engines to the system: without it, the C library retains most of it.
    package static func giveBackMemory() { OpenVINORuntime.giveBackMemory() }

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

    init(of file: ModelFile, alphabet: RecognitionAlphabet) throws {
        guard let characters = try file.mapped().withBytes({ ONNXModel(bytes: $0).metadata("character") }) else {
            throw OpenVINOError.modelUnsuitable(
                path: file.path,
                expected: "an ONNX file with the metadata 'character'",
                found: "none"
            )
        }
        // Class 0 is the blank; PaddleOCR adds the space as the last class.
        let classes: [String] =
            [""] + characters.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [" "]
        let kept = classes.indices.filter { $0 == 0 || alphabet.admits(classes[$0]) }
        texts = kept.map { classes[$0] }
        guard kept.count < classes.count else { return }
        selection = { [count = classes.count] bytes in
            if let smaller = ONNXModel(bytes: bytes).keepingClasses(kept, of: count) { return smaller.bytes }
            throw OpenVINOError.modelUnsuitable(
                path: file.path,
                expected: "a last layer of \(count) classes",
                found: "another"
            )
        }
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
