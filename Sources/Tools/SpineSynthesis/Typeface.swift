import CPangoCairo
import Foundation

/// A font that spines are set in: a Pango family and style, and the Debian package that brings it.
package struct Typeface: Sendable, Hashable, Codable {
    /// Genre of lettering, so that a design can ask for one.
    package enum Genre: String, Sendable, Codable, CaseIterable {
        case serif, sans, condensed, slab, typewriter, script, handLettered, blackletter, display
    }

    /// Letter cases in which a typeface is legible.
    package enum LetterCase: String, Sendable, Codable {
        case any
        /// Mixed case only: a word in script or blackletter capitals is a row of ornaments.
        case mixed
        /// Capitals only, so text is written in them and labelled so.
        case capitals
    }

    package var family: String
    /// Style in Pango's spelling: "Bold", "Bold Italic"; empty for the regular style.
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
    /// Typefaces of the generator.
    package static let all: [Typeface] = plain + decorated

    private static let plain: [Typeface] = [
        Typeface("EB Garamond", "", .serif, package: "fonts-ebgaramond"),
        Typeface("EB Garamond", "Bold", .serif, package: "fonts-ebgaramond"),
        Typeface("EB Garamond", "Italic", .serif, package: "fonts-ebgaramond"),
        Typeface("C059", "Bold", .serif, package: "fonts-urw-base35"),
        Typeface("P052", "", .serif, package: "fonts-urw-base35"),
        Typeface("P052", "Bold Italic", .serif, package: "fonts-urw-base35"),
        Typeface("Liberation Serif", "Bold", .serif, package: "fonts-liberation2"),
        Typeface("Goudy Bookletter 1911", "", .serif, package: "fonts-goudybookletter"),
        Typeface("DejaVu Serif", "Bold", .serif, package: "fonts-dejavu-core"),
        Typeface("GFS Didot", "", .serif, package: "fonts-gfs-didot"),
        Typeface("GFS Didot", "Bold", .serif, package: "fonts-gfs-didot"),
        Typeface("Linux Libertine O", "", .serif, package: "fonts-linuxlibertine"),
        Typeface("Linux Libertine O", "Semi-Bold", .serif, package: "fonts-linuxlibertine"),
        Typeface("Linux Libertine O", "Bold Italic", .serif, package: "fonts-linuxlibertine"),
        Typeface("Vollkorn", "Bold", .serif, package: "fonts-vollkorn"),
        Typeface("Vollkorn", "Italic", .serif, package: "fonts-vollkorn"),
        Typeface("Nimbus Sans", "Bold", .sans, package: "fonts-urw-base35"),
        Typeface("Liberation Sans", "", .sans, package: "fonts-liberation2"),
        Typeface("URW Gothic", "Semi-Bold", .sans, package: "fonts-urw-base35"),
        Typeface("URW Gothic", "", .sans, package: "fonts-urw-base35"),
        Typeface("DejaVu Sans", "Bold", .sans, package: "fonts-dejavu-core"),
        Typeface("Lato", "", .sans, package: "fonts-lato"),
        Typeface("Lato", "Bold", .sans, package: "fonts-lato"),
        Typeface("Lato", "Heavy Italic", .sans, package: "fonts-lato"),
        Typeface("Linux Biolinum O", "Bold", .sans, package: "fonts-linuxlibertine"),
        Typeface("League Spartan", "Bold", .sans, package: "fonts-league-spartan"),
        Typeface("Nimbus Sans Narrow", "Bold", .condensed, package: "fonts-urw-base35"),
        Typeface("Yanone Kaffeesatz", "Bold", .condensed, package: "fonts-yanone-kaffeesatz"),
        Typeface("Yanone Kaffeesatz", "", .condensed, package: "fonts-yanone-kaffeesatz"),
        Typeface("Bebas Neue", "Bold", .condensed, package: "fonts-bebas-neue", letterCase: .capitals),
        Typeface("Bebas Neue", "Book", .condensed, package: "fonts-bebas-neue", letterCase: .capitals),
        Typeface("Dosis", "Bold", .condensed, package: "fonts-dosis"),
        Typeface("Dosis", "Medium", .condensed, package: "fonts-dosis"),
        Typeface("Roboto Slab", "Bold", .slab, package: "fonts-roboto-slab"),
        Typeface("Roboto Slab", "", .slab, package: "fonts-roboto-slab"),
        Typeface("URW Bookman", "Semi-Bold", .slab, package: "fonts-urw-base35"),
        Typeface("Courier Prime Code", "", .typewriter, package: "fonts-courier-prime"),
        Typeface("Nimbus Mono PS", "Bold", .typewriter, package: "fonts-urw-base35"),
    ]

    private static let decorated: [Typeface] = [
        Typeface("Dancing Script", "Bold", .script, package: "fonts-dancingscript", letterCase: .mixed),
        Typeface("Kaushan Script", "", .script, package: "fonts-kaushanscript", letterCase: .mixed),
        Typeface("Leckerli One", "", .script, package: "fonts-leckerli-one", letterCase: .mixed),
        Typeface("Z003", "Medium Italic", .script, package: "fonts-urw-base35", letterCase: .mixed),
        Typeface("Comic Neue", "Bold", .handLettered, package: "fonts-comic-neue"),
        Typeface("Humor Sans", "", .handLettered, package: "fonts-humor-sans", letterCase: .capitals),
        Typeface("Yusei Magic", "", .handLettered, package: "fonts-yusei-magic"),
        Typeface("Blankenburg_UNZ1A", "", .blackletter, package: "fonts-blankenburg", letterCase: .mixed),
        Typeface("Gamaliel", "", .blackletter, package: "fonts-gamaliel", letterCase: .mixed),
        Typeface("Cherry Bomb", "", .display, package: "fonts-cherrybomb"),
        Typeface("Klaudia", "Bold", .display, package: "fonts-klaudia-berenika"),
        Typeface("Le Murmure", "", .display, package: "fonts-le-murmure"),
        Typeface("Lobster Two", "Bold", .display, package: "fonts-lobstertwo", letterCase: .mixed),
        Typeface("Lobster Two", "Bold Italic", .display, package: "fonts-lobstertwo", letterCase: .mixed),
        Typeface("Oldania ADF Std", "Bold", .display, package: "fonts-adf-oldania"),
    ]
}

/// The fonts of this machine, for one thread at a time.
///
/// Cairo shares one FreeType library among all threads, which must not open or close a font in two of them at once;
/// Cairo 1.16 does not ensure that. Pango's own font map of each thread would close fonts when a thread ends.
final class FontLibrary: @unchecked Sendable {
    static let shared = FontLibrary()

    // Used by the holder of `lock` only.
    private let map = pango_cairo_font_map_new()
    private let lock = NSLock()

    private init() {}

    /// Calls `body` while no other thread does anything with fonts.
    func use<Value, Failure: Error>(
        _ body: (_ map: UnsafeMutablePointer<PangoFontMap>?) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return try body(map)
    }
}
