import Basics
import Documents

extension Metric {
    // Times of whole readings.
    package static let latency = Metric("latency", "latency shift", .milliseconds, .speed, .latency, .mean, .comparison)
        .compared(.shift)
    package static let latencyP50 = latency(50).under("", .latency).charted().compared(.percentile)
    package static let latencyP95 = latency(95).under("", .latency).charted().compared(.percentile)
    package static let latencyP99 = latency(99).under("", .latency).charted().compared(.percentile)

    // Text of spines.
    package static let titleRead = rate("titleRead", "title read") { $0.score?.title.isRead }
        .under("Title read", hasInterval: true).charted().compared()
    package static let readInTime = rate("readInTime", "title read within 500 ms") { $0.isReadInTime }
        .under("and within 500 ms").charted("in-time").compared().timed
    package static let authorRead = rate("authorRead", "author read") { $0.score?.author?.isRead }
        .under("Author read").charted().compared()
    package static let characterErrors = pooled("characterErrors", "character error rate", .share) {
        errors($0.score?.characters)
    }
    .orAbsent("the reference is empty").under("CER").charted("cer").compared(.characters)
    package static let wordErrors = pooled("wordErrors", "word error rate", .share) { errors($0.score?.words) }
        .orAbsent("the reference is empty").under("WER")
    package static let similarity = mean("similarity", "1-NED") { ($0.score?.similarity).map { [$0] } }.under("1-NED")
    package static let wordF1 = pooled("wordF1", "word F1", .score) {
        ($0.score?.overlap).map { (2 * $0.shared, $0.referenceWords + $0.hypothesisWords) }
    }.larger.orAbsent("the reference has no words").under("Word F1")
    package static let publisherRead = rate("publisherRead", "publisher read") { $0.score?.publisher?.isRead }
        .under("Publisher read").charted().compared()

    // Boxes of lines.
    package static let lineBoxRecall = rates("lineBoxRecall", "boxes of lines found", .boxes) { $0.boxes?.isFound }
        .under("Line boxes found")
    package static let lineBoxPrecision = rates("lineBoxPrecision", "boxes that match a line", .boxes) {
        $0.boxes?.isRight
    }
    .under("Line boxes right")
    package static let lineOverlap = mean("lineOverlap", "overlap of lines", .boxes) { $0.boxes?.overlaps }
        .orAbsent("no labelled boxes").under("Line IoU")

    // Processes.
    package static let peakFootprint = whole("peakFootprint", "peak memory footprint", .bytes, .memory) {
        $0.memory.footprint.peak
    }
    .charted("footprint").compared(.process)
    package static let peakResident = whole("peakResident", "peak resident memory", .bytes, .memory) {
        $0.memory.resident.peak
    }
    .charted("resident").compared(.process)
    /// Peak by the definition of versions until 28 November 2026, compared with neither of the others.
    package static let peakMemory = whole(
        "peakMemory",
        "peak memory as defined until 28 November 2026",
        .bytes,
        .memory
    ) {
        $0.memory.earlier?.peak
    }.of(.scored).charted("memory").compared(.process)
    package static let memoryDelta = whole("memoryDelta", "retained memory", .byteDifference, .memory) {
        $0.memory.counted.delta
    }
    .charted().compared(.process)
    package static let start = whole("start", "start until loaded", .milliseconds) { $0.coldStart.untilReady }
        .charted().compared(.process).under("Process start to ready", .start)
    package static let firstReading = whole("firstReading", "start until the first reading", .milliseconds) {
        $0.coldStart.untilFirstReading
    }.under("Process start to first reading", .start)
    package static let modelLoad = whole("modelLoad", "model load", .milliseconds) { $0.coldStart.modelLoad }.under(
        "Model load",
        .start
    )
    package static let inferenceShare = Metric(
        "inferenceShare",
        "share of inference",
        .share,
        .speed,
        .process,
        .pooled,
        .every { $0.inference }
    )
    .of(.reported).ofWhole.orAbsent("not reported by the system")
    package static let firstTextP50 = Metric(
        "firstTextP50",
        "start until the first text P50",
        .milliseconds,
        .speed,
        .process,
        .percentile(50),
        .times { $0.firstText }
    ).ofWhole.timed.of(.scored)
    package static let longestLoad = whole("longestLoad", "longest model load", .milliseconds) { $0.longestLoad }.timed
        .of(.scored)

    // Milestones: those before any transfer do not wait for the network.
    package static let timeToDraftP50 = milestone(50, "timeToDraft", "time to draft") { $0.until(.draft) }.of(
        .measured
    )
    package static let timeToDraftP95 = milestone(95, "timeToDraft", "time to draft") { $0.until(.draft) }
        .of(.measured).charted("draft-p95").under("Draft", .milestones)
    package static let timeToPreparedP95 = milestone(95, "timeToPrepared", "picture ready to send") {
        $0.until(.prepared)
    }
    .of(.measured).under("Ready to send", .milestones)
    package static let timeToTextP95 = milestone(95, "timeToText", "time to text") { $0.until(.text) }.charted(
        "text-p95"
    ).under("Text", .milestones)
    package static let timeToEnrichedP95 = milestone(95, "timeToEnriched", "time to enriched") { $0.until(.enriched) }
        .charted("enriched-p95").under("Enriched", .milestones)
    package static let enrichmentP95 = milestone(95, "enrichment", "enrichment alone") { $0.enrichment }.under(
        "Enrichment",
        .milestones
    )
    package static let repeatP95 = milestone(95, "repeat", "repeated question", .gestures) {
        ($0.prediction?.gesture?.repeatMilliseconds ?? []).map(Observation.value)
    }.of(.reported)
    package static let gestureReadings = scans("gestureReadings", "readings per gesture", .mean, .gestures) {
        $0.prediction?.gesture?.readings
    }

    // Scans and their traffic.
    package static let completed = Metric(
        "completed",
        "scans completed",
        .share,
        .accuracy,
        .scans,
        .pooled,
        .every { $0.isCompleted.map { [.ratio($0 ? 1 : 0, of: 1)] } ?? [] }
    ).larger.under("Completed", .milestones)
    package static let queued = scans("queued", "scans kept for later", .sum) {
        $0.ofScan { $0.isQueued == true ? 1 : 0 }
    }.under("Queued", .milestones)
    package static let drained = scans("drained", "scans answered later", .sum) { $0.ofScan { $0.drained ?? 0 } }.under(
        "Answered later",
        .milestones
    )
    package static let waiting = scans("waiting", "scans waiting at the end", .last) { $0.ofScan { $0.waiting ?? 0 } }
        .under("Waiting at the end", .milestones)
    /// Scans that neither completed nor were queued, and queued scans that were neither answered nor wait at the end.
    package static let lostScans = Metric(
        "lostScans",
        "scans lost",
        .count,
        .traffic,
        .scans,
        .sum,
        .derived { value in
            guard let done = value(completed), let scans = done.total, let ended = done.count else { return nil }
            let counts = [queued, drained, waiting].map { Int(value($0)?.value.value ?? 0) }
            return .value(Double(max(0, scans - ended - counts[0]) + max(0, counts[0] - counts[1] - counts[2])))
        }
    )
    package static let bytesSent = bytes("bytesSent", "bytes leaving the device") { $0.sentPerScan }.charted("sent")
        .under("Sent", .traffic)
    package static let textBytesSent = bytes("text", of: "text").under("Text", .traffic)
    package static let bytesReceived = bytes("bytesReceived", "bytes received") { $0.receivedPerScan }.under(
        "Received",
        .traffic
    )

    // Work, as the system counts it.
    package static let works = Work.allCases.map { work in
        Metric(
            "work" + work.rawValue.prefix(1).uppercased() + work.rawValue.dropFirst(),
            work.name,
            .work,
            .work,
            .work,
            .pooled,
            .every { $0.prediction?.work?[work].map { [.ratio($0, of: 1)] } ?? [] }
        ).of(.reported).ofWhole.orAbsent("not counted").compared(.work(work))
    }

    // Books named.
    package static let identified = books("identified", "book identified") { $0.answer == .right }.charted()
        .compared().under("Identified", .closedSet, hasInterval: true)
    package static let wrongBook = books("wrongBook", "wrong book named") { $0.answer == .wrong }.smaller.under(
        "Wrong",
        .closedSet
    )
    package static let draft = books("draft", "draft of a book in the catalogue") { $0.answer == .draft }.smaller.under(
        "Draft",
        .closedSet
    )
    package static let abstained = books("abstained", "no book named") { $0.answer == .abstained }.smaller.under(
        "Abstained",
        .closedSet
    )
    package static let recallAt1 = books("recallAt1", "right book first") { $0.rank == 1 }.under(
        "First candidate",
        .closedSet
    )
    package static let recallAt5 = books("recallAt5", "right book among five") { $0.rank ?? .max <= 5 }.under(
        "Recall@5",
        .closedSet
    )
    /// Mean of 1 / rank of the right candidate, 0 where it is missing (Voorhees, TREC-8, 1999).
    package static let reciprocalRank = mean("reciprocalRank", "mean reciprocal rank", .books) {
        $0.book(isCatalogued: true) { [$0.rank.map { 1 / Double($0) } ?? 0] }
    }.of(.times).orAbsent("no such books").under("MRR", .closedSet)
    package static let falseMatch = rates("falseMatch", "false match", .books) { $0.falseMatches }
        .ofBooks(isCatalogued: false).smaller.charted().compared().with { $0.isWithinPicture = false }
        .under("False match", .openSet, hasInterval: true).under("False match", .shelves)
    package static let openDraft = books("openDraft", "draft of a book outside the catalogue", isCatalogued: false) {
        $0.answer == .draft
    }.smaller.under("Draft", .openSet)

    // Shelves.
    package static let bookRecall = rates("bookRecall", "books of a shelf named", .shelves) {
        $0.shelf?.books.compactMap(\.isNamed)
    }
    .charted().compared().under("Named", .shelves, hasInterval: true)
    package static let bookPrecision = rates("bookPrecision", "precision of a shelf's names", .shelves) {
        $0.shelf?.rightNames
    }
    .charted().under("Names right", .shelves, hasInterval: true)
    package static let bookF1 = pooled("bookF1", "F1 of a shelf's books", .score, .shelves) { $0.shelf?.f1 }.larger
        .orAbsent("no books").under("F1", .shelves)
    package static let bookTitleRead = rates("bookTitleRead", "titles of a shelf read", .shelves) {
        $0.shelf?.books.map(\.isRead)
    }
    .charted("book-titles").compared().under("Title read", .shelves)
    package static let countError = pooled("countError", "error of the count of books", .share, .shelves) {
        $0.shelf.map { (abs($0.spines.count - $0.labelled), $0.labelled) }
    }.orAbsent("no books").under("Count off", .shelves)
    package static let mergedSpines = rates("mergedSpines", "spines of several books", .shelves) {
        $0.shelf?.outlined.map(\.isMerged)
    }.smaller.under("Merged", .shelves)
    package static let sliverSpines = rates("sliverSpines", "spines that are slivers", .shelves) {
        $0.shelf?.outlined.map(\.isSliver)
    }.smaller.under("Slivers", .shelves)
    package static let orderDistance = rates("orderDistance", "books out of order", .shelves) { $0.shelf?.areMoved }
        .smaller.under("Out of order", .shelves)
    package static let outlineOverlap = mean("outlineOverlap", "overlap of outlines", .shelves) {
        $0.shelf?.books.compactMap(\.overlap)
    }
    .orAbsent("no outlines").under("Overlap", .shelves)
    package static let timePerBook = Metric(
        "timePerBook",
        "time per book",
        .milliseconds,
        .speed,
        .shelves,
        .pooled,
        .first { $0.timePerBook }
    )
    .timed.orAbsent("no books").under("A book", .shelves)

    // A camera's frames.
    package static let oneScan = frames("oneScan", "spines with one scan") { $0.prediction?.scans ?? 0 == 1 }.larger
        .charted()
    package static let repeatedScan = frames("repeatedScan", "spines with several scans") {
        $0.prediction?.scans ?? 0 > 1
    }
    package static let missedSpine = frames("missedSpine", "spines without a scan") { $0.prediction?.scans ?? 0 == 0 }
    package static let wrongScan = frames("wrongScan", "spines with a wrong book") { reading in
        reading.book.map { _ in reading.record?.wrongScans ?? 0 > 0 }
    }.charted()

    /// All metrics, in the order of tables.
    package static let allCases =
        list {
            latency
            latencyP50
            latency(90).under("", .latency)
            latencyP95
            latencyP99
            titleRead
            readInTime
            authorRead
            rate("titleAndAuthorRead", "title and author read") { $0.areBothRead }
                .under("Title and author")
            characterErrors
            wordErrors
            similarity
            wordF1
            peakFootprint
            peakResident
            peakMemory
            memoryDelta
            start
            firstReading
            modelLoad
            inferenceShare
            timeToDraftP95
            timeToPreparedP95
            timeToTextP95
            timeToEnrichedP95
            enrichmentP95
            completed
            queued
            drained
            waiting
            identified
            wrongBook
            draft
            abstained
            recallAt1
            recallAt5
            books("recallAt20", "right book among twenty") { $0.rank ?? .max <= 20 }.under("Recall@20", .closedSet)
            reciprocalRank
            bytesSent
            bytes("image", of: "pictures").under("Image", .traffic)
            textBytesSent
            bytes("id", of: "ids").under("Ids", .traffic)
            bytes("control", of: "control").under("Control", .traffic)
            bytesReceived
            publisherRead
            rate("noText", "no text at all") {
                $0.score == nil ? nil : $0.record?.text?.allSatisfy(\.isWhitespace) ?? true
            }
            .smaller.under("No text")
            timeToDraftP50
            bookRecall
            bookPrecision
            falseMatch
            openDraft
            bookF1
            bookTitleRead
            countError
            mergedSpines
            rates("splitBooks", "books in several spines", .shelves) {
                $0.shelf?.books.filter { $0.overlap != nil }.map(\.isSplit)
            }.smaller.under("Split", .shelves)
            sliverSpines
            orderDistance
            outlineOverlap
            timePerBook
            gestureReadings
            repeatP95
            lineBoxRecall
            lineBoxPrecision
            lineOverlap
            oneScan
            repeatedScan
            missedSpine
            wrongScan
            lostScans
            firstTextP50
            longestLoad
        } + works
}

// MARK: Kinds of metrics

extension Metric {
    private init(
        _ id: String,
        _ name: String,
        _ unit: Unit,
        _ family: Family,
        _ topic: Topic,
        _ fold: Fold,
        _ source: Source
    ) {
        var own = Definition(
            rawValue: id,
            name: name,
            unit: unit,
            family: family,
            topic: topic,
            fold: fold,
            source: source
        )
        switch topic {
        case .text: own.nothing.reason = "no samples"
        case .boxes: own.nothing.note = "no such boxes"
        case .shelves: own.nothing.note = "no such books or spines"
        case .frames: own.nothing = ("no such spines", "no spine whose book is known")
        default: break
        }
        self.init(own)
    }

    /// The metric under a heading in a table of reports.
    private func under(_ heading: String, _ table: Table = .accuracy, hasInterval: Bool = false) -> Metric {
        with { $0.columns[table] = Column(heading: heading, hasInterval: hasInterval) }
    }

    /// The metric in charts, by its ``id`` or another name.
    private func charted(_ chart: String? = nil) -> Metric { with { $0.chart = chart ?? id } }
    private func compared(_ pairing: Pairing = .outcomes) -> Metric { with { $0.pairing = pairing } }
    private func of(_ evidence: Evidence) -> Metric { with { $0.evidence = evidence } }
    private func orAbsent(_ reason: String) -> Metric { with { $0.nothing.reason = reason } }
    private func ofBooks(isCatalogued: Bool) -> Metric {
        let place = isCatalogued ? "in" : "outside"
        return of(.times).with {
            $0.nothing = ("no such books", "no spine of a book \(place) the catalogue was judged")
        }
    }
    /// Builds a list of metrics, one a line.
    @resultBuilder private enum List {
        static func buildBlock(_ metrics: Metric...) -> [Metric] { metrics }
    }

    private static func list(@List _ metrics: () -> [Metric]) -> [Metric] { metrics() }

    private var smaller: Metric { with { $0.higherIsBetter = false } }
    private var larger: Metric { with { $0.higherIsBetter = true } }
    private var ofWhole: Metric { with { $0.isOfWhole = true } }
    private var timed: Metric { with { ($0.isTimed, $0.evidence) = (true, .times) } }

    /// Share of samples, each by its first reading.
    private static func rate(
        _ id: String,
        _ name: String,
        _ topic: Topic = .text,
        _ outcome: @escaping Observer<Bool?>
    ) -> Metric {
        Metric(id, name, .share, .accuracy, topic, .rate, .first { outcome($0).map { [.outcome($0)] } ?? [] }).larger
    }

    /// Share of several things in a picture.
    private static func rates(
        _ id: String,
        _ name: String,
        _ topic: Topic,
        _ outcomes: @escaping Observer<[Bool]?>
    ) -> Metric {
        Metric(id, name, .share, .accuracy, topic, .rate, .first { (outcomes($0) ?? []).map(Observation.outcome) })
            .larger.with { $0.isWithinPicture = true }
    }

    private static func pooled(
        _ id: String,
        _ name: String,
        _ unit: Unit,
        _ topic: Topic = .text,
        _ ratio: @escaping Observer<(Int, of: Int)?>
    ) -> Metric {
        Metric(
            id,
            name,
            unit,
            .accuracy,
            topic,
            .pooled,
            .first { ratio($0).map { [.ratio(Double($0), of: Double($1))] } ?? [] }
        )
    }

    private static func errors(_ counts: EditCounts?) -> (Int, of: Int)? {
        counts.map { ($0.errors, $0.referenceLength) }
    }

    private static func mean(
        _ id: String,
        _ name: String,
        _ topic: Topic = .text,
        _ values: @escaping Observer<[Double]?>
    ) -> Metric {
        Metric(id, name, .score, .accuracy, topic, .mean, .first { (values($0) ?? []).map(Observation.value) }).larger
    }

    private static func latency(_ percent: Int) -> Metric {
        milestone(percent, "latency", "latency", .latency) { $0.latency }
    }

    private static func milestone(
        _ percent: Int,
        _ series: String,
        _ name: String,
        _ topic: Topic = .scans,
        _ times: @escaping Observer<[Observation]>
    ) -> Metric {
        Metric(
            "\(series)P\(percent)",
            "\(name) P\(percent)",
            .milliseconds,
            .speed,
            topic,
            .percentile(percent),
            .every(times)
        ).of(.times)
    }

    private static func scans(
        _ id: String,
        _ name: String,
        _ fold: Fold,
        _ topic: Topic = .scans,
        _ count: @escaping Observer<Int?>
    ) -> Metric {
        let family: Family = topic == .scans ? .traffic : .speed
        return Metric(id, name, .count, family, topic, fold, .every { count($0).map { [.value(Double($0))] } ?? [] })
    }

    /// Figure of a measurement as a whole.
    private static func whole(
        _ id: String,
        _ name: String,
        _ unit: Unit,
        _ family: Family = .speed,
        _ figure: @escaping @Sendable (ProcessFacts) -> Figure?
    ) -> Metric {
        Metric(id, name, unit, family, .process, .sum, .process(figure)).of(.measured).ofWhole
    }

    private static func bytes(
        _ id: String,
        _ name: String,
        _ bytes: @escaping @Sendable (TrafficSummary) -> Double
    ) -> Metric {
        whole(id, name, .bytesPerScan, .traffic) { $0.traffic.map { .value(bytes($0)) } }.of(.scored)
    }

    private static func bytes(_ content: String, of name: String) -> Metric {
        bytes("\(content)BytesSent", "bytes of \(name) sent") { $0.sentPerScan(content) }
    }

    /// Share of the books in or outside the catalogue.
    private static func books(
        _ id: String,
        _ name: String,
        isCatalogued: Bool = true,
        _ outcome: @escaping @Sendable (BookOutcome) -> Bool
    ) -> Metric {
        rate(id, name, .books) { $0.book(isCatalogued: isCatalogued, outcome) }.ofBooks(isCatalogued: isCatalogued)
    }

    /// Share of the spines that a camera was aimed at, over all readings.
    private static func frames(_ id: String, _ name: String, _ outcome: @escaping Observer<Bool?>) -> Metric {
        let every = Source.every { reading in reading.isOfFrames ? outcome(reading).map { [.outcome($0)] } ?? [] : [] }
        return Metric(id, name, .share, .accuracy, .frames, .rate, every).ofWhole
    }
}
