package import Basics
import DeviceSimulation
import Evaluation
import Harness
package import Results
import SpineDatasets

/// Report of a run for people: a matrix and the verdict first, then their evidence.
package struct RunDocument: Sendable {
    let result: RunResult
    /// Problems are listed up to this many a measurement; `samples.csv` has them all.
    private static let listedProblems = 20
    /// GitHub takes no text of more than 65,536 characters in an issue, a comment or a check.
    package static let longest = 60_000

    package init(_ result: RunResult) {
        self.result = result
    }

    /// `report.md`, at most ``longest`` characters, and `report-details.md` with the rest; nil when everything fits.
    package var markdown: (main: String, details: String?) {
        document.markdown(limit: Self.longest, details: RunReports.Name.details)
    }

    package var document: Document {
        Document(
            "Spine reading: \(VerdictText(result).word)",
            [
                [summary], devices, assertions, [compliance, latency], findings,
                TierTables(result: result).tables.map(Document.Section.init), [accuracy], confidence,
                [memory, coldStart], validity, [selfTests, problems], deviceDetails, assertionDetails,
                [method, provenance],
            ].flatMap(\.self)
        )
    }

    /// What a terminal shows beside the matrix and the verdict: devices, scenarios, assertions.
    package var glance: [Document.Section] { devices + findings + assertions }

    // MARK: Sections

    private var summary: Document.Section {
        let matrix = RequirementMatrix(result)
        let datasets = result.datasets.map { dataset in
            let categories = SampleCategory.allCases.compactMap { category in
                dataset.categories[category.rawValue].map { "\($0) \(category.rawValue)" }
            }
            let spines =
                "\(NumberText.count(dataset.samplesRead, "spine")) (\(categories.joined(separator: ", "))), "
                + "\(dataset.legible) of them legible\(result.isPartial ? "" : " and scored")"
            let parts = [dataset.samplesRead > 0 || dataset.shelves == nil ? spines : nil, dataset.photos]
            return "Dataset **\(dataset.name)**\(dataset.version.map { " \($0)" } ?? ""): "
                + parts.compactMap(\.self).joined(separator: "; ") + "."
        }
        return Document.Section(
            nil,
            isSummary: true,
            (result.compliance.isEmpty ? [] : [.table(matrix.table)]) + [.paragraph(VerdictText(result).sentence)]
                + (matrix.legend.isEmpty ? [] : [.list(matrix.legend)])
                + RunPlots(result).bars.map { .bars($0) }
                + [.paragraph((datasets + ["Run of \(result.startedAt)."]).joined(separator: "\n"))]
                + warnings
        )
    }

    /// Warnings, as one block if there are many, so that a report of very many measurements can omit some.
    private var warnings: [Document.Block] {
        let lines = result.warnings.map { "⚠️ " + $0 }
        return lines.count > 20 ? [Document.Block.list(lines)] : lines.map { Document.Block.paragraph($0) }
    }

    private var compliance: Document.Section {
        let rows = result.compliance.map { row in
            let text = RequirementText(row: row)
            return [
                "**\(text.metric)**", text.value, text.target, text.margin, text.status, row.evidence.rawValue,
                row.gates ? "yes" : "no",
            ]
        }
        let columns: [Table.Column] = ["Metric", "Value", "Target", "Distance", "Status", "Evidence", "Gates"]
        return Document.Section("Compliance", [.table(Table(columns: columns, rows: rows))])
    }

    private var latency: Document.Section {
        let rows = result.measurements.map { measurement in
            let all = measurement.all.latency
            let around = measurement.inferenceShare.map { 1 - $0 }
            return [measurement.id, "\(all.count)"]
                + [all.p50, all.p90, all.p95, all.p99].map { NumberText.bounded($0, unit: "") }
                + [Self.milliseconds(all.earlyStoppingP90), Self.milliseconds(all.longest), "\(all.timeouts)"]
                + [measurement.inferenceShare, around].map { NumberText.figure($0) { NumberText.fixed($0 * 100, 1) } }
        }
        let times = ["P50", "P90", "P95", "P99", "MLPerf P90", "Longest"].map { Table.Column.number($0, "ms") }
        let columns: [Table.Column] =
            ["Measurement", .number("Readings")] + times
            + [.number("Timeouts"), .number("Inference", "%"), .number("Other", "%")]
        return Document.Section(
            "Latency",
            [
                .paragraph(
                    "From a picture file's bytes to its text, including decoding, warm. In brackets: the 95 % bounds of each "
                        + "percentile, for any distribution."
                ),
                .table(Table(columns: columns, rows: rows)),
            ]
        )
    }

    /// Sections about devices; none when no devices were requested, or no measurement can be modelled on one.
    private var devices: [Document.Section] {
        guard let tables = deviceTables, !tables.matrix.rows.isEmpty else { return [] }
        let ids = result.devices?.rows.flatMap { $0.requirements.map(\.source) } ?? []
        let known = result.compliance.map(\.target.source)
        let meanings = RequirementMatrix.meanings(of: ids.filter { !known.contains($0) })
        return [
            Document.Section(
                "Devices (modelled)",
                isSummary: true,
                [.table(tables.matrix)] + (meanings.isEmpty ? [] : [.list(meanings)])
            )
        ]
    }

    private var deviceDetails: [Document.Section] {
        guard let tables = deviceTables, !tables.matrix.rows.isEmpty else { return [] }
        let blocks = tables.method.map { Document.Block.paragraph($0) } + tables.tables.map { .table($0) }
        return [Document.Section("Devices in detail", blocks)]
    }

    private var deviceTables: DeviceTables? {
        result.devices.map { DeviceTables(assessment: $0, gates: result.configuration.devices?.gates == true) }
    }

    /// None without assertions.
    private var assertions: [Document.Section] {
        guard let answers = result.assertions, !answers.isEmpty else { return [] }
        return [
            Document.Section("Assertions", isSummary: true, [.table(AssertionTables(answers: answers).summary)])
        ]
    }

    private var assertionDetails: [Document.Section] {
        guard let answers = result.assertions, !answers.isEmpty else { return [] }
        return [Document.Section("Assertions in detail", [.table(AssertionTables(answers: answers).details)])]
    }

    private var accuracy: Document.Section {
        let accuracy = AccuracyTable(result)
        let table = Table(
            columns: accuracy.headings.prefix(2).map { .text($0) } + accuracy.headings.dropFirst(2).map { .number($0) },
            rows: accuracy.rows
        )
        let unstable = result.measurements.filter { $0.unstableSamples > 0 }.map {
            "\($0.id) read \(NumberText.count($0.unstableSamples, "spine")) differently across repetitions"
        }
        guard result.configuration.repetitions * result.configuration.seeds.count > 1 else {
            return Document.Section("Accuracy", [.table(table)])
        }
        let stability =
            unstable.isEmpty ? "All repetitions read the same texts." : unstable.joined(separator: "; ") + "."
        return Document.Section("Accuracy", [.table(table), .paragraph(stability)])
    }

    private var memory: Document.Section {
        let rows = result.measurements.map { measurement in
            let memory = measurement.memory
            let figures = [
                memory.atStart, memory.before, memory.after, memory.delta, memory.peakBefore, memory.peakReading,
                memory.peakDelta,
            ]
            return [measurement.id] + figures.map { NumberText.figure($0) { NumberText.fixed($0 / 1e6, 1) } }
        }
        let headings = [
            "Before loading", "Before reading", "After reading", "Delta", "Peak, loading", "Peak, reading",
            "Peak delta",
        ]
        return Document.Section(
            "Memory",
            [
                .paragraph("Resident in the measurement's own process. 1 MB is 1,000,000 bytes."),
                .table(Table(columns: ["Measurement"] + headings.map { .number($0, "MB") }, rows: rows)),
            ]
        )
    }

    private var coldStart: Document.Section {
        let hasFills = result.cacheFills != nil
        let rows = result.measurements.map { measurement in
            let start = measurement.coldStart
            return [measurement.id]
                + [start.modelLoad, start.untilReady, start.untilFirstReading].map(Self.milliseconds)
                + (hasFills ? [start.firstStart.map(Self.milliseconds) ?? "nothing to compile"] : [])
        }
        let headings =
            ["Model load", "Process start to ready", "Process start to first reading"]
            + (hasFills ? ["First start, compiling"] : [])
        let about = [
            "The first start of each measurement's process; not part of the latencies above.",
            CacheFill.sentence(result.cacheFills ?? []),
        ]
        return Document.Section(
            "Cold start",
            about.compactMap(\.self).map { .paragraph($0) }
                + [.table(Table(columns: ["Measurement"] + headings.map { .number($0, "ms") }, rows: rows))]
        )
    }

    private var problems: Document.Section {
        let lines = result.measurements.flatMap { measurement -> [String] in
            var lines = measurement.lostWorkers.map {
                "\(measurement.id): \(Markdown.line($0)). A new worker took over."
            }
            if let last = measurement.noise.last {
                let count = measurement.noise.count - 1
                let more = last.hasPrefix("and ") ? ", \(last)" : count > 0 ? ", and \(count) more" : ""
                lines.append(
                    "\(measurement.id): the worker printed unexpected output, such as "
                        + "“\(Markdown.line(measurement.noise[0]))”\(more); it was ignored."
                )
            }
            let listed = measurement.problems.prefix(Self.listedProblems)
            lines += listed.map {
                "\(measurement.id): \($0.id), repetition \($0.repetition), \(Self.outcome($0.outcome)): \(Markdown.line($0.problem))"
            }
            if measurement.problems.count > listed.count {
                lines.append(
                    "\(measurement.id): \(measurement.problems.count - listed.count) more; samples.csv has them all."
                )
            }
            return lines.isEmpty ? [] : ["\(measurement.id): \(Self.outcomes(of: measurement))."] + lines
        }
        guard !lines.isEmpty else {
            return Document.Section("Failures", [.paragraph("None: every reading finished.")])
        }
        let about =
            "A failed reading counts as nothing read, and is excluded from latencies; a timeout exceeds every limit."
        return Document.Section("Failures", [.paragraph(about), .list(lines)])
    }

    private var method: Document.Section {
        Document.Section("How it was measured", [.list(MethodText(result: result).paragraphs)])
    }

    private var provenance: Document.Section {
        let rows = MethodText(result: result).provenance.map { [$0.name, $0.value] }
        return Document.Section("Provenance", [.table(Table(columns: ["", ""], rows: rows))])
    }

    // MARK: Pieces

    static func rate(_ figure: Figure) -> String { NumberText.figure(figure) { NumberText.fixed($0, 3) } }

    /// Returns milliseconds without the unit, which is in the column.
    static func milliseconds(_ figure: Figure) -> String {
        NumberText.figure(figure) { NumberText.bareMilliseconds($0) }
    }

    /// Returns text such as "94 read, 1 failed, 1 timed out".
    private static func outcomes(of measurement: MeasurementResult) -> String {
        SampleRecord.Outcome.allCases.compactMap { kind in
            measurement.outcomes[kind.rawValue].map { "\($0) \(outcome(kind))" }
        }.joined(separator: ", ")
    }

    private static func outcome(_ outcome: SampleRecord.Outcome) -> String {
        switch outcome {
        case .read: "read"
        case .failed: "failed"
        case .timedOut: "timed out"
        case .workerDied: "worker lost"
        case .notAttempted: "not attempted"
        }
    }
}

extension RunResult.DatasetSummary {
    /// "24 photos of shelves"; nil without any.
    var photos: String? { shelves.map { "\(NumberText.count($0, "photo")) of shelves" } }
}

/// The diagrams that a run's report begins with: how long reading takes, and how much is read.
package struct RunPlots: Sendable {
    private let result: RunResult

    package init(_ result: RunResult) { self.result = result }

    /// Bar plots of metrics with a figure; axes begin at zero.
    package var bars: [BarPlot] {
        func bar(_ id: String, _ rate: RateEstimate) -> BarPlot.Bar {
            let share = rate.rate.value.map { $0 * 100 }
            return BarPlot.Bar(id, share, text: share.map { NumberText.fixed($0, 1) } ?? "–")
        }
        let latency = BarPlot(
            "Latency, P95 (ms)",
            bars: result.measurements.map { one in
                let p95 = one.all.latency.p95
                return BarPlot.Bar(one.id, p95.value.value, text: NumberText.bounded(p95, unit: ""))
            }
        )
        let read = BarPlot(
            "Title read (% of the legible spines)",
            bars: result.measurements.filter { $0.all.shelves == nil }.map { bar($0.id, $0.all.accuracy.titleRead) },
            end: 100
        )
        let named = BarPlot(
            "Books of shelves named (% of those that the catalogue has)",
            bars: result.measurements.compactMap { one in one.all.shelves.map { bar(one.id, $0.named) } },
            end: 100
        )
        return [latency, read, named].filter { $0.bars.contains { $0.value != nil } }
    }
}
