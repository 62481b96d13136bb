import Basics

/// One line of `samples.jsonl` to a sample, or to everything that is wrong with it.
enum SampleParser {
    /// The sample that `fields` describe; what is wrong with it is left in `fields`.
    static func sample(_ fields: inout FieldReader) -> Sample {
        let sample = Sample(
            id: fields.text("id"),
            image: fields.path("image"),
            category: fields.choice("category", of: SampleCategory.self) ?? .vertical,
            title: title(&fields),
            author: fields.optionalText("author"),
            transcription: fields.text("transcription", mayBeEmpty: true, mayHaveBreaks: true),
            orientation: fields.choice("orientation", of: SampleOrientation.self) ?? .upright,
            isbn: fields.isbn(),
            acceptedTitles: fields.texts("acceptedTitles"),
            group: fields.optionalText("group"),
            quad: fields.quad("quad"),
            outline: fields.quad("outline"),
            lines: fields.lines(),
            legible: fields.flag("legible", default: true),
            language: fields.language(),
            style: fields.optionalText("style"),
            difficulty: fields.difficulty(),
            split: fields.optionalText("split"),
            source: fields.optionalText("source"),
            licence: fields.optionalText("licence")
        )
        if sample.legible, sample.transcription.isEmpty, case .string? = fields["transcription"] {
            fields.fault(
                "transcription",
                "is empty; a legible spine has one, so label it or set \"legible\": false"
            )
        }
        return sample
    }

    /// A title that nobody labelled has to be said to be so, lest a misspelt field pass for that.
    private static func title(_ fields: inout FieldReader) -> String? {
        guard fields.states("title") else {
            fields.fault("title", "is missing; state null when it is not labelled")
            return nil
        }
        return fields["title"] == nil ? nil : fields.text("title")
    }
}
