/// Outputs of a step for GitHub Actions.
package enum GitHubActions {
    /// Maximum size of a step's summary: 1 MiB.
    package static let summaryLimit = 1 << 20

    /// Returns the bytes to append to `$GITHUB_STEP_SUMMARY`, which holds `used` bytes already, cut at a line's end.
    ///
    /// GitHub drops a summary that is too long altogether.
    package static func summary(_ report: CheckReport, used: Int = 0) -> [UInt8] {
        let bytes = Array((report.markdown + "\n").utf8)
        let note = Array("\n… truncated, as a summary is limited to 1 MiB; the report's files are complete.\n".utf8)
        if used + bytes.count <= summaryLimit { return bytes }
        let room = summaryLimit - used - note.count
        guard room > 0, let end = bytes.prefix(room).lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        return bytes[...end] + note
    }

    /// Returns a line of workflow commands for the verdict and ten failed, ten open and nine accepted checks, which is
    /// what GitHub shows.
    package static func annotations(_ report: CheckReport) -> String {
        let failed = report.checks.filter { $0.outcome == .failed }
        let open = report.checks.filter { $0.outcome == .open }
        let accepted = report.checks.filter { $0.outcome == .accepted }
        let lines =
            failed.prefix(10).map { line("error", title: "\($0.suite): \($0.name)", $0.message) }
            + open.prefix(10).map { line("warning", title: "\($0.suite): \($0.name)", $0.message) }
            + accepted.prefix(9).map { line("notice", title: "\($0.suite): \($0.name)", $0.message) }
            + [line("notice", title: "spinebench: \(report.word)", report.sentence)]
        return lines.joined(separator: "\n") + "\n"
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
