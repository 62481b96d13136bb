import Basics
import Documents
import Evaluation
import Foundation
import Harness
package import Judging
import Raster
import SpineDatasets
import Statistics

extension ReportPage {
    /// The page of a run, with the pictures of its samples.
    ///
    /// - Parameters:
    ///   - run: One run, or several merged.
    ///   - progress: Called now and then with how many pictures are drawn, and of how many.
    /// - Throws: when a figure is not finite, which JSON cannot say.
    package init(_ run: RunContents, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws {
        let result = run.result
        self.init(head: PageHead(run), compliance: result.compliance.map(PageRequirement.init))
        let records = Dictionary(grouping: run.records, by: \.measurement)
        let matrix = RequirementMatrix(result)
        if !result.compliance.isEmpty { self.matrix = matrix.table.plain }
        legend = matrix.legend.map(Markdown.plain)
        tables = TierTables(result: result).tables
        devices = result.devices.map { PageDevices($0, gates: result.configuration.devices?.gates == true) }
        findings = result.findings
        measurements = result.measurements.map { PageMeasurement($0, records: records[$0.id] ?? []) }
        var places: [(folder: String, image: String)] = []
        for dataset in run.datasets {
            let columns = result.measurements.enumerated().filter { $0.element.dataset == dataset.manifest.name }
            let readings = columns.map { column, measurement in
                (column, Dictionary(grouping: records[measurement.id] ?? [], by: \.id))
            }
            for sample in dataset.samples {
                var row = PageSample(sample, in: run.datasets.count > 1 ? dataset.manifest.name : nil)
                row.readings = [PageReading?](repeating: nil, count: measurements.count)
                for (column, byID) in readings {
                    guard let own = byID[sample.id], !own.isEmpty else { continue }
                    row.readings[column] = PageReading(own, of: sample, stages: measurements[column].stages)
                }
                guard row.readings.contains(where: { $0 != nil }) else { continue }
                samples.append(row)
                places.append((dataset.path, sample.image))
            }
        }
        head.warnings += try run.warnings + drawPictures(places, progress: progress)
    }
}

extension PageHead {
    /// Charted figures of what was read.
    fileprivate static let offered = Metric.allCases.filter {
        $0.meaning.family == .accuracy && $0.meaning.chart != nil
    }

    fileprivate init(_ run: RunContents) {
        let result = run.result
        self.init(
            title: "Spine reading: " + result.datasets.map(\.name).joined(separator: ", "),
            verdict: result.verdict,
            sentence: VerdictText(result).sentence,
            summary: result.datasets.map { dataset in
                "\(dataset.name)\(dataset.version.map { " \($0)" } ?? ""): \(NumberText.count(dataset.samplesRead, "spine")), "
                    + "\(dataset.legible) legible\(result.isPartial ? "" : " and scored")"
            }.joined(separator: "; ") + ". Run of \(result.startedAt)."
        )
        let text = MethodText(result: result)
        partial = result.progressSentence
        warnings = result.warnings
        method = text.paragraphs
        provenance = [
            PageFacts(
                title: "Provenance",
                rows: text.provenance.map { (Markdown.plain($0.name), Markdown.plain($0.value)) }
            )
        ]
        metrics = Self.offered.map { [$0.rawValue, $0.meaning.name] }
        latencyTarget = AccuracySummary.timeLimitMilliseconds
        titleTarget = result.configuration.targets.first { $0.metric == .titleRead && $0.category == nil }?.limit
    }
}

extension PageRequirement {
    fileprivate init(_ row: Requirement) {
        let text = RequirementText(row)
        self.init(
            measurement: row.measurement,
            metric: text.metricAlone,
            value: row.value.value == nil ? nil : text.shortValue,
            interval: text.interval,
            target: text.target,
            status: row.judgement.verdict,
            note: row.judgement.note,
            evidence: row.evidence,
            gates: row.gates
        )
    }
}

extension PageMeasurement {
    fileprivate init(_ measurement: MeasurementResult, records: [SampleRecord]) {
        self.init(
            id: measurement.id,
            variant: measurement.variant.name,
            tier: measurement.variant.tier,
            scenario: measurement.scenario.label,
            dataset: measurement.dataset
        )
        let all = measurement.all
        evidence = measurement.evidence
        readings = measurement.planned
        failures = all.failures
        timeouts = all.latency.timeouts
        let isRepeated = records.contains { $0.repetition > 1 }
        unstable = isRepeated ? measurement.unstableSamples : nil
        percentiles = [all.latency.p50, all.latency.p90, all.latency.p95, all.latency.p99].map { estimate in
            let value = PageValue(estimate.value, low: estimate.lower.value, high: estimate.upper.value)
            return PagePercentile(Double(estimate.percent), value)
        }
        accuracy = measurement.categories.map { category in
            PageAccuracy(
                category: category.category,
                values: PageHead.offered.reduce(into: [:]) { values, metric in
                    // Of what is asked of no spine there is nothing to show.
                    guard let value = metric.taking.value?(measurement, category),
                        metric == .titleRead || measurement.value(of: metric)?.rate?.trials != 0
                    else { return }
                    values[metric] = value.rate.map { .share(PageShare($0)) } ?? .figure(PageValue(value.value))
                }
            )
        }
        costs = [
            PageCost("peak memory", in: .bytes, PageValue(measurement.memory.peak)),
            PageCost("memory after loading", in: .bytes, PageValue(measurement.memory.before)),
            PageCost("memory left behind by reading", in: .bytes, PageValue(measurement.memory.delta)),
            PageCost("model load", in: .milliseconds, PageValue(measurement.coldStart.modelLoad)),
            PageCost("process start to ready", in: .milliseconds, PageValue(measurement.coldStart.untilReady)),
            PageCost(
                "process start to first reading",
                in: .milliseconds,
                PageValue(measurement.coldStart.untilFirstReading)
            ),
        ]
        costs += (measurement.coldStart.firstStart.map { [$0] } ?? []).map {
            PageCost("first start, compiling", in: .milliseconds, PageValue($0))
        }
        costs += [
            PageCost("share of inference", in: .share, PageValue(measurement.inferenceShare), evidence: .reported)
        ]
        settings = measurement.variant.settings
        let models = measurement.variant.models.map { ("digest of " + $0.key, $0.value) }
        settings.merge(models) { setting, _ in setting }
        stages = Set(records.flatMap { $0.prediction?.stages.names ?? [] }).sorted()
        checks = measurement.validity.map { rule in
            PageCheck(
                rule: rule.name,
                required: rule.required,
                seen: rule.seen,
                status: rule.isMet ? .pass : rule.invalidates ? .fail : .inconclusive
            )
        }
        add(measurement.findings)
        reliability = measurement.calibration.map(PageReliability.init)
        notes = FindingsText(measurement: measurement).sentences
        notes += measurement.lostWorkers.map { "A worker was lost: \($0)" }
        notes += measurement.noise.map { "Not a message, and ignored: \($0)" }
    }
}

extension PageMeasurement {
    /// What a scenario shows beside latency and accuracy.
    private mutating func add(_ findings: ScenarioFindings?) {
        if let offline = findings?.offline {
            let interval = offline.interval.value
            let value = PageValue(offline.throughput, low: interval?.lowerBound, high: interval?.upperBound)
            costs.append(PageCost("throughput", in: .perSecond, value))
        }
        if let server = findings?.server {
            costs.append(PageCost("arrivals done", in: .perSecond, PageValue(.value(server.achievedRate))))
            costs.append(PageCost("waiting, P95", in: .milliseconds, PageValue(server.waiting.p95.value)))
        }
        if let cold = findings?.cold {
            costs.append(
                PageCost("cold start to first text, P50", in: .milliseconds, PageValue(cold.untilText.p50.value))
            )
        }
        if let soak = findings?.soak {
            timeline = PageTimeline(
                windows: soak.windows.map { window in
                    PageTimeline.Window(
                        seconds: window.fromSeconds,
                        p50: window.p50,
                        p95: window.p95,
                        residentBytes: window.residentBytes.map(Double.init)
                    )
                },
                sentence: FindingsText.leak(soak) + " " + FindingsText.drift(soak)
            )
        }
        checks += (findings?.audit?.checks ?? []).map { check in
            PageCheck(rule: check.name, required: check.required, seen: check.seen, status: check.verdict)
        }
    }
}

extension PageReliability {
    fileprivate init(_ calibration: Calibration) {
        self.init(
            bins: calibration.bins.compactMap { bin in
                bin.meanConfidence.value.map { Bin(confidence: $0, right: PageShare(bin.accuracy)) }
            },
            error: PageValue(calibration.expectedError),
            meaning: "title read, against the mean confidence of a reading's lines weighted by length"
        )
    }
}

extension PageShare {
    fileprivate init(_ rate: RateEstimate) {
        self.init(successes: rate.successes, trials: rate.trials, interval: rate.interval.value)
    }
}

extension PageSample {
    fileprivate init(_ sample: Sample, in dataset: String?) {
        self.init(
            id: (dataset.map { $0 + "/" } ?? "") + sample.id,
            category: sample.category.rawValue,
            title: sample.title,
            author: sample.author,
            transcription: sample.transcription,
            group: sample.group,
            orientation: sample.orientation.rawValue,
            legible: sample.legible
        )
    }
}

extension PageReading {
    /// What became of one sample; `records` are of all its repetitions, and not empty.
    fileprivate init(_ records: [SampleRecord], of sample: Sample, stages names: [String]) {
        let records = records.sorted { $0.repetition < $1.repetition }
        let first = records[0]
        let score = sample.legible ? first.text.map { SampleScore($0, against: sample) } : nil
        let worst = records.max { Self.severity($0.outcome) < Self.severity($1.outcome) } ?? first
        self.init(
            lines: (first.prediction?.lines ?? []).map {
                Line(text: $0.text, confidence: $0.confidence, quad: $0.quad)
            },
            orientation: first.prediction?.orientation,
            titleRead: score?.title.isRead,
            authorRead: score?.author?.isRead,
            cer: score?.characters.rate.value,
            milliseconds: records.map { $0.outcome == .read ? $0.milliseconds : nil },
            stages: names.map { first.prediction?.stages[$0] },
            outcome: worst.outcome,
            problem: worst.problem,
            varies: Set(records.filter { $0.outcome == .read }.map { $0.prediction?.text }).count > 1,
            book: first.book.map { book in
                let known = book.isCatalogued ? "" : ", not in the catalogue"
                return book.answer.rawValue + known + (first.prediction?.answer.map { ": " + $0.title } ?? "")
            }
        )
    }

    /// The later, the worse.
    private static func severity(_ outcome: SampleRecord.Outcome) -> Int {
        switch outcome {
        case .read: 0
        case .failed: 1
        case .timedOut: 2
        case .workerDied: 3
        case .notAttempted: 4
        }
    }
}
