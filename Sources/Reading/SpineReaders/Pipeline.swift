import Foundation
import OpenVINOEngine
import Raster
import TesseractEngine
package import TextRecognition
import VisionEngine

/// A reading pipeline that is loaded.
package struct Pipeline {
    /// From a picture's bytes to text.
    package var scanner: SpineScanner
    /// Engine, version, models, precision and threads, for reports.
    package var description: [String: String]
    /// Loads what the reader would otherwise load when it first needs it.
    package var prepare: @Sendable () throws -> Void = {}
}

extension PipelineSettings {
    /// Loads what the settings say.
    ///
    /// - Throws: the engine's error, which says what is missing and what to do.
    package func load() throws -> Pipeline {
        switch engine {
        case .openVINO:
            let engine = try openVINOEngine()
            return try spineReader(engine, engine.recognizer, description(of: engine), prepare: engine.prepare)
        case .tesseractLines:
            let engine = try openVINOEngine()
            let recognizer = try TesseractLineRecognizer(languages: languages)
            let description = description(of: engine)
                .merging(tesseractDescription(recognizer.installation)) { "\($0) + \($1)" }
            return try spineReader(engine, recognizer, description, prepare: engine.prepareDetector)
        case .tesseract:
            let reader = try TesseractSpineReader(languages: languages)
            return Pipeline(scanner: scanner(reader), description: tesseractDescription(reader.installation))
        case .vision:
            #if canImport(Vision)
            let reader = VisionSpineReader(usesLanguageCorrection: correction)
            return Pipeline(scanner: scanner(reader), description: ["engine": "Apple Vision"])
            #else
            throw MissingEngine(reason: problem ?? "")
            #endif
        }
    }

    /// Problem: what is missing on this machine, and what to do about it; nil when nothing is known to be missing.
    package var problem: String? {
        switch engine {
        case .openVINO: return missingFiles ?? missingPrecision
        case .tesseractLines: return missingFiles ?? missingPrecision ?? missingLanguages
        case .tesseract: return missingLanguages
        case .vision:
            #if canImport(Vision)
            return nil
            #else
            return "Apple Vision comes with macOS and iOS"
            #endif
        }
    }

    /// The files that decide what is read.
    ///
    /// - Throws: `TesseractError` when Tesseract is not there.
    package var files: [String] {
        get throws {
            switch engine {
            case .openVINO: return networkFiles + (correction ? Installation.wordLists : [])
            case .tesseractLines: return try networkFiles + languageFiles
            case .tesseract: return try languageFiles
            case .vision: return []
            }
        }
    }

    private var networkFiles: [String] {
        let names: [String]
        switch engine {
        case .tesseractLines: names = [models.detectionFile]
        default: names = models.files
        }
        let classifier = reader.orientation == .classifier ? [OpenVINOModelSet.classifierFile] : []
        return (names + classifier).map { "\(Installation.modelDirectory)/\($0)" }
    }

    private var languageFiles: [String] {
        get throws {
            let folder = try TesseractInstallation.find(languages: languages).dataPath
            let separator = folder.hasSuffix("/") ? "" : "/"
            return languages.split(separator: "+").map { "\(folder)\(separator)\($0).traineddata" }
        }
    }

    // MARK: What is missing

    private var missingFiles: String? {
        let missing = networkFiles.filter { !FileManager.default.isReadableFile(atPath: $0) }
            .map { URL(filePath: $0).lastPathComponent }
        guard !missing.isEmpty else { return nil }
        return "\(missing.joined(separator: " and ")) not in \(Installation.modelDirectory); "
            + "run 'make setup', or say where the models are in SPINEBENCH_MODELS"
    }

    private var missingPrecision: String? {
        guard precision == .bf16 || precision == .f16 else { return nil }
        do {
            let known = try OpenVINOEngine.precisions()
            return known.contains(precision) ? nil : "\(OpenVINOError.precisionUnknown(precision, known: known))"
        } catch {
            return "\(error)"
        }
    }

    private var missingLanguages: String? {
        do {
            _ = try TesseractInstallation.find(languages: languages)
            return nil
        } catch {
            return "\(error)"
        }
    }

    // MARK: Loading

    private func scanner(_ reader: any SpineTextReader) -> SpineScanner {
        switch preprocessing {
        case .none: SpineScanner(reader: reader, sufficientShortSide: decodeShortSide)
        case .autocontrast: SpineScanner(reader: Autocontrast(reader: reader), sufficientShortSide: decodeShortSide)
        }
    }

    private func openVINOEngine() throws -> OpenVINOEngine {
        try OpenVINOEngine(
            models: models,
            options: openVINO,
            lexicon: wordLists.isEmpty ? nil : Lexicon(contentsOf: wordLists),
            modelDirectory: Installation.modelDirectory,
            cacheDirectory: Installation.cacheDirectory
        )
    }

    private var wordLists: [String] { correction ? Installation.wordLists : [] }

    private func spineReader(
        _ engine: OpenVINOEngine,
        _ recognizer: any LineRecognizer,
        _ description: [String: String],
        prepare: @escaping @Sendable () throws -> Void
    ) throws -> Pipeline {
        var options = openVINO
        options.precision = engine.precision
        let classifier =
            reader.orientation == .classifier
            ? try OpenVINODirectionClassifier(
                options: options,
                modelDirectory: Installation.modelDirectory,
                cacheDirectory: Installation.cacheDirectory
            ) : nil
        let reader = SpineReader(
            detector: engine.detector,
            recognizer: recognizer,
            classifier: classifier,
            configuration: reader
        )
        let pipeline = Pipeline(scanner: scanner(reader), description: description) {
            try prepare()
            try classifier?.prepare()
        }
        if prewarm { try pipeline.prepare() }
        return pipeline
    }

    // MARK: Descriptions

    private func description(of engine: OpenVINOEngine) -> [String: String] {
        var precision = engine.precision.rawValue
        if let timings = engine.precisionTimings, timings.all.count > 1 {
            let texts = timings.all.map { "\($0.precision.rawValue) \(String(format: "%.1f", $0.milliseconds)) ms" }
            precision += " (measured: \(texts.joined(separator: ", ")))"
        }
        return [
            "engine": "OpenVINO \(OpenVINOEngine.version)",
            "models": networkFiles.map { URL(filePath: $0).lastPathComponent }.joined(separator: ", "),
            "precision": precision,
            "threads": "\(threads)",
            "word lists": wordLists.isEmpty ? "none" : wordLists.joined(separator: ", "),
        ]
    }

    private func tesseractDescription(_ installation: TesseractInstallation) -> [String: String] {
        [
            "engine": "Tesseract \(installation.version)", "models": "\(languages) (\(installation.dataPath))",
            "precision": "f32 and int8, as the language data has it", "threads": "1",
        ]
    }
}

/// Reads pictures, and frames, whose contrast was stretched before.
private struct Autocontrast: SpineTextReader {
    var reader: any SpineTextReader

    func read(_ image: RasterImage) throws -> SpineReading { try reader.read(image.autocontrasted()) }
}

/// An engine that this build does not have.
private struct MissingEngine: Error, CustomStringConvertible {
    var reason: String
    var description: String { reason }
}
