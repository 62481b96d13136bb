import OpenVINOEngine
import TextRecognition

/// What a tier asks of the reader and of OpenVINO.
struct ReaderSettings: Sendable {
    var reader: SpineReaderConfiguration
    var openVINO: OpenVINOOptions

    /// Within 50 ms: one look, and a second one, across, or a gap searched, when there is doubt.
    ///
    /// The detector takes a sixth of the time at this size. Few line widths, because each takes over 25 MB.
    static let fast = ReaderSettings(
        reader: SpineReaderConfiguration(
            firstLook: Look(frame: .turned, shortSide: 64, longSide: 1024),
            furtherLooks: [Look(frame: .across, shortSide: 96, longSide: 768)],
            furtherLooksWhen: .whenUnsure,
            gapsSearched: 1,
            sureConfidence: 0.8
        ),
        openVINO: OpenVINOOptions(
            threads: Installation.threads,
            detectorCanvases: [[640, 64], [1024, 64], [96, 768]],
            recognizerWidths: [128, 256, 448]
        )
    )

    /// Within 150 ms: three looks at every spine, and words between words.
    static let accurate = ReaderSettings(
        reader: SpineReaderConfiguration(
            firstLook: Look(frame: .turned, shortSide: 64, longSide: 1024),
            furtherLooks: [
                Look(frame: .across, shortSide: 128, longSide: 1280),
                Look(frame: .turned, shortSide: 160, longSide: 1440),
            ],
            furtherLooksWhen: .always,
            gapsSearched: 8
        ),
        openVINO: OpenVINOOptions(
            threads: Installation.threads,
            detectorCanvases: [[640, 64], [1024, 64], [128, 1280], [1440, 160]],
            recognizerWidths: [128, 256, 448]
        )
    )

    /// What a report says of a variant with these settings.
    func description(of models: OpenVINOModelSet, _ engine: OpenVINOEngine) -> [String: String] {
        func text(_ look: Look) -> String { "\(look.frame.rawValue) \(look.shortSide)/\(look.longSide) px" }
        let looks = [text(reader.firstLook)] + reader.furtherLooks.map(text)
        return [
            "engine": "OpenVINO \(OpenVINOEngine.version)",
            "models": models.files.joined(separator: ", "),
            "precision": engine.precision,
            "threads": "\(openVINO.threads)",
            "alphabet": openVINO.alphabet.rawValue,
            "looks": looks.joined(separator: ", ") + ", the further ones \(reader.furtherLooksWhen.rawValue)",
            "gaps searched": "\(reader.gapsSearched) a line",
            "word lists": Installation.wordLists.isEmpty ? "none" : Installation.wordLists.joined(separator: ", "),
            "canvases": openVINO.detectorCanvases.map { "\($0[0])x\($0[1])" }.joined(separator: ", "),
            "line widths": openVINO.recognizerWidths.map(String.init).joined(separator: ", "),
        ]
    }
}
