import Basics
package import Evaluation
package import Statistics

/// Value of a metric with its evidence, and a remark that does not depend on the limit.
@dynamicMemberLookup
package struct MetricValue: Sendable {
    fileprivate var own: Value
    package var evidence = EvidenceClass.measured
    var latency: LatencySummary?
    package var percentile: PercentileEstimate?
    /// Verdict that does not depend on the limit; nil when the limit decides.
    package var judgement: Judgement?
    /// Whether there are no samples for it.
    var isWithoutSamples = false
    /// Whether it depends on times, so that an invalid measurement has none.
    var isTimed = false
    /// Scans that it does not cover: an upper limit may be missed without them, not met; 0 for none.
    var uncounted = 0

    /// Returns what can neither meet nor miss a target, for want of a sample.
    static func withoutSamples(_ reason: String = "no legible samples", rate: RateEstimate? = nil) -> MetricValue {
        MetricValue(
            own: Value(.absent(reason), rate: rate),
            judgement: Judgement(.inconclusive, note: reason),
            isWithoutSamples: true
        )
    }

    /// Returns a value that is absent for a reason, so that nothing can be decided.
    fileprivate static func open(
        _ reason: String,
        note: String,
        evidence: EvidenceClass = .measured,
        rate: RateEstimate? = nil
    ) -> MetricValue {
        let judgement = Judgement(.inconclusive, note: note)
        return MetricValue(own: Value(.absent(reason), rate: rate), evidence: evidence, judgement: judgement)
    }

    package subscript<Part>(dynamicMember part: KeyPath<Value, Part>) -> Part { own[keyPath: part] }

    /// Interval at 95 %; nil without one.
    package var interval: ClosedRange<Double>? {
        if let rate = own.rate { return rate.interval.value }
        guard let lower = percentile?.lower.value, let upper = percentile?.upper.value else { return nil }
        return lower...max(lower, upper)
    }

    package func part(_ part: Metric.Part) -> Double? {
        switch part {
        case .value: own.value.value
        case .low: own.rate?.interval.lower.value ?? percentile?.lower.value
        case .high: own.rate?.interval.upper.value ?? percentile?.upper.value
        case .count: (own.rate?.successes ?? own.count).map(Double.init)
        // Of a mean, the number of its values is none of these counts.
        case .total: (own.rate?.trials ?? own.count.flatMap { _ in own.total }).map(Double.init)
        }
    }
}

extension MeasurementResult {
    /// Returns a metric of all samples, or of a category; nil when there is no value.
    package func value(of metric: Metric, in category: String = "all") -> MetricValue? {
        value(of: metric, categories.first { $0.category == category })
    }

    /// Returns a metric to be judged, absent with the reason where there is none.
    func found(_ metric: Metric, in category: String?) -> MetricValue {
        let own = categories.first { $0.category == category ?? "all" }
        let what = category.map { " of the category \($0)" } ?? ""
        if !metric.isOfWhole, (own?.samples ?? 0) == 0 { return .withoutSamples("no sample\(what) was read") }
        guard let found = value(of: metric, own) else {
            return .withoutSamples("the measurement has no \(metric.id)")
        }
        return found.isWithoutSamples ? .withoutSamples("no legible sample\(what) was read") : found
    }

    /// Returns a metric of one of the categories; nil for one without samples.
    package func value(of metric: Metric, _ category: Figures?) -> MetricValue? {
        var value: MetricValue?
        switch metric.source {
        case .comparison: return nil
        case .process where metric.unit == .bytesPerScan: return bytes(metric)
        case .process(let figure): value = figure(process).map { MetricValue(own: Value($0)) }
        case .times(let times): value = times(process).flatMap { percentile(metric, $0) }
        case .first, .every, .derived:
            guard let category = metric.isOfWhole ? all : category else { return nil }
            value = metric.percent == nil ? self.value(of: metric, category) : percentile(metric, category)
        }
        guard var value else { return nil }
        if value.judgement == nil || metric.percent != nil { value.evidence = evidence(of: metric) }
        value.isTimed = metric.isTimed
        return value
    }

    private func value(of metric: Metric, _ category: Figures) -> MetricValue? {
        let found = category.values[metric]
        let isOfTexts = metric.topic == .text
        if readsNothing, isOfTexts || metric.isOfShelves && metric.fold == .rate, isOfTexts || found != nil {
            let rate = metric.fold == .rate ? RateEstimate([], groups: []) : nil
            let miss = Judgement(.fail, note: Self.nothingRead)
            return MetricValue(own: Value(.absent(Self.nothingRead), rate: rate), judgement: miss)
        }
        let nothing = metric.nothing
        guard metric.fold == .rate else {
            let none = metric.topic == .scans ? Value(.absent("no milestone was reported")) : nil
            return (found ?? none).map { MetricValue(own: $0) }
        }
        guard let rate = found?.rate ?? (isOfTexts ? category.rate(metric) : nil) else { return nil }
        if rate.trials > 0 { return MetricValue(own: Value(rate)) }
        guard isOfTexts else { return .open(nothing.reason, note: nothing.note, rate: rate) }
        let reasons = category.counts[.notScored]?.keys.sorted().joined(separator: ", ")
        return reasons.map { .open($0, note: "not scored: \($0)", rate: rate) } ?? .withoutSamples(rate: rate)
    }

    /// Returns a percentile of latencies, or of those of a milestone.
    private func percentile(_ metric: Metric, _ category: Figures) -> MetricValue? {
        guard let latency = metric.series.flatMap({ category.times[$0] }) else {
            return .open("never reached", note: "no scan got that far")
        }
        return percentile(metric, latency)
    }

    private func percentile(_ metric: Metric, _ latency: LatencySummary) -> MetricValue? {
        let percentile = metric.percent.flatMap(latency.percentile)
        return MetricValue(
            own: Value(percentile?.value ?? .absent("not measured")),
            latency: latency,
            percentile: percentile
        )
    }

    private func bytes(_ metric: Metric) -> MetricValue {
        guard let traffic, case .process(let figure) = metric.source, let value = figure(process) else {
            return .open("sent bytes were not counted", note: variant.sending, evidence: .claimed)
        }
        guard let refused = traffic.refusedSockets, refused > 0 else {
            let read = outcomes[SampleRecord.Outcome.read.rawValue] ?? 0
            return MetricValue(own: Value(value), uncounted: max(0, read - traffic.scans))
        }
        let sockets = NumberText.count(refused, "network socket")
        return MetricValue(
            own: Value(.absent("blocked from the network")),
            judgement: Judgement(.fail, note: "requested \(sockets), which the harness denied")
        )
    }

    private var process: ProcessFacts {
        var facts = ProcessFacts(memory: memory, coldStart: coldStart, traffic: traffic)
        (facts.firstText, facts.longestLoad) = (findings?.cold?.untilText, findings?.cold?.load.longest)
        return facts
    }

    private func evidence(of metric: Metric) -> EvidenceClass {
        switch metric.evidence {
        case .scored: .measured
        case .times: evidence
        case .measured: variant.origin == nil ? .measured : evidence
        case .reported: variant.origin == nil ? .reported : evidence
        }
    }
}

extension Variant {
    /// What is known of its traffic where nothing is counted.
    fileprivate var sending: String {
        if let address { return "each picture is sent to \(address)" }
        return limitSeconds == nil
            ? "sends nothing by design, not checked here" : "what the reader's command sends is not known"
    }
}
