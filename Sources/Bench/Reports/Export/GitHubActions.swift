/// Annotations of a step for GitHub Actions.
package enum GitHubActions {
    /// Returns a line of workflow commands for the verdict and ten failed, ten open and nine accepted checks, which is
    /// what GitHub shows.
    package static func annotations(_ report: CheckReport) -> String {
        let kinds: [(outcome: CheckReport.Check.Outcome, command: String, most: Int)] = [
            (.failed, "error", 10), (.open, "warning", 10), (.accepted, "notice", 9),
        ]
        let lines = kinds.flatMap { kind in
            report.checks.filter { $0.outcome == kind.outcome }.prefix(kind.most).map {
                line(kind.command, title: "\($0.suite): \($0.name)", $0.message)
            }
        }
        return (lines + [line("notice", title: "spinebench: \(report.word)", report.sentence)]).joined(separator: "\n")
            + "\n"
    }

    private static func line(_ command: String, title: String, _ message: String) -> String {
        "::\(command) title=\(escaped(title, isProperty: true))::\(escaped(message, isProperty: false))"
    }

    /// Returns text with the escapes of the toolkit's `escapeData` and `escapeProperty` (packages/core/src/command.ts).
    static func escaped(_ text: String, isProperty: Bool) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case ":" where isProperty: result += "%3A"
            case "," where isProperty: result += "%2C"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
