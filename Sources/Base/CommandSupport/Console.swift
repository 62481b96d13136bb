import Basics
import Documents
import Foundation

/// The terminal, if there is one.
public enum Console {
    package static let isInteractive = isatty(STDERR_FILENO) == 1 && environment["CI"] == nil && !isDumb

    package static let hasColour = isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && !isDumb

    package static let isScreen = isatty(STDOUT_FILENO) == 1 && !isDumb

    private static let environment = ProcessInfo.processInfo.environment
    private static let isDumb = environment["TERM"] == "dumb"

    /// Writes a line to standard error.
    public static func standardError(_ text: String) { write(text + "\n") }

    /// Writes an error to standard error.
    public static func error(_ text: String) { standardError("error: \(text)") }

    package static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    /// Redraws the progress line: a bar if there is a `total`, and the news, the most important last.
    public static func bar(_ label: String, done: Int, total: Int?, news: [String]) {
        let width = size(of: STDERR_FILENO)?.columns ?? 80
        write("\r\u{1B}[K" + ProgressBar.line(label, done: done, total: total, news: news, width: width))
    }

    package static func clearBar() { write("\r\u{1B}[K") }

    /// Columns of standard output's terminal; `Int.max` without one.
    public static var width: Int { size(of: STDOUT_FILENO)?.columns ?? .max }

    /// Returns the columns and rows of a file's terminal; nil without a terminal, or if it reports no width.
    public static func size(of file: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// Colours of a verdict.
    public enum Colour: Int {
        case red = 31
        case green = 32
        case yellow = 33
    }

    /// Returns the text in a colour; unchanged without a terminal.
    public static func coloured(_ text: String, _ colour: Colour) -> String {
        hasColour ? "\u{1B}[1;\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
