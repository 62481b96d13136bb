import Basics
import Foundation

/// Texts and addresses of a page.
extension SafeText {
    /// Returns a text on one line with single spaces, of 500 characters at most; nil for an empty one.
    static func line(_ text: String) -> String? {
        // Counted by scalars: one character may carry any number of marks.
        let line = collapsed(String(String.UnicodeScalarView(text.unicodeScalars.prefix(5_000))))
        return line.isEmpty ? nil : String(line.prefix(500))
    }

    /// Returns an address of the web, whole; nil for any other kind ("javascript:", "data:").
    static func address(_ text: String, relativeTo base: URL) -> String? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf8.count <= 4_096, !text.unicodeScalars.contains(where: isForbidden),
            let url = URL(string: text, relativeTo: base)?.absoluteURL, let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host()?.isEmpty == false
        else { return nil }
        return url.absoluteString
    }
}
