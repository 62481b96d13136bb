import Basics
import DeviceSimulation
import Evaluation
import SpineDatasets
import Statistics

/// A run's report for people: verdict first, then what it rests on.
package struct MarkdownReport: Sendable {
    let result: RunResult
    /// Problems are listed up to this many a measurement; `samples.csv` has them all.
    private static let listedProblems = 20

    package init(_ result: RunResult) {
        self.result = result
    }

    /// The report in UTF-8.
    package var bytes: [UInt8] { Array(text.utf8) }

    var text: String {
        let sections = [
            head, compliance, latency, tiers, accuracy, confidence, memory, coldStart, devices, questions, findings,
            validity, selfTests,
            problems,
            method, provenance,
        ].filter { !$0.isEmpty }
        return sections.joined(separator: "\n\n") + "\n"
    }

    // MARK: Sections

    private var method: String {
        "## How it was measured\n\n" + MethodText(result: result).paragraphs.map { "- \($0)" }.joined(separator: "\n")
    }

    private var provenance: String {
        "## Provenance\n\n" + Self.table(["", ""], MethodText(result: result).provenance.map { [$0.name, $0.value] })
    }

    private var head: String {
        let datasets = result.datasets.map { dataset in
            let categories = SampleCategory.allCases.compactMap { category in
                dataset.categories[category.rawValue].map { "\($0) \(category.rawValue)" }
            }
            return "Dataset **\(dataset.name)**\(dataset.version.map { " \($0)" } ?? ""): "
                + "\(NumberText.count(dataset.samplesRead, "spine")) (\(categories.joined(separator: ", "))), "
                + "\(dataset.legible) of them legible\(result.isPartial ? "" : " and scored")."
        }
        return """
            # Spine reading: \(VerdictText(result).word)

            \(VerdictText(result).sentence)

            \(datasets.joined(separator: "\n"))
            Run of \(result.startedAt).
            """
    }

    private var compliance: String {
        let rows = result.compliance.map { row in
            let text = RequirementText(row)
            return [
                "**\(text.metric)**", text.value, text.target, text.status, row.evidence.rawValue,
                row.gates ? "yes" : "no",
            ]
        }
        return "## Compliance\n\n"
            + Self.table(["Metric", "Value", "Target", "Status", "Evidence", "Gates"], rows)
    }

    private var latency: String {
        let rows = result.measurements.map { measurement in
            let all = measurement.all.latency
            let milliseconds = NumberText.milliseconds
            let around = measurement.inferenceShare.map { 1 - $0 }
            return [
                measurement.id, "\(all.count)", NumberText.bounded(all.p50), NumberText.bounded(all.p90),
                NumberText.bounded(all.p95), NumberText.bounded(all.p99),
                NumberText.figure(all.earlyStoppingP90, milliseconds),
                NumberText.figure(all.longest, milliseconds), "\(all.timeouts)",
                NumberText.figure(measurement.inferenceShare, NumberText.percent),
                NumberText.figure(around, NumberText.percent),
            ]
        }
        let headings = [
            "Measurement", "Readings", "P50", "P90", "P95", "P99", "MLPerf P90", "Longest", "Timeouts", "Inference",
            "Everything around",
        ]
        return
            "## Latency\n\nFrom a picture file's bytes to its text, decoding included, warm. In brackets: the bounds of each percentile "
            + "at 95 %, whatever the distribution.\n\n"
            + Self.table(headings, rows, numbersFrom: 1) + result.warnings.map { "\n\n⚠️ " + $0 }.joined()
    }

    /// Empty when no variant does more than read.
    private var tiers: String {
        TierTables(result: result).tables.map { table in
            "## \(table.title)\n\n\(table.note)\n\n"
                + Self.table(table.columns, table.rows, numbersFrom: table.numbersFrom)
        }.joined(separator: "\n\n")
    }

    /// Empty when no devices were asked for.
    private var devices: String {
        guard let assessment = result.devices else { return "" }
        let tables = DeviceTables(assessment, gates: result.configuration.devices?.gates == true)
        return "## Devices (modelled)\n\n" + tables.method.map { $0 + "\n\n" }.joined() + Self.tables(tables.tables)
    }

    /// Empty when none was asked.
    private var questions: String {
        guard let findings = result.findings, !findings.isEmpty else { return "" }
        let parts = findings.map { finding in
            let head =
                "### \(Self.cell(finding.id)): \(Self.cell(finding.question))\n\n"
                + "**\(Self.cell(finding.answer))** (\(finding.basis))"
            return [head, Self.tables(finding.tables)].filter { !$0.isEmpty }.joined(separator: "\n\n")
        }
        return "## Questions\n\n" + parts.joined(separator: "\n\n")
    }

    private static func tables(_ tables: [FindingTable]) -> String {
        tables.map { table in
            let head = ["**\(cell(table.title))**", table.note].filter { !$0.isEmpty }
            return (head + [Self.table(table.columns, table.rows, numbersFrom: table.numbersFrom)])
                .joined(separator: "\n\n")
        }.joined(separator: "\n\n")
    }

    private var accuracy: String {
        let rows = result.measurements.flatMap { measurement in
            measurement.categories.map { category in
                let accuracy = category.accuracy
                return [
                    measurement.id, category.category, NumberText.proportion(accuracy.titleRead.proportion),
                    NumberText.interval(accuracy.titleRead), NumberText.proportion(accuracy[.readInTime].proportion),
                    NumberText.proportion(accuracy[.authorRead].proportion),
                    NumberText.proportion(accuracy[.titleAndAuthorRead].proportion),
                    Self.rate(accuracy.characters.rate), Self.rate(accuracy.words.rate),
                    Self.rate(accuracy.similarity), Self.rate(accuracy.overlap.f1),
                ]
            }
        }
        let headings = [
            "Measurement", "Category", "Title read", "95 % interval", "and within 500 ms", "Author read",
            "Title and author", "CER", "WER",
            "1-NED",
            "Word F1",
        ]
        let unstable = result.measurements.filter { $0.unstableSamples > 0 }.map {
            "\($0.id) read \(NumberText.count($0.unstableSamples, "spine")) differently in different repetitions"
        }
        let stability =
            result.configuration.repetitions * result.configuration.seeds.count == 1
            ? ""
            : unstable.isEmpty ? "All repetitions read the same texts.\n" : unstable.joined(separator: "; ") + ".\n"
        return "## Accuracy\n\n" + Self.table(headings, rows, numbersFrom: 2) + (stability.isEmpty ? "" : "\n\n")
            + stability.dropLast()
    }

    private var memory: String {
        let rows = result.measurements.map { measurement in
            let memory = measurement.memory
            let figures = [
                memory.atStart, memory.before, memory.after, memory.delta, memory.peakBefore, memory.peakReading,
                memory.peakDelta,
            ]
            return [measurement.id] + figures.map { NumberText.figure($0, NumberText.megabytes) }
        }
        let headings = [
            "Measurement", "Before loading", "Before reading", "After reading", "Delta", "Peak, loading",
            "Peak, reading",
            "Peak delta",
        ]
        return "## Memory\n\nResident in the measurement's own process. 1 MB is 1,000,000 bytes.\n\n"
            + Self.table(headings, rows, numbersFrom: 1)
    }

    private var coldStart: String {
        let hasFills = result.cacheFills != nil
        let rows = result.measurements.map { measurement in
            let start = measurement.coldStart
            return [measurement.id]
                + [start.modelLoad, start.untilReady, start.untilFirstReading]
                .map { NumberText.figure($0, NumberText.milliseconds) }
                + (hasFills
                    ? [start.firstStart.map { NumberText.figure($0, NumberText.milliseconds) } ?? "nothing to compile"]
                    : [])
        }
        let fills = CacheFillText(result.cacheFills ?? []).sentence.map { $0 + "\n\n" } ?? ""
        let headings = ["Measurement", "Model load", "Process start to ready", "Process start to first reading"]
        return "## Cold start\n\nThe first start of each measurement's process; not part of the latencies above.\n\n"
            + fills
            + Self.table(headings + (hasFills ? ["First start, compiling"] : []), rows, numbersFrom: 1)
    }

    private var problems: String {
        let parts = result.measurements.compactMap { measurement -> String? in
            var lines = measurement.lostWorkers.map { "- \(measurement.id): \(Self.cell($0)). A new worker took over." }
            if !measurement.noise.isEmpty {
                lines.append(
                    "- \(measurement.id): its worker wrote to standard output what is no message, such as "
                        + "“\(Self.cell(measurement.noise[0]))”; it was ignored."
                )
            }
            let listed = measurement.problems.prefix(Self.listedProblems)
            lines += listed.map {
                "- \(measurement.id): \($0.id), repetition \($0.repetition), \(Self.outcome($0.outcome)): \(Self.cell($0.problem))"
            }
            if measurement.problems.count > listed.count {
                lines.append(
                    "- \(measurement.id): \(measurement.problems.count - listed.count) more; samples.csv has them all."
                )
            }
            return lines.isEmpty
                ? nil : (["- \(measurement.id): \(Self.outcomes(of: measurement))."] + lines).joined(separator: "\n")
        }
        let body =
            parts.isEmpty
            ? "None: every reading came to an end."
            : "A reading that failed counts as nothing read, and is in no latency; a timeout is beyond every limit.\n\n"
                + parts.joined(separator: "\n")
        return "## Failures\n\n" + body
    }

    // MARK: Pieces

    static func rate(_ figure: Figure) -> String { NumberText.figure(figure) { NumberText.fixed($0, 3) } }

    /// "94 read, 1 failed, 1 timed out".
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

    /// A table whose columns from `numbersFrom` on are set to the right.
    package static func table(_ headings: [String], _ rows: [[String]], numbersFrom: Int = .max) -> String {
        let rules = headings.indices.map { $0 >= numbersFrom ? "---:" : "---" }
        return ([headings, rules] + rows).map { row in
            "| " + row.map(cell).joined(separator: " | ") + " |"
        }.joined(separator: "\n")
    }

    /// Text that cannot end a cell or a line.
    package static func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\n", with: " ")
    }
}
