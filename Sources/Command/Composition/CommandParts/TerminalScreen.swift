import Foundation

/// A part of the terminal that is drawn again and again, and left there at the end.
package struct TerminalScreen {
    private var drawn = 0

    package init() {}

    /// Columns and rows; 80 × 24 if the terminal does not report them.
    package static var size: (columns: Int, rows: Int) { size(of: STDOUT_FILENO) ?? (80, 24) }

    /// Returns the columns and rows of a file's terminal, 24 rows if it reports its width alone; nil without a
    /// terminal, or if it reports neither.
    package static func size(of file: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// Returns the control sequence of a frame: hide the cursor, move back over the last drawing, and draw each line
    /// over the old one.
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
