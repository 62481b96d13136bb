package import Imaging

package struct SceneTruth: Sendable, Equatable, Codable {
    /// Labels of a picture's content, as in the context pipeline's `SceneLabel`.
    package enum Label: String, Sendable, Codable, CaseIterable {
        case bookshelf, book, code, page, text
        /// No label: the right answer is none.
        case unknown
    }

    package var label: Label
    /// Contents of its QR and bar codes, each once; empty for none.
    package var codes: [String]
    /// Outline of the foreground subject, in pixels of the picture, three points at least; nil without an outline.
    package var subject: [Point]?

    package init(label: Label, codes: [String] = [], subject: [Point]? = nil) {
        (self.label, self.codes, self.subject) = (label, codes, subject)
    }
}
