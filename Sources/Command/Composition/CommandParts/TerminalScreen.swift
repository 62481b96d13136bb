import Foundation

/// A part of the terminal that is drawn again and again, and left there at the end.
package struct TerminalScreen {
    private var drawn = 0

    package init() {}

    /// Columns and rows; 80 × 24 when the terminal does not say.
    package static var size: (columns: Int, rows: Int) { size(of: STDOUT_FILENO) ?? (80, 24) }

    /// Columns and rows of the terminal that a file goes to, 24 rows when it says only how wide it is; nil when it goes to
    /// none, or to one that does not say.
    package static func size(of file: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// What a terminal is to do: hide the cursor, go back over what was drawn, and draw each line over the old one.
    package mutating func frame(_ lines: [String], rows: Int) -> String {
        let shown = lines.prefix(max(1, rows - 1))
        var text = "\u{1B}[?25l" + (drawn > 0 ? "\r\u{1B}[\(drawn)A" : "")
        // The rest of an old line goes after the new one, so that nothing flickers.
        for line in shown { text += line + "\u{1B}[K\n" }
        drawn = shown.count
        return text + "\u{1B}[J"
    }

    package static let end = "\u{1B}[?25h"
}
