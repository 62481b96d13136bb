import OpenVINOEngine
import TesseractEngine
import TextRecognition

extension Engine {
    /// Tesseract reads the whole crop.
    public static let tesseract = Engine(
        name: "tesseract",
        settings: ["languages"],
        listing: { ("Tesseract", "\(installed), 1 thread") },
        problem: \.missingLanguages,
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
        settings: networkSettings.union(["languages"]),
        problem: { settings in
            OpenVINOEngine.problem ?? settings.missingNetworks { [$0.detection] } ?? settings.missingPrecision
                ?? settings.missingLanguages
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

    private static var installed: String {
        do {
            let installation = try TesseractInstallation.find()
            return "\(installation.version), languages \(installation.languages.joined(separator: ", ")) "
                + "in \(installation.dataPath)"
        } catch {
            return "missing: \(error)"
        }
    }
}

extension ReadingSettings {
    fileprivate var languageFiles: [String] {
        get throws {
            let folder = try TesseractInstallation.find(languages: languages).dataPath
            let separator = folder.hasSuffix("/") ? "" : "/"
            return languages.split(separator: "+").map { "\(folder)\(separator)\($0).traineddata" }
        }
    }

    fileprivate var missingLanguages: String? {
        do {
            _ = try TesseractInstallation.find(languages: languages)
            return nil
        } catch {
            return "\(error)"
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
