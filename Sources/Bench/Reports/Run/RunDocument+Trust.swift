import Basics
import Documents
import Evaluation
import Harness
import Statistics

/// Sections of the report about the reliability of the others.
extension RunDocument {
    var validity: Document.Section? {
        let rows = result.measurements.flatMap { measurement in
            measurement.validity.map { rule in
                let status = rule.isMet ? "✅" : rule.invalidates ? "❌ invalid" : "⚠️ in doubt"
                return [measurement.id, rule.name, rule.required, rule.seen, status]
            }
        }
        let table = Table(columns: ["Measurement", "Rule", "Required", "Seen", ""], rows: rows)
        return rows.isEmpty ? nil : Document.Section("Validity", [ReportText.paragraph("validity"), .table(table)])
    }

    var findings: Document.Section? {
        let lines = result.measurements.flatMap { measurement in
            FindingsText(measurement: measurement).sentences.map { "`\(measurement.id)`: \($0)" }
        }
        return lines.isEmpty ? nil : Document.Section("Scenarios", [.list(lines)])
    }

    var confidence: Document.Section? {
        let titles = result.measurements.compactMap { measurement in
            measurement.calibration.map { [measurement.id] + Self.cells($0) }
        }
        let lines = result.measurements.flatMap { measurement in
            [("as reported", measurement.lineConfidence), ("calibrated", measurement.lineProbability)]
                .compactMap { kind, calibration in calibration.map { [measurement.id, kind] + Self.cells($0) } }
        }
        let threshold = result.measurements.compactMap { $0.calibration?.review.threshold }.first ?? 0.8
        func blocks(
            _ about: String,
            _ columns: [Table.Column],
            _ answers: String,
            _ rows: [[String]]
        ) -> [Document.Block] {
            let figures = [
                answers, "ECE", "ECE, equal mass", "Brier", "Confidence below \(NumberText.short(threshold))",
                "Right among the others", "Wrong ones below",
            ]
            let table = Table(columns: columns + figures.map { .number($0) }, rows: rows)
            return rows.isEmpty ? [] : [ReportText.paragraph(about), .table(table)]
        }
        return titles.isEmpty
            ? nil
            : Document.Section(
                "Confidence",
                blocks("confidence", ["Measurement"], "Readings", titles)
                    + blocks("lines", ["Measurement", "Confidence"], "Lines", lines)
            )
    }

    private static func cells(_ calibration: Calibration) -> [String] {
        let review = calibration.review
        let figures = [calibration.expectedError, calibration.equalMassExpectedError, calibration.brierScore]
        return ["\(calibration.answers)"] + figures.map { NumberText.figure($0) { NumberText.fixed($0, 3) } }
            + [review.reviewed, review.acceptedRight, review.errorsCaught].map { NumberText.proportion($0) }
    }

    var selfTests: Document.Section {
        let lines = result.datasets.map { dataset in
            let rows = dataset.selfTest.rows
            let failed = rows.filter { $0.isOK == false }.map { "\($0.prediction.rawValue) \($0.metric)" }
            return failed.isEmpty
                ? "\(dataset.name): all \(NumberText.count(rows.count { $0.isOK == true }, "expectation")) hold."
                : "\(dataset.name): **\(failed.joined(separator: ", ")) differ from the expectation.**"
        }
        return Document.Section("Metric self-tests", [ReportText.paragraph("self-tests"), .list(lines)])
    }
}
