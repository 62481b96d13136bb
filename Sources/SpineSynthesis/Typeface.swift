/// A font that spines are set in: a Pango family and style, and the Debian package that brings it.
package struct Typeface: Sendable, Hashable, Codable {
    /// What kind of lettering it is, so that a design can ask for one.
    package enum Genre: String, Sendable, Codable, CaseIterable {
        case serif
        case sans
        case condensed
        case slab
        case script
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

extension Typeface {
    /// Every typeface that the generator knows.
    package static let all: [Typeface] = [
        Typeface("EB Garamond", "", .serif, package: "fonts-ebgaramond"),
        Typeface("EB Garamond", "Bold", .serif, package: "fonts-ebgaramond"),
        Typeface("EB Garamond", "Italic", .serif, package: "fonts-ebgaramond"),
        Typeface("C059", "Bold", .serif, package: "fonts-urw-base35"),
        Typeface("P052", "", .serif, package: "fonts-urw-base35"),
        Typeface("P052", "Bold Italic", .serif, package: "fonts-urw-base35"),
        Typeface("Liberation Serif", "Bold", .serif, package: "fonts-liberation2"),
        Typeface("Goudy Bookletter 1911", "", .serif, package: "fonts-goudybookletter"),
        Typeface("DejaVu Serif", "Bold", .serif, package: "fonts-dejavu-core"),
        Typeface("Nimbus Sans", "Bold", .sans, package: "fonts-urw-base35"),
        Typeface("Liberation Sans", "", .sans, package: "fonts-liberation2"),
        Typeface("URW Gothic", "Semi-Bold", .sans, package: "fonts-urw-base35"),
        Typeface("URW Gothic", "", .sans, package: "fonts-urw-base35"),
        Typeface("DejaVu Sans", "Bold", .sans, package: "fonts-dejavu-core"),
        Typeface("Nimbus Sans Narrow", "Bold", .condensed, package: "fonts-urw-base35"),
        Typeface("Yanone Kaffeesatz", "Bold", .condensed, package: "fonts-yanone-kaffeesatz"),
        Typeface("Yanone Kaffeesatz", "", .condensed, package: "fonts-yanone-kaffeesatz"),
        Typeface("Bebas Neue", "Bold", .condensed, package: "fonts-bebas-neue", letterCase: .capitals),
        Typeface("Roboto Slab", "Bold", .slab, package: "fonts-roboto-slab"),
        Typeface("Roboto Slab", "", .slab, package: "fonts-roboto-slab"),
        Typeface("URW Bookman", "Semi-Bold", .slab, package: "fonts-urw-base35"),
        Typeface("Dancing Script", "Bold", .script, package: "fonts-dancingscript", letterCase: .mixed),
        Typeface("Kaushan Script", "", .script, package: "fonts-kaushanscript", letterCase: .mixed),
        Typeface("Z003", "Medium Italic", .script, package: "fonts-urw-base35", letterCase: .mixed),
        Typeface("Blankenburg_UNZ1A", "", .blackletter, package: "fonts-blankenburg", letterCase: .mixed),
        Typeface("Lobster Two", "Bold", .display, package: "fonts-lobstertwo", letterCase: .mixed),
        Typeface("Lobster Two", "Bold Italic", .display, package: "fonts-lobstertwo", letterCase: .mixed),
    ]
}
