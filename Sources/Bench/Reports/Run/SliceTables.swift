import Basics
package import Documents
package import Harness
import Statistics

/// Tables of ``Slices``: where measurements lose.
package struct SliceTables: Sendable {
    private let measurements: [(id: String, slices: Slices)]

    package init(_ measurements: [MeasurementResult]) {
        self.measurements = measurements.compactMap { one in one.slices.map { (one.id, $0) } }
    }

    /// Slices that differ, then all of them.
    package var document: Document {
        Document(
            "Where titles are missed",
            [Document.Section(nil, [.list(findings), .paragraph(note)])] + tables.map { Document.Section($0) }
        )
    }

    /// The slices that differ, or that none does, or that none could be tested.
    package var findings: [String] {
        let sentences = sentences
        return !sentences.isEmpty
            ? sentences
            : [
                tests == 0
                    ? "No slice could be tested: the samples, or the photos that they share, are too few."
                    : "No slice differs from the other samples by more than chance."
            ]
    }

    /// Every slice, a table for each measurement.
    package var tables: [Table] {
        measurements.map { id, slices in
            let rows = slices.slices.enumerated().map { place, slice in
                let isFirst = place == 0 || slices.slices[place - 1].property != slice.property
                return [isFirst ? slice.property : ""] + Self.cells(slice, of: slices)
            }
            let all = ["all", ""] + Self.cells(slices.overall) + ["", ""]
            return Table(id, columns: Array(Self.columns.dropFirst()), rows: [all] + rows)
        }
    }

    /// Tested slices of all measurements whose interval excludes the rate of all samples; without rows where none does.
    package var outstanding: Table {
        let rows = measurements.flatMap { id, slices in
            slices.slices.filter { $0.p != nil && $0.excludes(slices.overall.rate) }.map {
                [id, $0.property] + Self.cells($0, of: slices)
            }
        }
        return Table("Where titles are missed", note: note, columns: Self.columns, rows: rows)
    }

    /// The slices that differ by more than chance, a sentence each.
    package var sentences: [String] {
        measurements.flatMap { id, slices in
            slices.slices.filter(\.standsOut).map { slice in
                "\(id), \(slice.property) \(slice.values): \(Self.word(slice, slices)), "
                    + "\(NumberText.proportion(slice.rate.proportion)); all samples: \(NumberText.proportion(slices.overall.proportion))."
            }
        }
    }

    /// Origin of the figures, and how often chance alone makes such a slice.
    package var note: String {
        let isNarrow = measurements.contains { one in one.slices.slices.contains { $0.rate.basis == .tooFewGroups } }
        let values = [
            "tests": "\(tests)", "chance": NumberText.fixed(Double(tests) * Slices.level, 0),
            "level": NumberText.short(Slices.level),
        ]
        return ReportText.of("slices", isNarrow ? ["narrow"] : [], values).joined(separator: " ")
    }

    private var tests: Int { measurements.map { one in one.slices.slices.count { $0.p != nil } }.reduce(0, +) }

    private static let columns: [Table.Column] = [
        "Measurement", "Property", "Values", .number("Titles read"), .number("95 % interval"), .number("p, corrected"),
        "",
    ]

    private static func cells(_ rate: RateEstimate) -> [String] {
        [NumberText.proportion(rate.proportion), NumberText.interval(rate)]
    }

    private static func cells(_ slice: Slices.Slice, of slices: Slices) -> [String] {
        [slice.values] + cells(slice.rate) + [
            slice.correctedP.map(NumberText.p) ?? "too few", slice.standsOut ? "**\(word(slice, slices))**" : "",
        ]
    }

    private static func word(_ slice: Slices.Slice, _ slices: Slices) -> String {
        let rates = (slice.rate.rate.value ?? 0, slices.overall.rate.value ?? 0)
        return rates.0 < rates.1 ? "worse" : "better"
    }
}
