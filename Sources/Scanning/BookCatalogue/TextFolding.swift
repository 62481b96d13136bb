/// Folding for what is kept as text: keys, indices and searches.
enum TextFolding {
    /// `text` as ``FoldedText`` has it, with "and" for "&".
    static func fold(_ text: String) -> String {
        FoldedText(text.utf8.contains(UInt8(ascii: "&")) ? text.replacing("&", with: " and ") : text).description
    }
}
