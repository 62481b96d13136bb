import CPangoCairo
import Foundation

/// The fonts of this machine, for one thread at a time.
///
/// Cairo shares one FreeType library among all threads, which must not open or close a font in two of them at once;
/// Cairo 1.16 does not see to that. Pango's own font map of each thread would close fonts whenever a thread ends.
final class FontLibrary: @unchecked Sendable {
    static let shared = FontLibrary()

    // Used by whoever holds `lock` only.
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
