import Foundation
import OpenVINOEngine
import TesseractEngine
import TextRecognition
import VisionEngine

/// Every way of reading that this program was built with.
let readers = ReaderRegistry(
    openVINOVariants
        + [
            ReaderVariant(
                name: "tesseract",
                engine: "tesseract",
                summary: "Tesseract 5 on the whole crop, both ways up",
                problem: { tesseractProblem() },
                load: {
                    let reader = try TesseractSpineReader()
                    return ReaderVariant.Loaded(
                        reader: reader,
                        description: tesseractDescription(reader.installation)
                    )
                }
            ),
            ReaderVariant(
                name: "tesseract-lines",
                engine: "tesseract",
                summary: "PP-OCRv6 small finds the lines, Tesseract 5 reads them",
                problem: { problem(of: .ppOCRv6Small) ?? tesseractProblem() },
                load: {
                    let engine = try openVINO(.ppOCRv6Small, .fast)
                    let recognizer = try TesseractLineRecognizer()
                    let settings = ReaderSettings.fast
                    return ReaderVariant.Loaded(
                        reader: SpineReader(
                            detector: engine.detector,
                            recognizer: recognizer,
                            configuration: settings.reader
                        ),
                        description: settings.description(of: .ppOCRv6Small, engine).merging(
                            tesseractDescription(recognizer.installation)
                        ) { "\($0) + \($1)" },
                        prepare: engine.prepareDetector
                    )
                }
            ),
        ] + visionVariants
)

private let openVINOVariants = [
    openVINOVariant(
        "fast",
        .ppOCRv6Small,
        .fast,
        "PP-OCRv6 small, one look, a second one in doubt"
    ),
    openVINOVariant(
        "accurate",
        .ppOCRv6Small,
        .accurate,
        "PP-OCRv6 small, three looks at every spine, gaps searched"
    ),
    openVINOVariant("fast-v4", .ppOCRv4Mobile, .fast, "PP-OCRv4 mobile with the looks of 'fast'"),
    openVINOVariant("accurate-v4", .ppOCRv4Mobile, .accurate, "PP-OCRv4 mobile with the looks of 'accurate'"),
]

#if canImport(Vision)
private let visionVariants = [
    ReaderVariant(
        name: "vision",
        engine: "vision",
        summary: "Apple Vision, accurate level, both ways up",
        problem: { nil },
        load: {
            ReaderVariant.Loaded(reader: VisionSpineReader(), description: ["engine": "Apple Vision"])
        }
    )
]
#else
private let visionVariants: [ReaderVariant] = []
#endif

private func openVINOVariant(
    _ name: String,
    _ models: OpenVINOModelSet,
    _ settings: ReaderSettings,
    _ summary: String
) -> ReaderVariant {
    ReaderVariant(
        name: name,
        engine: "openvino",
        summary: summary,
        problem: { problem(of: models) },
        load: {
            let engine = try openVINO(models, settings)
            return ReaderVariant.Loaded(
                reader: SpineReader(
                    detector: engine.detector,
                    recognizer: engine.recognizer,
                    configuration: settings.reader
                ),
                description: settings.description(of: models, engine),
                prepare: engine.prepare
            )
        }
    )
}

private func openVINO(_ models: OpenVINOModelSet, _ settings: ReaderSettings) throws -> OpenVINOEngine {
    try OpenVINOEngine(
        models: models,
        options: settings.openVINO,
        lexicon: Installation.wordLists.isEmpty ? nil : Lexicon(contentsOf: Installation.wordLists),
        modelDirectory: Installation.modelDirectory,
        cacheDirectory: Installation.cacheDirectory
    )
}

/// What an engine lacks on this machine, and what to do about it.
private func problem(of models: OpenVINOModelSet) -> String? {
    let missing = models.files.filter {
        !FileManager.default.isReadableFile(atPath: "\(Installation.modelDirectory)/\($0)")
    }
    guard !missing.isEmpty else { return nil }
    return "\(missing.joined(separator: " and ")) not in \(Installation.modelDirectory); "
        + "run 'make setup', or say where the models are in SPINEBENCH_MODELS"
}

private func tesseractProblem() -> String? {
    do {
        _ = try TesseractInstallation.find()
        return nil
    } catch {
        return "\(error)"
    }
}

private func tesseractDescription(_ installation: TesseractInstallation) -> [String: String] {
    [
        "engine": "Tesseract \(installation.version)", "models": "eng (\(installation.dataPath))",
        "precision": "f32 and int8, as the language data has it", "threads": "1",
    ]
}
