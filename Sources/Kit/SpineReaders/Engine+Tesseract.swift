import OpenVINOEngine
import TesseractEngine
import TextRecognition

extension Engine {
    /// Tesseract reads the whole crop.
    public static let tesseract = Engine(
        name: "tesseract",
        listing: {
            do {
                let found = try TesseractInstallation.find()
                let languages = "languages \(found.languages.joined(separator: ", ")) in \(found.dataPath)"
                return ("Tesseract", "\(found.version), \(languages), 1 thread")
            } catch {
                return ("Tesseract", "missing: \(error), 1 thread")
            }
        },
        check: { _ = try $0.tesseract },
        files: { try $0.languageFiles },
        load: { settings in
            let reader = try TesseractSpineReader(languages: settings.languages)
            let description = settings.description(of: reader.installation)
            return LoadedReader(scanner: SpineScanner(reader: reader), description: description)
        }
    )

    /// PaddleOCR's network finds the lines, Tesseract reads them.
    public static let tesseractLines = Engine(
        name: "tesseract-lines",
        check: { settings in
            try settings.checkNetworks { [$0.detection] }
            _ = try settings.tesseract
        },
        files: { try $0.networkFiles { [$0.detection] } + $0.languageFiles },
        load: { settings in
            let engine = try settings.openVINOEngine()
            let recognizer = try TesseractLineRecognizer(languages: settings.languages)
            return try settings.spineReader(
                engine,
                recognizer: recognizer,
                description: settings.description(of: engine) { [$0.detection] }
                    .merging(settings.description(of: recognizer.installation)) { "\($0) + \($1)" },
                prepare: engine.detector.prepare
            )
        }
    )
}

extension ReadingSettings {
    fileprivate var tesseract: TesseractInstallation {
        get throws { try TesseractInstallation.find(languages: languages) }
    }

    fileprivate var languageFiles: [String] {
        get throws {
            let folder = try tesseract.dataPath
            let separator = folder.hasSuffix("/") ? "" : "/"
            return languages.split(separator: "+").map { "\(folder)\(separator)\($0).traineddata" }
        }
    }

    fileprivate func description(of installation: TesseractInstallation) -> [String: String] {
        [
            "engine": "Tesseract \(installation.version)",
            "models": "\(Self.sized((try? languageFiles) ?? [])) in \(installation.dataPath)",
            "precision": "f32 and int8, by the language data", "threads": "1",
        ]
    }
}
