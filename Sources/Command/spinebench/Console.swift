import CommandSupport
import Dispatch
import Documents
import Evaluation
import Foundation
import Harness
import SpineDatasets

/// Prints a line, checked: what a command prints goes to nowhere unnoticed otherwise.
///
/// It takes the place of the standard library's in this target.
func print(_ text: String, terminator: String = "\n") { StandardOutput.write(text + terminator) }

/// What the commands say, and how.
enum Console {
    static let isInteractive = isatty(STDERR_FILENO) == 1 && environment["CI"] == nil && !isDumb

    /// Whether standard output takes colours.
    static let hasColour = isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && !isDumb

    /// Whether a screen of standard output can be drawn over and over.
    static let isScreen = isatty(STDOUT_FILENO) == 1 && !isDumb

    private static let environment = ProcessInfo.processInfo.environment
    private static let isDumb = environment["TERM"] == "dumb"

    static func standardError(_ text: String) { write(text + "\n") }

    /// Writes `error: text` to standard error.
    static func error(_ text: String) { standardError("error: \(text)") }

    static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    /// Redraws the line that a person watches: a bar where there is a `total`, and the news, the most important last.
    static func bar(_ label: String, done: Int, total: Int?, news: [String]) {
        let width = TerminalScreen.size(of: STDERR_FILENO)?.columns ?? 80
        write("\r\u{1B}[K" + ProgressBar.line(label, done: done, total: total, news: news, width: width))
    }

    static func clearBar() { write("\r\u{1B}[K") }

    /// Columns of the terminal that standard output goes to; `Int.max` where it goes to none.
    static var width: Int { TerminalScreen.size(of: STDOUT_FILENO)?.columns ?? .max }

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

extension Verdict? {
    var colour: Console.Colour {
        switch self {
        case .pass: .green
        case .fail: .red
        case .inconclusive, nil: .yellow
        }
    }
}

/// Texts of others on one line of a terminal.
enum PlainLine {
    /// A text without what a terminal would obey: line ends and tabs become spaces, other control characters go.
    static func of(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.compactMap { scalar in
                    switch scalar.value {
                    case 0x09, 0x0A, 0x0D: " "
                    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: nil
                    default: scalar
                    }
                }
            )
        )
    }
}

/// JSON as the commands print it, with sorted names.
enum JSONText {
    /// Indented.
    static func of(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func line(_ value: some Encodable) throws -> String {
        String(decoding: try JSONLine.encode(value).dropLast(), as: UTF8.self)
    }
}

/// The signals that ask a long command to stop.
enum Signals {
    /// What SIGINT or SIGTERM stops; the second signal ends the process as it would without a handler.
    static func interruption() -> Interruption {
        let interruption = Interruption()
        let queue = DispatchQueue(label: "signals")
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                interruption.stop(signal: number)
                signal(number, SIG_DFL)
                // Its own handler keeps it, until the process ends.
                withExtendedLifetime(source) {}
            }
            source.resume()
        }
        return interruption
    }
}
