import CommandSupport
import Documents
import Foundation

/// Prints a line, checked: what a command prints goes to nowhere unnoticed otherwise.
///
/// It takes the place of the standard library's in this target.
func print(_ text: String, terminator: String = "\n") { StandardOutput.write(text + terminator) }

/// What the commands say, and how.
enum Console {
    /// Whether a person watches standard error: then a line may be redrawn.
    static let isInteractive =
        isatty(STDERR_FILENO) == 1 && environment["CI"] == nil && environment["TERM"] != "dumb"

    /// Whether standard output takes colours.
    static let hasColour =
        isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// Writes a line to standard error.
    static func standardError(_ text: String) { write(text + "\n") }

    /// Writes `error: text` to standard error.
    static func error(_ text: String) { standardError("error: \(text)") }

    /// Writes text to standard error as it is.
    static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Redraws the line that a person watches: what is done as a bar, and the time left at the pace so far.
    ///
    /// - Parameters:
    ///   - label: Before the bar; empty for none.
    ///   - done: How many are done.
    ///   - total: Of how many; nil where time decides.
    ///   - news: What else there is to say, the most important last.
    static func bar(_ label: String = "", done: Int, total: Int?, news: [String]) {
        let width = TerminalScreen.size(of: STDERR_FILENO)?.columns ?? 80
        write("\r\u{1B}[K" + ProgressBar.line(label, done: done, total: total, news: news, width: width))
    }

    /// Columns of the terminal that standard output goes to; `Int.max` where it goes to none.
    static var width: Int { TerminalScreen.size(of: STDOUT_FILENO)?.columns ?? .max }

    /// Colours for standard output.
    enum Colour: Int {
        case red = 31
        case green = 32
        case yellow = 33
    }

    /// `text` in bold colour where standard output takes that.
    static func coloured(_ text: String, _ colour: Colour) -> String {
        hasColour ? "\u{1B}[1;\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
