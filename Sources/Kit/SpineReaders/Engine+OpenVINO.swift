import Basics
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
            let first = try settings.firstStage.map { try settings.with(models: $0).openVINOEngine() }
            try (first ?? engine).prepareFirst()
            return try settings.spineReader(
                engine,
                after: first,
                recognizer: engine.recognizer,
                description: settings.description(of: engine, files: \.all)
            ) {
                try first?.prepare()
                try first == nil || settings.gate == .spines ? engine.prepare() : engine.recognizer.prepare()
            }
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
        let first = engine == .openVINO ? firstStage : nil
        return part(try models.files(in: folder)) + classifier + (try first?.files(in: folder).all ?? [])
    }

    /// - Throws: the reason why OpenVINO cannot run some networks, with the remedy.
    func checkNetworks(_ part: (NetworkPaths) -> [String]) throws {
        if let problem = OpenVINOEngine.problem { throw MissingEngine(description: problem) }
        let missing = try networkFiles(part).filter { !FileManager.default.isReadableFile(atPath: $0) }
            .map { URL(filePath: $0).lastPathComponent }
        guard missing.isEmpty else {
            throw MissingEngine(
                description: "\(missing.joined(separator: " and ")) not in \(Installation.modelDirectory); "
                    + "\(ProjectFolder.remedy), or set SPINEBENCH_MODELS to the models' folder"
            )
        }
        for case .folder(let path)? in [models, firstStage] {
            _ = try OpenVINOEngine.characters(of: .folder(path), alphabet: alphabet, modelDirectory: "")
        }
        // Every processor has the others.
        if precision == .bf16 || precision == .f16 { _ = try OpenVINOEngine.resolved(precision) }
    }

    fileprivate var wordLists: [String] {
        correction ? Installation.wordLists + (wordList == Self.noWordList ? [] : [wordList]) : []
    }

    fileprivate func checkWordList() throws(MissingEngine) {
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

    /// Returns a reader whose lines the engine's detector finds; `first` is the engine of a stage before it.
    func spineReader(
        _ engine: OpenVINOEngine,
        after first: OpenVINOEngine? = nil,
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
        func stage(_ detector: OpenVINOTextDetector, _ recognizer: any LineRecognizer) -> SpineReader {
            SpineReader(
                detector: detector,
                recognizer: recognizer,
                classifier: classifier,
                configuration: self.reader
            )
        }
        let reader = stage(engine.detector, recognizer)
        let staged = first.map { StagedReader(first: stage($0.detector, $0.recognizer), then: reader, gate: gate) }
        return LoadedReader(
            scanner: SpineScanner(reader: staged ?? reader),
            shelf: ShelfReader(detector: (first ?? engine).detector.ofPhotos, reader: reader, staged: staged),
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
