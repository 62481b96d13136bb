import Basics
import DeviceSimulation
import Evaluation
import Harness
import Results
import SpineDatasets

extension ReportPage {
    /// Creates the page of one run, or of several merged; `progress` counts the drawn pictures.
    init(_ run: RunContents, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws {
        let result = run.result
        var records = Dictionary(grouping: run.records, by: \.measurement)
        // Plots of latency would pool the machines.
        for measurement in result.measurements where measurement.isOfSeveralMachines {
            records[measurement.id] = records[measurement.id]?.map(\.withoutTimes)
        }
        let matrix = RequirementMatrix(result)
        let slices = SliceTables(result.measurements).outstanding
        let stages = result.measurements.map { measurement in
            Set((records[measurement.id] ?? []).flatMap { $0.prediction?.stages.names ?? [] }).sorted()
        }
        self.init(
            head: Head(run),
            compliance: result.compliance.map(Self.requirement),
            measurements: zip(result.measurements, stages).map { measurement, stages in
                Self.measurement(measurement, records: records[measurement.id] ?? [], stages: stages)
            },
            matrix: result.compliance.isEmpty ? nil : matrix.table.plain,
            legend: matrix.legend.map(Markdown.plain),
            tables: TierTables(result: result).tables,
            pareto: Pareto.of(result).map { $0.pareto.table($0.title).plain },
            slices: slices.rows.isEmpty ? nil : slices.plain,
            devices: result.devices.map {
                Self.devices($0, gates: result.configuration.devices?.gates ?? .none)
            },
            assertions: result.assertions.flatMap { answers in
                let tables = AssertionTables(answers: answers)
                return answers.isEmpty ? nil : [tables.summary.plain, tables.details.plain]
            }
        )
        var places: [Place] = []
        for dataset in run.datasets {
            let columns = result.measurements.map { measurement in
                measurement.dataset == dataset.manifest.name
                    ? Dictionary(grouping: records[measurement.id] ?? [], by: \.id) : [:]
            }
            let subjects = Set(result.measurements.map { $0.variant.subject ?? .spines })
            for sample in Subject.allCases.filter(subjects.contains).flatMap({ dataset.pictures(of: $0) }) {
                let readings = zip(result.measurements, zip(columns, stages)).map { measurement, own in
                    let isOwn = (measurement.variant.subject == .shelves) == (sample.shelf != nil)
                    return isOwn ? own.0[sample.id].map { Self.reading($0, of: sample, stages: own.1) } : nil
                }
                guard readings.contains(where: { $0 != nil }) else { continue }
                let prefix = run.datasets.count > 1 ? dataset.manifest.name + "/" : ""
                samples.append(Self.sample(sample, id: prefix + sample.id, readings: readings))
                places.append(Place(store: dataset.store, image: sample.image, isShelf: sample.shelf != nil))
            }
        }
        head.warnings += try run.warnings + drawPictures(places, progress: progress)
    }

    private static func requirement(_ row: Requirement) -> PageObject {
        let text = RequirementText(row: row)
        return [
            "measurement": row.measurement,
            "metric": text.metricAlone,
            "value": row.value.value == nil ? nil : text.shortValue,
            "interval": text.interval,
            "target": text.target,
            "status": row.judgement.verdict,
            "note": row.judgement.note,
            "evidence": row.evidence,
            "gates": row.gates,
        ]
    }

    /// Returns the results of every tier on devices: tables, and the diagrams of each measurement.
    private static func devices(_ assessment: DeviceAssessment, gates: DeviceSelection.Gating) -> PageObject {
        let tables = DeviceTables(assessment: assessment, gates: gates)
        let plots = DevicePlots(assessment: assessment)
        let names = assessment.rows.map(\.measurement).reduce(into: [String]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        let groups = names.map { name -> PageObject in
            let rows = assessment.rows.filter { $0.measurement == name }
            return ["name": name, "plots": plots.plots(of: rows), "energy": energy(of: rows)]
        }
        return [
            "title": tables.title,
            "method": tables.method.map(Markdown.plain),
            "tables": ([tables.matrix] + tables.tables).map(\.plain),
            "groups": groups,
        ]
    }

    /// Returns the energy of half an hour: stacked bars of its parts.
    private static func energy(of rows: [DeviceRow]) -> PageObject {
        let bars = rows.map { row -> PageObject in
            let energy = row.halfHour.nominal.energy
            let values = DevicePlots.components.map { energy[keyPath: $0.path].rounded() / 1_000 }
            return ["name": row.device, "values": values]
        }
        return [
            "title": "Energy of half an hour, by component",
            "axis": "energy (kJ)",
            "parts": DevicePlots.components.map(\.name),
            "bars": bars,
        ]
    }
}

extension SampleRecord {
    fileprivate var withoutTimes: SampleRecord {
        var record = self
        (record.milliseconds, record.serviceMilliseconds, record.atSeconds) = (nil, nil, nil)
        return record
    }
}

extension ReportPage.Head {
    fileprivate init(_ run: RunContents) {
        let result = run.result
        let text = MethodText(result: result)
        let hasShelves = result.measurements.contains { $0.variant.subject == .shelves }
        let hasSpines = !hasShelves || result.measurements.contains { $0.variant.subject != .shelves }
        let provenance = text.provenance.map { [Markdown.plain($0.name), Markdown.plain($0.value)] }
        let datasets = result.datasets.map { dataset in
            let spines =
                "\(NumberText.count(dataset.samplesRead, "spine")), \(dataset.legible) legible"
                + (result.isPartial ? "" : " and scored")
            return dataset.name + dataset.read(spines, separator: ", ")
        }
        self.init(
            title: "Spine reading: " + result.datasets.map(\.name).joined(separator: ", "),
            verdict: result.verdict,
            sentence: VerdictText(result).sentence,
            failures: result.failures.isEmpty ? nil : result.failures,
            partial: result.progressSentence,
            summary: datasets.joined(separator: "; ") + ". Run of \(result.startedAt).",
            warnings: result.warnings,
            method: text.paragraphs,
            provenance: [["title": "Provenance", "rows": provenance]],
            metrics: ReportPage.offered.filter { $0.isOfShelves ? hasShelves : hasSpines }
                .map { [$0.rawValue, $0.meaning.name] },
            latencyTarget: hasSpines ? AccuracySummary.timeLimitMilliseconds : nil,
            titleTarget: result.configuration.targets.first { $0.metric == .titleRead && $0.category == nil }?.limit
        )
    }
}
