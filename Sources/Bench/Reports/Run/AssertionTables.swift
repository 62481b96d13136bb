import Basics
import Evaluation
import Harness

struct AssertionTables {
    let answers: [AssertionAnswer]

    /// Assertions in the suite's order, each with its cases.
    private var claims: [(assertion: Assertion, answers: [AssertionAnswer])] {
        var claims: [(assertion: Assertion, answers: [AssertionAnswer])] = []
        for answer in answers {
            if let place = claims.firstIndex(where: { $0.assertion == answer.assertion }) {
                claims[place].answers.append(answer)
            } else {
                claims.append((answer.assertion, [answer]))
            }
        }
        return claims
    }

    var summary: Table {
        Table(
            note: "An assertion is met when all of its cases are met, and missed when one case is missed.",
            columns: [
                "No.", "Assertion", "Variants", "Verdict", .number("Met"), .number("Missed"), .number("Undecided"),
                "Evidence", "Gates", "Because",
            ],
            rows: claims.enumerated().map { place, claim in
                let (assertion, answers) = claim
                let verdicts = answers.map(\.judgement.verdict)
                func count(_ verdict: Verdict) -> String { "\(verdicts.count { $0 == verdict })" }
                let variants = assertion.variants.map(\.text).joined(separator: ", ")
                return [
                    "\(place + 1)", AssertionText(assertion).claim, variants.isEmpty ? "all" : variants,
                    Self.word(Verdict.overall(verdicts) ?? .inconclusive), count(.pass), count(.fail),
                    count(.inconclusive), Self.evidence(answers), answers.contains(where: \.gates) ? "yes" : "no",
                    assertion.because ?? "",
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

    private func row(_ number: String, _ answer: AssertionAnswer) -> [String] {
        let text = AssertionText(answer.assertion)
        let note = answer.judgement.note.isEmpty ? "" : ": \(answer.judgement.note)"
        return [
            number, answer.measurement, answer.device ?? "–", text.figure(answer.value),
            answer.range.map { "[\(text.value($0.lowerBound)), \(text.value($0.upperBound))]" } ?? "–",
            text.limit(of: answer), Self.word(answer.judgement.verdict) + note, answer.evidence.rawValue,
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
    private static func evidence(_ answers: [AssertionAnswer]) -> String {
        Set(answers.map(\.evidence.rawValue)).sorted().joined(separator: ", ")
    }
}

struct AssertionText {
    private let assertion: Assertion

    init(_ assertion: Assertion) { self.assertion = assertion }

    /// "latency P95, stylized < 50 ms", "books identified in the session (30 min) ≥ 0.9 × that without gate".
    var claim: String {
        let name = assertion.metric?.name ?? assertion.device?.meaning.name ?? ""
        let category = assertion.category.map { ", \($0)" } ?? ""
        let session = assertion.session.text.isEmpty ? "" : " (\(assertion.session.text))"
        let devices = assertion.devices.isEmpty ? "" : " on \(assertion.devices.joined(separator: ", "))"
        return "\(name)\(category)\(session)\(devices) \(assertion.comparator.symbol) \(limit)"
    }

    private var limit: String {
        guard let reference = assertion.reference else {
            guard let upper = assertion.upperLimit else { return exact(assertion.limit) }
            return "\(exact(assertion.limit)) to \(exact(upper))"
        }
        let factor = reference.factor == 1 ? "" : "\(NumberText.short(reference.factor)) × "
        let other = [reference.variant.map { "of \($0.text)" }, reference.session.map(\.text)].compactMap(\.self)
        let offset = abs(assertion.limit)
        let sign = assertion.limit < 0 ? "−" : "+"
        return "\(factor)that \(other.joined(separator: ", "))" + (offset == 0 ? "" : " \(sign) \(exact(offset))")
    }

    /// "≤ 0.41 J (talaria-only)".
    func limit(of answer: AssertionAnswer) -> String {
        guard let limit = answer.limit.value.map({ answer.reference == nil ? exact($0) : value($0) }) else {
            return "–"
        }
        let upper = answer.upperLimit.map { " to \(exact($0))" } ?? ""
        return "\(assertion.comparator.symbol) \(limit)\(upper)" + (answer.reference.map { " (\($0))" } ?? "")
    }

    func figure(_ figure: Figure) -> String { figure.value.map(value) ?? "–" }

    func value(_ value: Double) -> String {
        if let metric = assertion.metric { return metric.unit.text(value) }
        return switch assertion.device?.meaning.unit ?? "" {
        case "ms": NumberText.milliseconds(value)
        case "": NumberText.fixed(value, 0)
        case let unit: "\(NumberText.fixed(value, unit == "J" ? 2 : 1)) \(unit)"
        }
    }

    private func exact(_ value: Double) -> String {
        if let metric = assertion.metric { return metric.unit.limit(value) }
        let unit = assertion.device?.meaning.unit ?? ""
        return NumberText.short(value) + (unit.isEmpty ? "" : " \(unit)")
    }
}
