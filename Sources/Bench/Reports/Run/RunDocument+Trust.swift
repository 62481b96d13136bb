import Basics
import Evaluation
import Harness

/// Sections of the report about the reliability of the others.
extension RunDocument {
    var validity: [Document.Section] {
        let rows = result.measurements.flatMap { measurement in
            measurement.validity.map { rule in
                let status = rule.isMet ? "✅" : rule.invalidates ? "❌ invalid" : "⚠️ in doubt"
                return [measurement.id, rule.name, rule.required, rule.seen, status]
            }
        }
        guard !rows.isEmpty else { return [] }
        return [
            Document.Section(
                "Validity",
                [
                    .paragraph(
                        "Validity checks of each measurement. The latencies of an invalid measurement do not affect the verdict."
                    ),
                    .table(Table(columns: ["Measurement", "Rule", "Required", "Seen", ""], rows: rows)),
                ]
            )
        ]
    }

    var findings: [Document.Section] {
        let lines = result.measurements.flatMap { measurement in
            FindingsText(measurement: measurement).sentences.map { "`\(measurement.id)`: \($0)" }
        }
        return lines.isEmpty ? [] : [Document.Section("Scenarios", [.list(lines)])]
    }

    var confidence: [Document.Section] {
        let titles = result.measurements.compactMap { measurement in
            measurement.calibration.map { [measurement.id] + Self.reliability($0) }
        }
        guard !titles.isEmpty else { return [] }
        let lines = result.measurements.flatMap { measurement in
            [("as reported", measurement.lineConfidence), ("calibrated", measurement.lineProbability)]
                .compactMap { kind, calibration in
                    calibration.map { [measurement.id, kind] + Self.reliability($0) }
                }
        }
        let threshold = NumberText.short(
            result.measurements.compactMap { $0.calibration?.review.threshold }.first ?? 0.8
        )
        let figures = [
            "ECE", "ECE, equal mass", "Brier", "Confidence below \(threshold)", "Right among the others",
            "Wrong ones below",
        ]
        var blocks: [Document.Block] = [
            .paragraph(
                "Title read against the mean confidence of a reading's lines, weighted by length (reported by "
                    + "the system). ECE is the expected calibration error over ten bins of equal width."
            ),
            .table(Table(columns: ["Measurement"] + (["Readings"] + figures).map { .number($0) }, rows: titles)),
        ]
        if !lines.isEmpty {
            blocks += [
                .paragraph(
                    "Line right in every character, against its reported confidence "
                        + "and its calibrated probability, where the system has one."
                ),
                .table(
                    Table(
                        columns: ["Measurement", "Confidence"] + (["Lines"] + figures).map { .number($0) },
                        rows: lines
                    )
                ),
            ]
        }
        return [Document.Section("Confidence", blocks)]
    }

    private static func reliability(_ calibration: Calibration) -> [String] {
        let review = calibration.review
        return [
            "\(calibration.answers)", rate(calibration.expectedError), rate(calibration.equalMassExpectedError),
            rate(calibration.brierScore), NumberText.proportion(review.reviewed),
            NumberText.proportion(review.acceptedRight), NumberText.proportion(review.errorsCaught),
        ]
    }

    var selfTests: Document.Section {
        let lines = result.datasets.map { dataset in
            let rows = dataset.selfTest.rows
            let failed = rows.filter { $0.isOK == false }.map { "\($0.prediction.rawValue) \($0.metric)" }
            return failed.isEmpty
                ? "\(dataset.name): all \(NumberText.count(rows.count { $0.isOK == true }, "expectation")) hold."
                : "\(dataset.name): **\(failed.joined(separator: ", ")) differ from the expectation.**"
        }
        let about =
            "Perfect, blank, reversed, duplicated and shuffled predictions over the dataset's own labels; report.json has "
            + "the scores of each."
        return Document.Section("Metric self-tests", [.paragraph(about), .list(lines)])
    }
}
