/// A font that spines are set in: a Pango family and style, and the Debian package that brings it.
package struct Typeface: Sendable, Hashable, Codable {
    /// Genre of lettering, so that a design can ask for one.
    package enum Genre: String, Sendable, Codable, CaseIterable {
        case serif
        case sans
        case condensed
        case slab
        case typewriter
        case script
        case handLettered
        case blackletter
        case display
    }

    /// Which letters a typeface can be read in.
    package enum LetterCase: String, Sendable, Codable {
        case any
        /// Not in capitals alone: a word in script or blackletter capitals is a row of ornaments.
        case mixed
        /// Has capitals only, so text is written in them and labelled so.
        case capitals
    }

    package var family: String
    /// As Pango spells it: "Bold", "Bold Italic"; empty for the regular style.
    package var style: String
    package var genre: Genre
    package var letterCase: LetterCase
    /// The Debian package that installs it.
    package var package: String

    package init(_ family: String, _ style: String, _ genre: Genre, package: String, letterCase: LetterCase = .any) {
        self.family = family
        self.style = style
        self.genre = genre
        self.package = package
        self.letterCase = letterCase
    }
}
