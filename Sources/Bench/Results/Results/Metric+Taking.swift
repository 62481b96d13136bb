package import Basics
package import Evaluation
package import Harness

/// Taking of a metric from a measurement, and comparison of two measurements by it.
package struct MetricExtractor {
    /// Estimation of the change of a metric from A to B.
    package enum Pairing {
        /// Sample by sample, by ``ReadingSet/Entry/outcomes``: ``GroupBootstrap/ofRateDifference(_:_:)``.
        case outcomes
        /// Character error rate of all samples, pooled.
        case characters
        /// The shift of the samples' medians, by Hodges and Lehmann.
        case shift
        /// The ratio of the percentiles of all readings.
        case percentile
        case process(KeyPath<ReadingSet.Worker, Double?>)
    }

    /// Whether a scored sample counts, given the milliseconds until its text; nil when it is not asked.
    package var outcome: ((_ score: SampleScore, _ milliseconds: Double?) -> Bool?)?
    /// Value for a measurement and one of its categories, nil for one without samples; nil for metrics of
    /// comparisons.
    package var value: ((MeasurementResult, CategoryResult?) -> MetricValue?)?
    package var pairing: Pairing?
    /// Whether it belongs to a measurement as a whole, for any category.
    package var isOfWhole = false
}

/// Value of a metric with its bounds, its evidence, and a remark that does not depend on the limit.
package struct MetricValue: Sendable {
    package var value: Figure
    package var evidence = EvidenceClass.measured
    package var rate: RateEstimate?
    var latency: LatencySummary?
    package var percentile: PercentileEstimate?
    var count: Int?
    var total: Int?
    /// Verdict that does not depend on the limit; nil when the limit decides.
    var judgement: Judgement?
    /// Whether there are no samples for it.
    var isWithoutSamples = false
    /// Whether it depends on times, so that an invalid measurement has none.
    var isTimed = false
    /// Scans that it does not cover: an upper limit may be missed without them, not met; 0 for none.
    var uncounted = 0

    /// Returns what can neither meet nor miss a target: there is no sample for it.
    static func withoutSamples(_ reason: String = "no legible samples") -> MetricValue {
        MetricValue(
            value: .absent(reason),
            judgement: Judgement(.inconclusive, note: reason),
            isWithoutSamples: true
        )
    }

    /// The share of a reader whose readings all failed: a miss, and no figure.
    fileprivate static let nothingRead = MetricValue(
        value: .absent(MeasurementResult.nothingRead),
        rate: RateEstimate([], groups: []),
        judgement: Judgement(.fail, note: MeasurementResult.nothingRead)
    )

    /// Returns a value that is absent for a reason, so that nothing can be decided.
    fileprivate static func open(
        _ reason: String,
        note: String,
        evidence: EvidenceClass = .measured,
        rate: RateEstimate? = nil
    ) -> MetricValue {
        let judgement = Judgement(.inconclusive, note: note)
        return MetricValue(value: .absent(reason), evidence: evidence, rate: rate, judgement: judgement)
    }

    /// Interval at 95 %; nil without one.
    package var interval: ClosedRange<Double>? {
        if let rate { return rate.interval.value }
        guard let lower = percentile?.lower.value, let upper = percentile?.upper.value else { return nil }
        return lower...max(lower, upper)
    }

    package func part(_ part: Metric.Part) -> Double? {
        switch part {
        case .value: value.value
        case .low: rate?.interval.lower.value ?? percentile?.lower.value
        case .high: rate?.interval.upper.value ?? percentile?.upper.value
        case .count: (rate?.successes ?? count).map(Double.init)
        case .total: (rate?.trials ?? total).map(Double.init)
        }
    }
}

extension Metric {
    /// Metrics for comparing two measurements: titles, authors, other texts, and the rest.
    package static let compared: [Metric] = {
        let all = allCases.filter { $0.taking.pairing != nil }
        let first: [Metric] = [.titleRead, .authorRead]
        let read = all.filter { $0.meaning.family == .accuracy && !first.contains($0) }
        return first + read + all.filter { $0.meaning.family != .accuracy }
    }()

    /// Whether the ``ScoringRule`` decides about its samples.
    package var isByScoringRule: Bool { taking.outcome != nil || self == .bookTitleRead }

    /// Extraction rule of the metric: every metric's line.
    package var taking: MetricExtractor {
        switch self {
        case .latency: MetricExtractor(pairing: .shift)
        case .latencyP50, .latencyP95, .latencyP99: percentile { $0.latency }.compared(by: .percentile)
        case .latencyP90: percentile { $0.latency }
        case .titleRead: share { score, _ in score.title.isRead }.compared(by: .outcomes)
        case .authorRead: share { score, _ in score.author?.isRead }.compared(by: .outcomes)
        case .readInTime:
            share(isTimed: true) { score, milliseconds in
                score.title.isRead.map { $0 && AccuracySummary.isInTime(milliseconds) }
            }.compared(by: .outcomes)
        case .titleAndAuthorRead: share { score, _ in score.title.isRead.map { $0 && score.author?.isRead != false } }
        case .characterErrors: accuracy { MetricValue($0.characters) }.compared(by: .characters)
        case .wordErrors: accuracy { MetricValue($0.words) }
        case .similarity: accuracy { MetricValue(value: $0.similarity) }
        case .wordF1: accuracy { MetricValue(value: $0.overlap.f1) }
        case .peakFootprint: whole { $0.memory.footprint.peak }.compared(by: .process(\.peakFootprintBytes))
        case .peakResident: whole { $0.memory.resident.peak }.compared(by: .process(\.peakResidentBytes))
        case .peakMemory:
            MetricExtractor(isOfWhole: true) { result, _ in (result.memory.earlier?.peak).map { MetricValue(value: $0) }
            }
            .compared(by: .process(\.peakBytes))
        case .memoryDelta: whole { $0.memory.counted.delta }.compared(by: .process(\.leftBytes))
        case .start: whole { $0.coldStart.untilReady }.compared(by: .process(\.startMilliseconds))
        case .firstReading: whole { $0.coldStart.untilFirstReading }
        case .modelLoad: whole { $0.coldStart.modelLoad }
        case .inferenceShare: whole(evidence: .reported) { $0.inferenceShare }
        // Milestones before any transfer do not wait for the network.
        case .timeToDraftP50, .timeToDraftP95: percentile(evidence: .measured) { $0.milestones?.draft }
        case .timeToPreparedP95: percentile(evidence: .measured) { $0.milestones?.prepared }
        case .timeToTextP95: percentile { $0.milestones?.text }
        case .timeToEnrichedP95: percentile { $0.milestones?.enriched }
        case .timeToReadyP50, .timeToReadyP95: percentile { $0.milestones?.ready }
        case .enrichmentP95: percentile { $0.milestones?.enrichment }
        case .completed:
            scans { MetricValue(value: $0.completed.rate, count: $0.completed.successes, total: $0.completed.trials) }
        case .queued: scans { MetricValue(value: .value(Double($0.queued))) }
        case .drained: scans { MetricValue(value: .value(Double($0.drained))) }
        case .waiting: scans { MetricValue(value: .value(Double($0.waiting))) }
        case .lostScans: scans { MetricValue(value: .value(Double($0.lost))) }
        case .firstTextP50:
            MetricExtractor(isOfWhole: true) { result, _ in
                (result.findings?.cold?.untilText).map {
                    MetricValue(value: $0.p50.value, latency: $0, percentile: $0.p50, isTimed: true)
                }
            }
        case .longestLoad:
            MetricExtractor(isOfWhole: true) { result, _ in
                (result.findings?.cold?.load.longest).map { MetricValue(value: $0, isTimed: true) }
            }
        case .identified: books("in") { $0.identified }.compared(by: .outcomes)
        case .wrongBook: books("in") { $0.wrong }
        case .draft: books("in") { $0.drafts }
        case .abstained: books("in") { $0.abstained }
        case .recallAt5: books("in") { $0.recallAt5 }
        case .recallAt20: books("in") { $0.recallAt20 }
        case .gestureReadings: part { ($1?.milestones?.gestureReadings).map { .figure(.value($0)) } }
        case .repeatP95: percentile(evidence: .reported) { $0.milestones?.repeats }
        case .codesRead: captures("codes") { $0.codesRead }.compared(by: .outcomes)
        case .sceneRight: captures("captures") { $0.labelRight }.compared(by: .outcomes)
        case .sceneWrong: captures("captures") { $0.labelWrong }.compared(by: .outcomes)
        case .sceneUnsaid: captures("captures") { $0.labelUnsaid }
        case .subjectOverlap: part { ($1?.captures).map { .figure($0.overlap) } }
        case .captureTold: captures("captures") { $0.told }.compared(by: .outcomes)
        case .factsLost: captures("facts") { $0.lost }.compared(by: .outcomes)
        case .lineBoxRecall: boxes { .share($0.found) }
        case .lineBoxPrecision: boxes { .share($0.right) }
        case .lineOverlap: boxes { .figure($0.overlap) }
        case .oneScan: frames { $0.one }
        case .repeatedScan: frames { $0.repeated }
        case .missedSpine: frames { $0.missed }
        case .wrongScan: frames { $0.wrong }
        case .reciprocalRank:
            MetricExtractor { result, category in
                let rank = category?.books?.meanReciprocalRank
                return MetricValue(value: rank ?? .absent("no such books"), evidence: result.evidence)
            }
        case .falseMatch: books("outside", shelves: \.falseMatch) { $0.falseMatch }.compared(by: .outcomes)
        case .openDraft: books("outside") { $0.openDrafts }
        case .bytesSent: traffic { $0.sentPerScan }
        case .imageBytesSent: traffic { $0.sentPerScan(.image) }
        case .textBytesSent: traffic { $0.sentPerScan(.text) }
        case .idBytesSent: traffic { $0.sentPerScan(.id) }
        case .controlBytesSent: traffic { $0.sentPerScan(.control) }
        case .bytesReceived: traffic { $0.receivedPerScan }
        case .publisherRead: share { score, _ in score.publisher?.isRead }.compared(by: .outcomes)
        case .bookRecall: shelves { .share($0.named) }.compared(by: .outcomes)
        case .bookPrecision: shelves { .share($0.rightNames) }
        case .bookF1: shelves { .figure($0.f1) }
        case .bookTitleRead: shelves { .share($0.titleRead) }.compared(by: .outcomes)
        case .countError: shelves { .figure($0.countError) }
        case .mergedSpines: shelves { .share($0.merged) }
        case .splitBooks: shelves { .share($0.split) }
        case .sliverSpines: shelves { .share($0.slivers) }
        case .orderDistance: shelves { .share($0.moved) }
        case .outlineOverlap: shelves { .figure($0.overlap) }
        case .timePerBook:
            MetricExtractor { result, category in
                (category?.shelves?.millisecondsPerBook).map {
                    MetricValue(value: $0, evidence: result.evidence, isTimed: true)
                }
            }
        }
    }

    // MARK: Kinds

    private func share(isTimed: Bool = false, _ outcome: @escaping (SampleScore, Double?) -> Bool?) -> MetricExtractor {
        var taking = MetricExtractor { result, category in
            guard let accuracy = category?.accuracy else { return nil }
            if result.readsNothing { return .nothingRead }
            let rate = accuracy[self]
            if rate.trials > 0 {
                let evidence: EvidenceClass = isTimed ? result.evidence : .measured
                return MetricValue(value: rate.rate, evidence: evidence, rate: rate, isTimed: isTimed)
            }
            var none = MetricValue.withoutSamples()
            none.rate = rate
            guard let reasons = accuracy.notScored?.keys.sorted().joined(separator: ", ") else { return none }
            return .open(reasons, note: "not scored: \(reasons)", rate: rate)
        }
        taking.outcome = outcome
        return taking
    }

    private func accuracy(_ value: @escaping (AccuracySummary) -> MetricValue) -> MetricExtractor {
        MetricExtractor { result, category in
            (category?.accuracy).map { accuracy in
                guard result.readsNothing else { return value(accuracy) }
                var none = MetricValue.nothingRead
                none.rate = nil
                return none
            }
        }
    }

    /// Returns a percentile of latencies; of those of a milestone, nil when none came so far.
    private func percentile(
        evidence: EvidenceClass? = nil,
        _ latency: @escaping (CategoryResult) -> LatencySummary?
    ) -> MetricExtractor {
        MetricExtractor { result, category in
            guard let category, let percent else { return nil }
            let evidence = result.evidence(evidence)
            guard let latency = latency(category) else {
                return .open("never reached", note: "no scan got that far", evidence: evidence)
            }
            let percentile = latency.percentile(percent)
            let value = percentile?.value ?? .absent("not measured")
            return MetricValue(value: value, evidence: evidence, latency: latency, percentile: percentile)
        }
    }

    private func whole(
        evidence: EvidenceClass = .measured,
        _ figure: @escaping (MeasurementResult) -> Figure
    ) -> MetricExtractor {
        MetricExtractor(isOfWhole: true) { result, _ in
            MetricValue(value: figure(result), evidence: result.evidence(evidence))
        }
    }

    private func scans(_ value: @escaping (MilestoneSummary) -> MetricValue) -> MetricExtractor {
        MetricExtractor { _, category in
            category.map { $0.milestones.map(value) ?? MetricValue(value: .absent("no milestone was reported")) }
        }
    }

    /// Returns a share of the books in or outside the catalogue.
    private func books(
        _ place: String,
        shelves: KeyPath<ShelfSummary, RateEstimate>? = nil,
        _ rate: @escaping (Identification) -> RateEstimate
    ) -> MetricExtractor {
        MetricExtractor { result, category in
            let rate = category?.books.map(rate) ?? shelves.flatMap { category?.shelves?[keyPath: $0] }
            guard let rate, rate.trials > 0 else {
                return .open("no such books", note: "no spine of a book \(place) the catalogue was judged", rate: rate)
            }
            return MetricValue(value: rate.rate, evidence: result.evidence, rate: rate)
        }
    }

    /// Returns a figure of a part of the results, nil without that part; `reason` and `note` are of a share of nothing.
    private func part(
        isOfWhole: Bool = false,
        reason: String = "nothing to count",
        note: String = "",
        _ value: @escaping (MeasurementResult, CategoryResult?) -> PartValue?
    ) -> MetricExtractor {
        MetricExtractor(isOfWhole: isOfWhole) { result, category in
            switch value(result, category) {
            case .share? where result.readsNothing && isOfShelves: .nothingRead
            case .figure(let figure): MetricValue(value: figure)
            case .share(let rate) where rate.trials == 0: .open(reason, note: note, rate: rate)
            case .share(let rate): MetricValue(value: rate.rate, rate: rate)
            case nil: nil
            }
        }
    }

    private func captures(_ what: String, _ rate: @escaping (CaptureSummary) -> RateEstimate) -> MetricExtractor {
        part(reason: "no such \(what)", note: "no \(what) to count") { ($1?.captures).map { .share(rate($0)) } }
    }

    private func frames(_ rate: @escaping (LiveSpines) -> RateEstimate) -> MetricExtractor {
        part(isOfWhole: true, reason: "no such spines", note: "no spine whose book is known") { result, _ in
            (result.findings?.spines).map { .share(rate($0)) }
        }
    }

    private func shelves(_ value: @escaping (ShelfSummary) -> PartValue) -> MetricExtractor {
        part(note: "no such books or spines") { ($1?.shelves).map(value) }
    }

    private func boxes(_ value: @escaping (LineBoxSummary) -> PartValue) -> MetricExtractor {
        part(note: "no such boxes") { ($1?.boxes).map(value) }
    }

    private func traffic(_ bytes: @escaping (TrafficSummary) -> Double) -> MetricExtractor {
        MetricExtractor(isOfWhole: true) { result, _ in
            guard let traffic = result.traffic else {
                return .open("sent bytes were not counted", note: result.variant.sending, evidence: .claimed)
            }
            guard let refused = traffic.refusedSockets, refused > 0 else {
                let read = result.outcomes[SampleRecord.Outcome.read.rawValue] ?? 0
                return MetricValue(value: .value(bytes(traffic)), uncounted: max(0, read - traffic.scans))
            }
            let sockets = NumberText.count(refused, "network socket")
            return MetricValue(
                value: .absent("blocked from the network"),
                judgement: Judgement(.fail, note: "requested \(sockets), which the harness denied")
            )
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

extension MeasurementResult {
    /// Returns the evidence class of a figure: `own`, or that of its times; always that of readings made elsewhere.
    fileprivate func evidence(_ own: EvidenceClass?) -> EvidenceClass {
        variant.origin == nil ? own ?? evidence : evidence
    }
}

private enum PartValue {
    case figure(Figure)
    case share(RateEstimate)
}

extension MetricValue {
    fileprivate init(_ counts: EditCounts) {
        self.init(value: counts.rate, count: counts.errors, total: counts.referenceLength)
    }
}

extension MetricExtractor {
    fileprivate init(
        isOfWhole: Bool = false,
        _ value: @escaping (MeasurementResult, CategoryResult?) -> MetricValue?
    ) {
        self.init(value: value, isOfWhole: isOfWhole)
    }

    fileprivate func compared(by pairing: Pairing) -> MetricExtractor {
        var taking = self
        taking.pairing = pairing
        return taking
    }
}
