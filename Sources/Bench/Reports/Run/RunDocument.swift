import Basics
package import Documents
import Evaluation
package import Harness
import SpineDatasets
import Statistics

/// Report of a run for people: a matrix and the verdict first, then their evidence.
package struct RunDocument: Sendable {
    let result: RunResult
    /// Problems are listed up to this many a measurement; `samples.csv` has them all.
    private static let listedProblems = 20

    package init(_ result: RunResult) { self.result = result }

    /// `report.md`.
    package var markdown: String { document.markdown() }

    package var document: Document {
        let tiers = TierTables(result: result).tables.map { Document.Section($0) }
        let missed = result.compliance.filter { $0.metric?.family == .accuracy && $0.judgement.verdict == .fail }
        let fronts = Pareto.of(result).map {
            Document.Section($0.pareto.table($0.title, missed: Set(missed.map(\.measurement))))
        }
        let sections: [[Document.Section?]] = [
            [summary, devices, assertions, compliance, latency, findings], tiers, [accuracy], fronts,
            [slices, confidence, memory, coldStart, validity, selfTests, problems],
            [deviceDetails, assertionDetails, method, provenance],
        ]
        return Document("Spine reading: \(VerdictText(result).word)", sections.joined().compactMap(\.self))
    }

    /// What a terminal shows beside the matrix and the verdict: devices, scenarios, assertions.
    package var glance: [Document.Section] { [devices, findings, assertions].compactMap(\.self) }

    // MARK: Sections

    private var summary: Document.Section {
        let overview = result.overview
        let datasets = result.datasets.map { dataset in
            let categories = SampleCategory.allCases.compactMap { category in
                dataset.categories[category.rawValue].map { "\($0) \(category.rawValue)" }
            }
            let spines =
                "\(NumberText.count(dataset.samplesRead, "spine")) (\(categories.joined(separator: ", "))), "
                + "\(dataset.legible) of them legible\(result.isPartial ? "" : " and scored")"
            return "Dataset **\(dataset.name)**\(dataset.read(spines, separator: "; "))."
        }
        return Document.Section(
            nil,
            isSummary: true,
            result.failures.map { Document.Block.paragraph("❌ " + Markdown.line(Markdown.literal($0))) }
                + warnings
                + (overview.table.rows.isEmpty ? [] : [.table(overview.table)])
                + [.paragraph(VerdictText(result).sentence)]
                + result.speedTexts.map { .paragraph($0) }
                + [.paragraph("Next: \(NextStep(result).onPage).")]
                + [.list(overview.legend)]
                + RunPlots(result).bars.map { .bars($0) }
                + [.paragraph((datasets + ["Run of \(result.startedAt)."]).joined(separator: "\n"))]
        )
    }

    /// Warnings, as one block if there are many, so that a report of very many measurements can omit some.
    private var warnings: [Document.Block] {
        let lines = result.warnings.map { "⚠️ " + $0 }
        return lines.count > 20 ? [Document.Block.list(lines)] : lines.map { Document.Block.paragraph($0) }
    }

    private var compliance: Document.Section? {
        if result.isOfOtherReaders { return nil }
        let rows = result.compliance.map { row in
            let text = AnswerText(row)
            return [
                "**\(row.measurement): \(text.name)**", text.value, text.target, text.status, row.evidence.rawValue,
            ]
        }
        let columns: [Table.Column] = ["Metric", "Value", "Target", "Status", "Evidence"]
        return Document.Section("Compliance", [.table(Table(columns: columns, rows: rows))])
    }

    private var latency: Document.Section? {
        let rows = rows.filter { !$0.result.isUntimed }
        if rows.isEmpty { return nil }
        let isOwn = rows.contains { $0.result.variant.origin == nil }
        let percent = { (share: Double) in NumberText.fixed(share * 100, 1) }
        func inference(_ heading: String, _ text: @escaping (Double) -> String) -> FigureColumn {
            .figure(heading, unit: "%", text) { $0.value(of: .inferenceShare)?.value ?? .absent("not reported") }
        }
        let table = Table(
            .latency,
            before: [.name, .count("Readings") { $0.category.latency.count }],
            after: [
                .figure("MLPerf P90", unit: "ms") { $0.category.latency.earlyStoppingP90 },
                .figure("Longest", unit: "ms") { $0.category.latency.longest },
                .count("Timeouts") { $0.category.latency.timeouts }, inference("Inference", percent),
                inference("Other") { percent(1 - $0) },
            ],
            of: rows
        )
        let about = ReportText.paragraph("latency", isOwn ? ["own", "timed"] : ["elsewhere"])
        return Document.Section("Latency", [about, .table(table)])
    }

    private var rows: [FigureRow] { FigureRow.whole(result.measurements) }

    /// Section about devices; nil when no devices were requested, or no measurement can be modelled on one.
    private var devices: Document.Section? {
        deviceTables.map { tables in
            Document.Section(tables.title, isSummary: true, [.table(tables.matrix)])
        }
    }

    private var deviceDetails: Document.Section? {
        deviceTables.map { tables in
            Document.Section(
                "Devices in detail",
                tables.method.map { .paragraph($0) } + tables.tables.map { .table($0) }
            )
        }
    }

    private var deviceTables: DeviceTables? {
        let gates = result.configuration.devices?.gates ?? .none
        return result.devices.flatMap { $0.rows.isEmpty ? nil : DeviceTables(assessment: $0, gates: gates) }
    }

    private var assertions: Document.Section? {
        assertionTables.map { Document.Section("Assertions", isSummary: true, [.table($0.summary)]) }
    }

    private var assertionDetails: Document.Section? {
        assertionTables.map { Document.Section("Assertions in detail", [.table($0.details)]) }
    }

    private var assertionTables: AssertionTables? {
        result.assertions.flatMap { $0.isEmpty ? nil : AssertionTables(answers: $0) }
    }

    /// Accuracy by category.
    private var accuracy: Document.Section {
        let rows = FigureRow.categories(result.measurements.filter { !$0.all.has(.shelves) })
        let table = Document.Block.table(Table(.accuracy, before: [.name, .category], of: rows))
        guard result.configuration.repetitions * result.configuration.seeds.count > 1 else {
            return Document.Section("Accuracy", [table])
        }
        let unstable = result.measurements.filter { $0.unstableSamples > 0 }.map {
            "\($0.id) read \(NumberText.count($0.unstableSamples, "spine")) differently across repetitions"
        }
        let stability = unstable.isEmpty ? "All repetitions read the same texts" : unstable.joined(separator: "; ")
        return Document.Section("Accuracy", [table, .paragraph(stability + ".")])
    }

    private var slices: Document.Section? {
        let table = SliceTables(result.measurements).outstanding
        return table.rows.isEmpty ? nil : Document.Section(table)
    }

    private var memory: Document.Section? {
        let figures: [(String, KeyPath<MemorySummary.Level, Figure>)] = [
            ("Before loading", \.atStart), ("Before reading", \.before), ("After reading", \.after),
            ("Delta", \.delta), ("Peak, loading and warm-up", \.peakBefore), ("Peak, reading", \.peakReading),
            ("Peak delta", \.peakDelta),
        ]
        let levels: [(String, (MemorySummary) -> MemorySummary.Level?)] = [
            ("Footprint", \.footprint), ("Resident memory", \.resident),
            ("Memory as defined until 28 November 2026, not comparable", \.earlier),
        ]
        let tables = levels.compactMap { title, level -> Document.Block? in
            let rows = rows.filter { row in
                let isOwn = row.result.variant.origin == nil && row.result.memory.earlier == nil
                return level(row.result.memory).map { isOwn || $0.peak.value != nil } ?? false
            }
            let columns = figures.map { heading, figure in
                FigureColumn.figure(heading, unit: "MB", { NumberText.fixed($0 / 1e6, 1) }) {
                    level($0.result.memory)?[keyPath: figure] ?? .absent(MemorySummary.redefined)
                }
            }
            return rows.isEmpty ? nil : .table(Table(title, figures: [.name] + columns, of: rows))
        }
        return tables.isEmpty ? nil : Document.Section("Memory", [ReportText.paragraph("memory")] + tables)
    }

    private var coldStart: Document.Section? {
        let rows = rows.filter { $0.result.variant.origin == nil }
        if rows.isEmpty { return nil }
        let firstStart = FigureColumn.figure("First start, compiling", unit: "ms") {
            $0.result.coldStart.firstStart ?? .absent("nothing to compile")
        }
        let fills = CacheFill.sentence(result.cacheFills ?? []).map { Document.Block.paragraph($0) }
        let table = Table(.start, after: result.cacheFills == nil ? [] : [firstStart], of: rows)
        return Document.Section(
            "Cold start",
            [ReportText.paragraph("cold start"), fills, .table(table)].compactMap(\.self)
        )
    }

    private var problems: Document.Section {
        func line(_ text: String) -> String { Markdown.line(Markdown.literal(text)) }
        let lines = result.measurements.flatMap { measurement in
            let listed = measurement.problems.prefix(Self.listedProblems)
            let more = measurement.problems.count - listed.count
            let noise = StrayOutput.summary(measurement.noise).map {
                "the worker printed unexpected output, such as \(line($0)); it was ignored."
            }
            let lines =
                measurement.lostWorkers.map { "\(Markdown.line($0)). A new worker took over." }
                + [noise].compactMap(\.self)
                + listed.map { "\($0.id), repetition \($0.repetition), \(Self.word($0.outcome)): \(line($0.problem))" }
                + (more > 0 ? ["\(more) more; samples.csv has them all."] : [])
            let outcomes = SampleRecord.Outcome.allCases.compactMap { kind in
                measurement.outcomes[kind.rawValue].map { "\($0) \(Self.word(kind))" }
            }
            return (lines.isEmpty ? [] : [outcomes.joined(separator: ", ") + "."] + lines)
                .map { "\(measurement.id): \($0)" }
        }
        guard !lines.isEmpty else {
            return Document.Section("Failures", [.paragraph("None: every reading finished.")])
        }
        return Document.Section("Failures", [ReportText.paragraph("failures"), .list(lines)])
    }

    private var method: Document.Section {
        Document.Section("How it was measured", [.list(MethodText(result: result).paragraphs)])
    }

    private var provenance: Document.Section {
        // A reader states its own name, which may contain anything.
        let rows = MethodText(result: result).provenance.map { [$0.name, $0.value.replacing("<", with: "&lt;")] }
        return Document.Section("Provenance", [.table(Table(columns: ["", ""], rows: rows))])
    }

    private static func word(_ outcome: SampleRecord.Outcome) -> String {
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
    /// Returns " 1.0: 240 spines; 24 photos of shelves", with what is said of spines where any was read.
    func read(_ spines: String, separator: String) -> String {
        let photos = shelves.map { "\(NumberText.count($0, "photo")) of shelves" }
        let parts = [samplesRead > 0 || shelves == nil ? spines : nil, photos].compactMap(\.self)
        return (version.map { " \($0)" } ?? "") + ": " + parts.joined(separator: separator)
    }
}

/// The diagrams that a run's report begins with: how long reading takes, and how much is read.
package struct RunPlots: Sendable {
    private let result: RunResult

    package init(_ result: RunResult) { self.result = result }

    /// Bar plots of metrics with a figure; axes begin at zero.
    package var bars: [BarPlot] {
        func shares(_ title: String, _ metric: Metric, ofShelves: Bool) -> BarPlot {
            BarPlot(
                title,
                bars: result.measurements.filter { $0.all.has(.shelves) == ofShelves }.map { one in
                    let share = one.readsNothing ? nil : one.all.rate(metric).rate.value.map { $0 * 100 }
                    return BarPlot.Bar(one.id, share, text: share.map { NumberText.fixed($0, 1) } ?? "–")
                },
                end: 100
            )
        }
        let latency = BarPlot(
            "Latency, P95 (ms)",
            bars: result.measurements.filter { !$0.isUntimed }.map { one in
                let p95 = one.all.latency.p95
                let evidence = one.variant.origin == nil ? "" : " \(one.evidence.rawValue)"
                return BarPlot.Bar(one.id, p95.value.value, text: NumberText.bounded(p95, unit: "") + evidence)
            }
        )
        return [
            latency, shares("Title read (% of the legible spines)", .titleRead, ofShelves: false),
            shares("Books of shelves named (% of those that the catalogue has)", .bookRecall, ofShelves: true),
        ].filter { $0.bars.contains { $0.value != nil } }
    }
}
