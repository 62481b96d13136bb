import Basics
import Documents
import Evaluation
import Harness

struct AssertionTables {
    let answers: [Answer]

    /// Assertions in the suite's order, each with its cases.
    private var claims: [(claim: Claim, answers: [Answer])] {
        answers.map(\.claim).reduce(into: []) { claims, claim in
            if !claims.contains(where: { $0.claim == claim }) {
                claims.append((claim, answers.filter { $0.claim == claim }))
            }
        }
    }

    var summary: Table {
        Table(
            note: "An assertion is met when all of its cases are met, and missed when one case is missed.",
            columns: [
                "No.", "Assertion", "Variants", "Verdict", .number("Met"), .number("Missed"), .number("Undecided"),
                "Evidence", "Gates", "Because",
            ],
            rows: claims.enumerated().map { place, one in
                let (claim, answers) = one
                let verdicts = answers.map(\.judgement.verdict)
                func count(_ verdict: Verdict) -> String { "\(verdicts.count { $0 == verdict })" }
                let variants = claim.patterns.map(\.text).joined(separator: ", ")
                return [
                    "\(place + 1)", claim.text, variants.isEmpty ? "all" : variants,
                    Self.word(Verdict.overall(verdicts) ?? .inconclusive), count(.pass), count(.fail),
                    count(.inconclusive), Self.evidence(answers), answers.contains(where: \.gates) ? "yes" : "no",
                    claim.because ?? "",
                ]
            }
        )
    }

    var details: Table {
        Table(
            note:
                "Numbers as in the table of assertions. Measured figures with their interval at 95 %; modelled figures at the nominal values of the device's figures, "
                + "with the 5th to 95th percentile of their draws. A limit that is another figure is given with its variant.",
            columns: [
                "No.", "Measurement", "Device", .number("Value"), .number("Range"), .number("Limit"), "Verdict",
                "Evidence",
            ],
            rows: claims.enumerated().flatMap { place, claim in claim.answers.map { row("\(place + 1)", $0) } }
        )
    }

    private func row(_ number: String, _ answer: Answer) -> [String] {
        let (text, claim) = (AnswerText(answer), answer.claim)
        let note = answer.judgement.note.isEmpty ? "" : ": \(answer.judgement.note)"
        return [
            number, answer.measurement, answer.device ?? "–", text.shortValue,
            answer.range.map { "[\(claim.text($0.lowerBound)), \(claim.text($0.upperBound))]" } ?? "–",
            text.limit, Self.word(answer.judgement.verdict) + note, answer.evidence.rawValue,
        ]
    }

    private static func word(_ verdict: Verdict) -> String {
        switch verdict {
        case .pass: "met"
        case .fail: "**missed**"
        case .inconclusive: "undecided"
        }
    }

    /// All classes of evidence that the answers rest on.
    private static func evidence(_ answers: [Answer]) -> String {
        Set(answers.map(\.evidence.rawValue)).sorted().joined(separator: ", ")
    }
}
