import OpenVINOEngine

/// A named variant that others are made from.
package struct PipelineBase: Sendable {
    /// Name by which it is asked for.
    package var name: String
    /// The tier whose targets hold for it; nil when none do.
    package var tier: String?
    /// One line for people.
    package var summary: String
    package var settings: PipelineSettings

    /// In the order in which they are listed.
    package static let all = [
        PipelineBase(
            name: "fast",
            tier: "fast",
            summary: "PP-OCRv6 small, one look, a second one in doubt",
            settings: .fast
        ),
        PipelineBase(
            name: "accurate",
            tier: "accurate",
            summary: "PP-OCRv6 small, three looks at every spine, gaps searched",
            settings: .accurate
        ),
        PipelineBase(
            name: "fast-v4",
            tier: "fast",
            summary: "PP-OCRv4 mobile with the looks of 'fast'",
            settings: .fast.with(models: .ppOCRv4Mobile)
        ),
        PipelineBase(
            name: "accurate-v4",
            tier: "accurate",
            summary: "PP-OCRv4 mobile with the looks of 'accurate'",
            settings: .accurate.with(models: .ppOCRv4Mobile)
        ),
        PipelineBase(
            name: "tesseract",
            tier: nil,
            summary: "Tesseract 5 on the whole crop, both ways up",
            settings: .fast.with(engine: .tesseract)
        ),
        PipelineBase(
            name: "tesseract-lines",
            tier: nil,
            summary: "PP-OCRv6 small finds the lines, Tesseract 5 reads them",
            settings: .fast.with(engine: .tesseractLines)
        ),
        PipelineBase(
            name: "vision",
            tier: nil,
            summary: "Apple Vision, accurate level, both ways up",
            settings: .fast.with(engine: .vision)
        ),
    ]

    package static func named(_ name: String) -> PipelineBase? { all.first { $0.name == name } }
}
