import Foundation
package import OpenVINOEngine
import TextRecognition

extension Engine {
    /// PaddleOCR's networks find and read the lines.
    public static let openVINO = Engine(
        name: "openvino",
        listing: {
            let measured = try? OpenVINOEngine.resolved(.measured).rawValue
            let state =
                "\(OpenVINOEngine.version), CPU, \(Installation.threads) threads, precision=measured is \(measured ?? "unknown")"
            return ("OpenVINO", OpenVINOEngine.problem ?? state)
        },
        check: { settings in
            try settings.checkNetworks(\.all)
            try settings.checkWordList()
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
}

extension ReadingSettings {
    /// Returns the paths of some networks, and of the classifier if one is requested.
    ///
    /// - Throws: `OpenVINOError` for a folder without them.
    func networkFiles(_ part: (NetworkPaths) -> [String]) throws(OpenVINOError) -> [String] {
        let folder = Installation.modelDirectory
        let classifier = reader.orientation == .classifier ? ["\(folder)/\(OpenVINOModelSet.classifierFile)"] : []
        let first = try firstModels?.files(in: folder)
        return part(try models.files(in: folder)) + classifier
            + (first?.all.filter { $0 != first?.detection } ?? [])
    }

    /// - Throws: the reason why OpenVINO cannot run some networks, with the remedy.
    func checkNetworks(_ part: (NetworkPaths) -> [String]) throws {
        if let problem = OpenVINOEngine.problem { throw MissingEngine(description: problem) }
        let missing = try networkFiles(part).filter { !FileManager.default.isReadableFile(atPath: $0) }
            .map { URL(filePath: $0).lastPathComponent }
        guard missing.isEmpty else {
            throw MissingEngine(
                description: "\(missing.joined(separator: " and ")) not in \(Installation.modelDirectory); "
                    + "run 'make setup', or set SPINEBENCH_MODELS to the models' folder"
            )
        }
        for case .folder(let path)? in [models, firstModels] {
            _ = try OpenVINOEngine.characters(of: .folder(path), alphabet: alphabet, modelDirectory: "")
        }
        // Every processor has the others.
        if precision == .bf16 || precision == .f16 { _ = try OpenVINOEngine.resolved(precision) }
    }

    fileprivate var wordLists: [String] {
        correction ? Installation.wordLists + (wordList == Self.noWordList ? [] : [wordList]) : []
    }

    fileprivate func checkWordList() throws(MissingEngine) {
        if firstModels != nil, wordLists.isEmpty {
            throw MissingEngine(description: "first-models needs correction=on and a word list")
        }
        guard wordLists.contains(wordList) else { return }
        let kind = try? URL(filePath: wordList).resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey])
        if kind?.isRegularFile ?? false, FileManager.default.isReadableFile(atPath: wordList) { return }
        throw MissingEngine(
            description: "cannot read \(wordList): word-list expects a file with one word per line"
        )
    }

    /// Opens the networks; see ``OpenVINOEngine``.
    package func openVINOEngine() throws -> OpenVINOEngine {
        try OpenVINOEngine(
            models: models,
            threads: threads,
            precision: precision,
            alphabet: alphabet,
            canvases: resolvedCanvases,
            lineWidths: lineWidths,
            lexicon: wordLists.isEmpty
                ? nil : Lexicon(contentsOf: wordLists, cacheDirectory: Installation.cacheDirectory),
            modelDirectory: Installation.modelDirectory,
            cacheDirectory: Installation.cacheDirectory
        )
    }

    /// Returns the recognisers of `firstModels` and of an engine; nil without the former.
    fileprivate func cascade(before engine: OpenVINOEngine) throws -> CascadedLineRecognizer? {
        guard let firstModels else { return nil }
        let first = try with(models: firstModels).openVINOEngine().recognizer
        return try CascadedLineRecognizer(first: first, second: engine.recognizer)
    }

    /// Returns a reader whose lines the engine's detector finds.
    func spineReader(
        _ engine: OpenVINOEngine,
        recognizer: any LineRecognizer,
        description: [String: String],
        prepare: @escaping @Sendable () throws -> Void
    ) throws -> LoadedReader {
        let classifier =
            reader.orientation == .classifier
            ? try OpenVINODirectionClassifier(
                threads: threads,
                precision: precision,
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
            let file = URL(filePath: path)
            let size = try? file.resolvingSymlinksInPath().resourceValues(forKeys: [.fileSizeKey]).fileSize
            return file.lastPathComponent + (size.map { String(format: " (%.1f MB)", Double($0) / 1e6) } ?? "")
        }.joined(separator: ", ")
    }

    func description(of engine: OpenVINOEngine, files: (NetworkPaths) -> [String]) -> [String: String] {
        [
            "engine": "OpenVINO \(OpenVINOEngine.version)",
            "models": Self.sized((try? networkFiles(files)) ?? []),
            "precision": engine.precision.rawValue,
            "threads": "\(threads)",
            "word lists": wordLists.isEmpty ? "none" : wordLists.joined(separator: ", "),
        ]
    }
}
