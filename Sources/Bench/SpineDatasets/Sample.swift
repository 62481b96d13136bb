import Basics
package import Imaging

/// Category of a spine, by the challenge that it is.
package enum SampleCategory: String, Sendable, Codable, CaseIterable {
    /// Plain lettering along the spine.
    case vertical
    case inverted
    /// Lettering or a surface that is hard to read.
    case stylized
    /// Upright lettering: words stacked on a thick spine, or the book placed on its back.
    case horizontal
    case mixed
}

/// Orientation of a spine's title in its image.
package enum SampleOrientation: String, Sendable, Codable, CaseIterable {
    case upright
    /// Top to bottom.
    case clockwise = "cw"
    /// Bottom to top.
    case counterclockwise = "ccw"
    /// Upside down.
    case inverted
}

/// Labelled picture of a spine: the input of a system, and the truth for its answer.
package struct Sample: Sendable, Equatable, Codable {
    package var id: String
    /// Path of the picture, relative to the dataset's folder.
    package var image: String
    package var category: SampleCategory
    /// Printed title; nil for an unlabelled one, which is not scored.
    package var title: String?
    /// Printed author; nil when the spine names none.
    package var author: String?
    /// All text that can be read with certainty, in reading order.
    package var transcription: String
    package var orientation: SampleOrientation
    package var isbn: String?
    /// Titles of other editions or translations of the work that count as the book, too.
    package var acceptedTitles: [String]?
    /// Group of samples that are not independent: the photo that they were cut from.
    package var group: String?
    /// Outline of the spine in the photo that it was cut from, in that photo's pixels.
    package var quad: Quad?
    /// The published photo that `image` is cut from by `quad`, or a copy of; nil for a picture of its own.
    package var photo: PhotoOrigin?
    /// The spine's outline in `image`, in pixels; corners clockwise from the image's top left.
    package var outline: Quad?
    /// Printed lines in reading order; nil without labels.
    package var lines: [LabelledLine]?
    /// Whether a person can read the title; an illegible one is timed and not scored.
    package var legible = true
    /// True for a picture without a book; nil for others.
    package var distractor: Bool?
    /// ISO 639-1 code of the title's language.
    package var language: String?
    /// Style of the lettering or the surface, in the labeller's own word: "foil", "script".
    package var style: String?
    /// Difficulty of the spine: each cause with its figure, by the generator's names: "blurSigma", "contrast".
    package var difficulty: Difficulty?
    package var split: String?
    package var source: String?
    package var licence: String?
    /// Origin of the label, for one made in 'spinebench label'.
    package var labelled: LabelOrigin?
    /// Books on the shelves of the picture; nil for a picture of one spine.
    package var shelf: Shelf?

    /// Keys of a line of `samples.jsonl`.
    private enum CodingKeys: String, CodingKey {
        case id, image, category, title, author, transcription, orientation, isbn, acceptedTitles, group, quad, photo,
            outline
        case lines, legible, distractor, language, style, difficulty, split, source, licence, labelled
    }
}

extension Sample {
    package init(
        id: String,
        image: String,
        category: SampleCategory,
        title: String?,
        author: String? = nil,
        transcription: String,
        orientation: SampleOrientation,
        group: String? = nil,
        legible: Bool = true
    ) {
        (self.id, self.image, self.category, self.title, self.author) = (id, image, category, title, author)
        (self.transcription, self.orientation, self.group, self.legible) = (transcription, orientation, group, legible)
    }

    /// Whether a name that it is given is right or wrong: that of a picture without a book is wrong.
    package var isJudged: Bool { legible || distractor == true }
}

/// Sample as a line of `samples.jsonl`: an unlabelled title is written as null, as the loader requires.
package struct SampleLine: Encodable {
    package var sample: Sample

    package init(_ sample: Sample) { self.sample = sample }

    private enum Key: CodingKey { case title }

    package func encode(to encoder: any Encoder) throws {
        try sample.encode(to: encoder)
        guard sample.title == nil else { return }
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeNil(forKey: .title)
    }
}

/// Place of a photo in a public repository of GitHub.
package struct PhotoOrigin: Sendable, Hashable, Codable {
    /// "owner/name".
    package var repository: String
    /// A commit that has it, 40 hexadecimal digits; nil for a photo that is only in the history.
    package var commit: String?
    package var path: String
    /// Git's digest of the file: 40 hexadecimal digits, SHA-1.
    package var blob: String
}

/// Person and circumstances that a label is from; `at` in ISO 8601.
package struct LabelOrigin: Sendable, Equatable, Codable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// A person confirmed the reader's proposal as it was.
        case confirmed
        case corrected
        case drawn
        /// A person typed it without a proposal.
        case typed
    }

    package var by: String
    package var at: String
    package var kind: Kind
    /// Title that the reader proposed; nil for none.
    package var proposed: String?
    /// Whether the labeller saw the proposal.
    package var shown: Bool
    /// Time that the spine was open before its answer.
    package var seconds: Double?

    package init(by: String, at: String, kind: Kind, proposed: String?, shown: Bool, seconds: Double?) {
        (self.by, self.at, self.kind) = (by, at, kind)
        (self.proposed, self.shown, self.seconds) = (proposed, shown, seconds)
    }
}

package enum LineRole: String, Sendable, Codable, CaseIterable {
    case title, author, publisher
    /// A series' name or a volume's number.
    case series
    /// A library's call number, stuck on.
    case sticker
    case other
}

/// Printed line of a spine, as far as it is labelled.
package struct LabelledLine: Sendable, Equatable, Codable {
    package var text: String
    package var role: LineRole?
    /// The box around the ink, in the picture's pixels; corners as a reader of the text sees them, from the top left.
    package var quad: Quad?
    /// The font family that it was drawn with.
    package var font: String?
    /// The font size in pixels.
    package var size: Double?

    /// The mean distance of the box's upper edge from its lower one, in pixels; nil without a box.
    package var height: Double? {
        quad.map { ($0.topLeft.distance(to: $0.bottomLeft) + $0.topRight.distance(to: $0.bottomRight)) / 2 }
    }

    package init(text: String, role: LineRole? = nil, quad: Quad? = nil, font: String? = nil, size: Double? = nil) {
        (self.text, self.role, self.quad, self.font, self.size) = (text, role, quad, font, size)
    }
}
