import Basics
import Evaluation
import Harness
import Results

extension ReportPage {
    /// Charted figures of the readings.
    static let offered = Metric.allCases.filter {
        $0.meaning.family == .accuracy && $0.meaning.chart != nil && !$0.isOfFrames
    }

    /// Returns one variant in one scenario over one dataset; `stages` are those of its readings.
    static func measurement(_ result: MeasurementResult, records: [SampleRecord], stages: [String]) -> PageObject {
        let (variant, latency) = (result.variant, result.all.latency)
        let isRepeated = records.contains { $0.repetition > 1 }
        let models = variant.models.map { ("digest of " + $0.key, $0.value) }
        return [
            "id": result.id,
            "variant": variant.name,
            "tier": variant.tier,
            "scenario": result.scenario.label,
            "dataset": result.dataset,
            "evidence": result.evidence,
            "readings": result.planned,
            "failures": result.all.failures,
            "timeouts": latency.timeouts,
            "unstable": isRepeated ? result.unstableSamples : nil,
            "percentiles": result.isUntimed
                ? [] : [latency.p50, latency.p90, latency.p95, latency.p99].map(percentile),
            "accuracy": result.categories.map { accuracy(of: $0, in: result) },
            "costs": costs(result),
            "checks": checks(result),
            "reliability": result.calibration.map {
                reliability($0, "title read, against the mean confidence of a reading's lines weighted by length")
            },
            "lineReliability": result.lineConfidence.map {
                reliability($0, "line right in every character, against its reported confidence")
            },
            "calibratedReliability": result.lineProbability.map {
                reliability($0, "line right in every character, against its calibrated probability")
            },
            "timeline": result.findings?.soak.map(timeline),
            "settings": variant.settings.merging(models) { setting, _ in setting }
                .merging(variant.limitSeconds == nil && variant.origin == nil ? [:] : result.description) {
                    setting,
                    _ in setting
                },
            "stages": stages,
            "notes": FindingsText(measurement: result).sentences
                + result.lostWorkers.map { "A worker was lost: \($0)" }
                + result.noise.map { "Unexpected output, ignored: \($0)" },
        ]
    }

    private static func percentile(_ estimate: PercentileEstimate) -> PageObject {
        [
            "percent": estimate.percent,
            "latency": PageObject.figure(estimate.value, low: estimate.lower.value, high: estimate.upper.value),
        ]
    }

    private static func accuracy(of category: CategoryResult, in result: MeasurementResult) -> PageObject {
        var values: PageObject = [:]
        for metric in offered {
            // Metrics without a question for any spine are omitted.
            guard let value = metric.taking.value?(result, category),
                metric == .titleRead && category.shelves == nil || result.value(of: metric)?.rate?.trials != 0
            else { continue }
            let share = value.rate.map { PageObject.share($0.successes, of: $0.trials, $0.interval.value) }
            values[metric.rawValue] = share ?? PageObject.figure(value.value)
        }
        return ["category": category.category, "values": values]
    }

    /// Returns memory, start, throughput and other single figures; equal names in all measurements that have it.
    private static func costs(_ result: MeasurementResult) -> [PageObject] {
        func cost(
            _ name: String,
            _ unit: String,
            _ value: Figure?,
            _ interval: ClosedRange<Double>? = nil,
            evidence: EvidenceClass = .measured
        ) -> PageObject? {
            guard let value, result.variant.origin == nil || value.value != nil else { return nil }
            let evidence = result.variant.origin == nil ? evidence : result.evidence
            let figure = PageObject.figure(value, low: interval?.lowerBound, high: interval?.upperBound)
            return ["name": name, "unit": unit, "value": figure, "evidence": evidence]
        }
        let (memory, start, findings) = (result.memory, result.coldStart, result.findings)
        return [
            memory.earlier == nil ? cost("peak memory footprint", "bytes", memory.footprint.peak) : nil,
            memory.earlier == nil ? cost("peak resident memory", "bytes", memory.resident.peak) : nil,
            cost("peak memory as defined until 28 November 2026", "bytes", memory.earlier?.peak),
            result.variant.origin == nil
                ? nil : cost("peak footprint above the start of the recording", "bytes", memory.footprint.peakDelta),
            cost("footprint after loading", "bytes", memory.counted.before),
            cost("footprint retained after reading", "bytes", memory.counted.delta),
            cost("model load", "ms", start.modelLoad),
            cost("process start to ready", "ms", start.untilReady),
            cost("process start to first reading", "ms", start.untilFirstReading),
            cost("first start, compiling", "ms", start.firstStart),
            cost("share of inference", "share", result.inferenceShare, evidence: .reported),
            cost("throughput", "/s", findings?.offline?.throughput, findings?.offline?.interval.value),
            cost("arrivals done", "/s", (findings?.server?.achievedRate).map { .value($0) }),
            cost("waiting, P95", "ms", findings?.server?.waiting.p95.value),
            cost("cold start to first text, P50", "ms", findings?.cold?.untilText.p50.value),
        ].compactMap(\.self)
    }

    /// Returns the rules that a measurement must keep for its figures to count.
    private static func checks(_ result: MeasurementResult) -> [PageObject] {
        result.validity.map { rule in
            let status: Verdict = rule.isMet ? .pass : rule.invalidates ? .fail : .inconclusive
            return ["rule": rule.name, "required": rule.required, "seen": rule.seen, "status": status]
        }
    }

    /// Returns the reliability of a system's confidence: readings of about the same confidence, by rising confidence.
    private static func reliability(_ calibration: Calibration, _ meaning: String) -> PageObject {
        let bins = calibration.bins.compactMap { bin -> PageObject? in
            let right = bin.accuracy
            return bin.meanConfidence.value.map {
                ["confidence": $0, "right": PageObject.share(right.successes, of: right.trials, right.interval)]
            }
        }
        return ["bins": bins, "error": PageObject.figure(calibration.expectedError), "meaning": meaning]
    }

    /// Returns windows of a soak, `[60, 31.5, 47, 148000000]`: seconds since its beginning, P50 and P95 in
    /// milliseconds, and bytes of the footprint at its end; null for absent values.
    private static func timeline(_ soak: SoakFindings) -> PageObject {
        [
            "windows": soak.windows.map { [$0.fromSeconds, $0.p50, $0.p95, $0.footprintBytes.map(Double.init)] },
            "sentence": FindingsText.leak(soak) + " " + FindingsText.drift(soak),
        ]
    }
}
