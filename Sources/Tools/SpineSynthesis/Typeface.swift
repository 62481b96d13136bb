import CPangoCairo
import Foundation

package struct Typeface: Sendable, Hashable {
    enum Genre: String, Sendable {
        case serif, sans, condensed, slab, typewriter, script, handLettered, blackletter, display
    }

    /// Letter cases in which a typeface is legible.
    enum LetterCase: String, Sendable {
        case any
        /// Mixed case only: a word in script or blackletter capitals is a row of ornaments.
        case mixed
        /// Capitals only, so text is written in them and labelled so.
        case capitals
    }

    package var family: String
    /// Style in Pango's spelling: "Bold", "Bold Italic"; empty for the regular style.
    var style: String
    var genre: Genre
    var letterCase = LetterCase.any
    package var package: String
    /// Licence in the form of the package's `/usr/share/doc/<package>/copyright`.
    var licence = ""
}

extension Typeface {
    /// Typefaces of the generator: a row of `Resources/typefaces.txt` has a family's name, styles, genre, letter case,
    /// package and licence.
    package static let all: [Typeface] = ResourceTable.rows(PackageResources.typefaces_txt).flatMap { row in
        guard row.count == 6, let genre = Genre(rawValue: row[2]), let letterCase = LetterCase(rawValue: row[3]) else {
            preconditionFailure("not a typeface: \(row)")
        }
        return ResourceTable.list(row[1]).map { style in
            Typeface(
                family: row[0],
                style: style == "Regular" ? "" : style,
                genre: genre,
                letterCase: letterCase,
                package: row[4],
                licence: row[5]
            )
        }
    }

    /// Returns the typefaces that this machine has.
    package static func installed() -> [Typeface] {
        let families = Typesetter.installedFamilies()
        return all.filter { families.contains($0.family) }
    }
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
