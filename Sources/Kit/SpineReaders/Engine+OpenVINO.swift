import Foundation
import OpenVINOEngine
import TextRecognition

extension Engine {
    /// PaddleOCR's networks find and read the lines.
    public static let openVINO = Engine(
        name: "openvino",
        settings: networkSettings.union(["first-models", "line-widths", "alphabet", "correction", "word-list"]),
        listing: {
            let state = "\(OpenVINOEngine.version), CPU, \(Installation.threads) threads"
            return ("OpenVINO", OpenVINOEngine.problem ?? state)
        },
        problem: { settings in
            OpenVINOEngine.problem ?? settings.missingNetworks(\.all) ?? settings.missingPrecision
                ?? settings.missingWordList
        },
        files: { settings in try settings.networkFiles(\.all) + settings.wordLists },
        load: { settings in
            let engine = try settings.openVINOEngine()
            try engine.prepareFirst()
            return try settings.spineReader(
                engine,
                recognizer: settings.cascade(before: engine) ?? engine.recognizer,
                description: settings.description(of: engine, files: \.all),
                prepare: engine.prepare
            )
        }
    )

    /// Keys of the settings of engines whose lines are found by a network.
    static let networkSettings: Set<String> = [
        "models", "looks", "further-looks", "canvases", "orientation", "sure-confidence",
        "minimum-confidence", "precision", "threads", "prewarm",
    ]
}

extension ReadingSettings {
    /// Returns the paths of some networks, and of the classifier if one is requested.
    ///
    /// - Throws: `OpenVINOError` for a folder without them.
    func networkFiles(_ part: (NetworkPaths) -> [String]) throws(OpenVINOError) -> [String] {
        let classifier = reader.orientation == .classifier ? [OpenVINOModelSet.classifierFile] : []
        let folder = Installation.modelDirectory
        let files = part(try models.files(in: folder)) + classifier.map { "\(folder)/\($0)" }
        guard let first = try firstModels?.files(in: folder) else { return files }
        return files + first.all.filter { $0 != first.detection }
    }

    func missingNetworks(_ part: (NetworkPaths) -> [String]) -> String? {
        do {
            let missing = try networkFiles(part).filter { !FileManager.default.isReadableFile(atPath: $0) }
                .map { URL(filePath: $0).lastPathComponent }
            guard missing.isEmpty else {
                return "\(missing.joined(separator: " and ")) not in \(Installation.modelDirectory); "
                    + "run 'make setup', or set SPINEBENCH_MODELS to the models' folder"
            }
            for case .folder(let path)? in [models, firstModels] {
                _ = try OpenVINOEngine.characters(of: .folder(path), alphabet: alphabet, modelDirectory: "")
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    var missingPrecision: String? {
        guard precision == .bf16 || precision == .f16 else { return nil }
        do {
            let known = try OpenVINOEngine.precisions()
            return known.contains(precision) ? nil : "\(OpenVINOError.precisionUnknown(precision, known: known))"
        } catch {
            return "\(error)"
        }
    }

    fileprivate var wordLists: [String] {
        correction ? Installation.wordLists + (wordList == Self.noWordList ? [] : [wordList]) : []
    }

    fileprivate var missingWordList: String? {
        if firstModels != nil, wordLists.isEmpty { return "first-models needs correction=on and a word list" }
        guard wordLists.contains(wordList) else { return nil }
        let kind = try? URL(filePath: wordList).resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey])
        if kind?.isRegularFile ?? false, FileManager.default.isReadableFile(atPath: wordList) { return nil }
        return "cannot read \(wordList): word-list expects a file with one word per line"
    }

    func openVINOEngine() throws -> OpenVINOEngine {
        try OpenVINOEngine(
            models: models,
            options: openVINO,
            lexicon: wordLists.isEmpty
                ? nil : Lexicon(contentsOf: wordLists, cacheDirectory: Installation.cacheDirectory),
            modelDirectory: Installation.modelDirectory,
            cacheDirectory: Installation.cacheDirectory
        )
    }

    /// Returns the recognisers of `firstModels` and of an engine; nil without the former.
    fileprivate func cascade(before engine: OpenVINOEngine) throws -> CascadedLineRecognizer? {
        guard let firstModels else { return nil }
        var settings = with(engine: .openVINO, models: firstModels)
        settings.precision = engine.precision
        return try CascadedLineRecognizer(first: settings.openVINOEngine().recognizer, second: engine.recognizer)
    }

    /// Returns a reader whose lines the engine's detector finds.
    func spineReader(
        _ engine: OpenVINOEngine,
        recognizer: any LineRecognizer,
        description: [String: String],
        prepare: @escaping @Sendable () throws -> Void
    ) throws -> LoadedReader {
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
        return LoadedReader(
            scanner: SpineScanner(reader: reader),
            shelf: ShelfReader(detector: engine.detector.ofPhotos, reader: reader),
            description: description
        ) {
            try prepare()
            try classifier?.prepare()
        }
    }

    /// Names of files with their sizes; a megabyte is 1,000,000 bytes.
    static func sized(_ paths: [String]) -> String {
        paths.map { path in
            let name = URL(filePath: path).lastPathComponent
            guard
                let bytes = try? URL(filePath: path).resolvingSymlinksInPath().resourceValues(forKeys: [.fileSizeKey])
                    .fileSize
            else { return name }
            return "\(name) (\(String(format: "%.1f", Double(bytes) / 1e6)) MB)"
        }.joined(separator: ", ")
    }

    func description(of engine: OpenVINOEngine, files: (NetworkPaths) -> [String]) -> [String: String] {
        var precision = engine.precision.rawValue
        if let timings = engine.precisionTimings, timings.all.count > 1 {
            let texts = timings.all.map { "\($0.precision.rawValue) \(String(format: "%.1f", $0.milliseconds)) ms" }
            precision += " (measured \(timings.date): \(texts.joined(separator: ", ")))"
        }
        return [
            "engine": "OpenVINO \(OpenVINOEngine.version)",
            "models": Self.sized((try? networkFiles(files)) ?? []),
            "precision": precision,
            "threads": "\(threads)",
            "word lists": wordLists.isEmpty ? "none" : wordLists.joined(separator: ", "),
        ]
    }
}
