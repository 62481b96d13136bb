/// Checks as JUnit XML, in the form for Jenkins, GitLab and GitHub actions: a `testsuite` of each suite, a `testcase`
/// of each check; undecided and accepted ones are skipped.
package enum JUnitXML {
    package static func bytes(_ report: CheckReport) -> [UInt8] {
        var names: [String] = []
        for check in report.checks where !names.contains(check.suite) { names.append(check.suite) }
        let suites = names.map { name in suite(name, report.checks.filter { $0.suite == name }) }
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="spinebench" \(counts(report.checks, ofAll: true))>
            \(suites.joined(separator: "\n"))
            </testsuites>

            """
        return Array(text.utf8)
    }

    private static func suite(_ name: String, _ checks: [CheckReport.Check]) -> String {
        let cases = checks.map { check in
            let head = "    <testcase classname=\"\(escaped(name))\" name=\"\(escaped(check.name))\" time=\"0\""
            switch check.outcome {
            case .passed: return head + "/>"
            case .failed:
                let message = escaped(check.message)
                return head
                    + ">\n      <failure message=\"\(message)\" type=\"regression\">\(message)</failure>\n    </testcase>"
            case .open, .accepted:
                return head + ">\n      <skipped message=\"\(escaped(check.message))\"/>\n    </testcase>"
            }
        }
        return "  <testsuite name=\"\(escaped(name))\" \(counts(checks))>\n" + cases.joined(separator: "\n")
            + "\n  </testsuite>"
    }

    /// Returns the counts; the root element has no count of skipped ones.
    private static func counts(_ checks: [CheckReport.Check], ofAll: Bool = false) -> String {
        let failed = checks.count { $0.outcome == .failed }
        let open = checks.count { $0.outcome == .open || $0.outcome == .accepted }
        return
            "tests=\"\(checks.count)\" failures=\"\(failed)\" errors=\"0\"\(ofAll ? "" : " skipped=\"\(open)\"") time=\"0\""
    }

    /// Returns text of XML 1.0, in an attribute or not; characters that it forbids become U+FFFD.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // White space in an attribute would be made spaces.
            case "\n": result += "&#10;"
            case "\r": result += "&#13;"
            case "\t": result += "&#9;"
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
