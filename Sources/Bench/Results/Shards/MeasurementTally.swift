import Basics
import Evaluation
import Harness
import Imaging
import SpineDatasets

/// A measurement of a run in shards, counted reading by reading; of each sample, a few bits are kept.
struct MeasurementTally {
    let measurement: Measurement
    private let index: LabelIndex
    private let repetitions: Int
    /// By reading: the repetition, from 0, times the number of labels, and the label's number.
    private var seen: [UInt64]
    /// Of each label's first text; empty where each is read once.
    private var texts: [UInt64]
    private var unstable: Set<UInt32> = []
    private var all = CategoryTally()
    private var categories: [SampleCategory: CategoryTally] = [:]
    private var outcomes: [String: Int] = [:]
    private var failures = 0
    private var photos: [(number: Int, record: SampleRecord)] = []
    private var bytes: TrafficSummary?
    private(set) var latencies: [Int: LatencyTally] = [:]

    init(_ measurement: Measurement, _ index: LabelIndex, _ configuration: RunConfiguration) {
        (self.measurement, self.index) = (measurement, index)
        repetitions = configuration.repetitions * configuration.seeds.count
        seen = [UInt64](repeating: 0, count: (index.count * repetitions + 63) / 64)
        texts = [UInt64](repeating: 0, count: repetitions > 1 ? index.count : 0)
    }

    /// How many readings a number of samples makes.
    func readings(of samples: Int) -> Int { samples * repetitions }

    /// Adds a reading; gives what is wrong with it instead where it does not belong here.
    mutating func add(_ reading: ShardReading, host: Int) -> String? {
        let record = reading.record
        guard (1...repetitions).contains(record.repetition) else {
            return "repetition \(record.repetition) of \(record.id), and there are \(repetitions)"
        }
        let place = (record.repetition - 1) * index.count + reading.number
        guard seen[place / 64] & 1 << UInt64(place % 64) == 0 else {
            return "\(record.id) twice in repetition \(record.repetition) of \(measurement.id)"
        }
        seen[place / 64] |= 1 << UInt64(place % 64)
        outcomes[record.outcome.rawValue, default: 0] += 1
        if record.outcome == .read { compare(record, reading.number) }
        if let traffic = record.prediction?.traffic { bytes.add(traffic) }
        latencies[host, default: LatencyTally()].add(
            milliseconds: record.outcome == .read ? record.milliseconds : nil,
            isTimeout: record.outcome == .timedOut,
            isFirst: record.repetition == 1
        )
        if record.repetition == 1, let score = reading.score {
            all.add(score)
            if record.shelf != nil { photos.append((reading.number, record)) }
            if measurement.variant.subject != .shelves {
                categories[reading.category, default: CategoryTally()].add(score)
            }
        }
        return nil
    }

    private mutating func compare(_ record: SampleRecord, _ number: Int) {
        guard !texts.isEmpty else { return }
        var hash = FNV1a()
        for byte in (record.prediction?.text ?? "\u{0}").utf8 { hash.append(byte) }
        let text = hash.value | 1
        if texts[number] == 0 { texts[number] = text } else if texts[number] != text { unstable.insert(UInt32(number)) }
    }

    /// The result, without anything that hangs on a machine.
    var result: MeasurementResult {
        let shelves = ShelfSummary(
            photos.sorted { $0.number < $1.number }.map(\.record)
        )
        func category(_ name: String, _ tally: CategoryTally, _ shelves: ShelfSummary?) -> CategoryResult {
            CategoryResult(
                category: name,
                samples: tally.samples,
                failures: 0,
                latency: LatencySummary(milliseconds: []),
                accuracy: AccuracySummary(tally.accuracy),
                milestones: nil,
                books: tally.identification,
                shelves: shelves,
                captures: tally.captures,
                boxes: tally.boxes
            )
        }
        return MeasurementResult(
            measurement,
            planned: index.readCount * repetitions,
            outcomes: outcomes,
            traffic: bytes,
            categories: [category("all", all, shelves)]
                + SampleCategory.allCases.compactMap { name in
                    categories[name].map { category(name.rawValue, $0, nil) }
                },
            unstableSamples: unstable.count
        )
    }
}

extension MeasurementResult {
    /// Of a run in shards: what hangs on a machine is absent.
    init(
        _ measurement: Measurement,
        planned: Int,
        outcomes: [String: Int],
        traffic: TrafficSummary?,
        categories: [CategoryResult],
        unstableSamples: Int
    ) {
        self.init(measurement, samples: [], planned: planned, records: [], events: [])
        self.outcomes = outcomes
        self.traffic = traffic
        self.categories = categories
        self.unstableSamples = unstableSamples
    }
}

extension TrafficSummary? {
    /// Counts the bytes of one scan more.
    mutating func add(_ traffic: Traffic) {
        guard var sum = self else {
            self = TrafficSummary(of: traffic)
            return
        }
        sum.scans += 1
        sum.up.merge(traffic.up, uniquingKeysWith: +)
        sum.down.merge(traffic.down, uniquingKeysWith: +)
        self = sum
    }
}

extension TrafficSummary {
    /// Of one scan, by what its bytes tell alone.
    fileprivate init?(of traffic: Traffic) {
        var record = SampleRecord(measurement: "", repetition: 1, position: 0, id: "")
        var prediction = Prediction(lines: [])
        prediction.traffic = Traffic(up: traffic.up, down: traffic.down)
        record.prediction = prediction
        self.init([record])
    }
}

/// A line of a shard's `samples.jsonl`, scored; of the prediction only what is scored is left.
struct ShardReading: Sendable {
    var record: SampleRecord
    /// The label's number, and the number of its group's shard.
    var number: Int
    var shard: Int
    var category: SampleCategory
    /// Of the first repetition.
    var score: ScoredReading?

    /// What a line says; nil when it is no reading.
    static func record(_ bytes: UnsafeBufferPointer<UInt8>) -> SampleRecord? {
        guard case .object(let members)? = try? JSONParser.parse(bytes), case .string(let id)? = members["id"],
            case .string(let measurement)? = members["measurement"],
            case .number(let repetition)? = members["repetition"],
            case .number(let position)? = members["position"], case .string(let word)? = members["outcome"],
            let outcome = SampleRecord.Outcome(rawValue: word)
        else { return nil }
        let isCapture =
            if case .object(let prediction)? = members["prediction"] { prediction["capture"] != nil } else { false }
        if members["shelf"] != nil || isCapture { return JSONLine.decode(SampleRecord.self, from: bytes) }
        var record = SampleRecord(
            measurement: measurement,
            repetition: Int(repetition),
            position: Int(position),
            id: id
        )
        record.outcome = outcome
        if case .number(let milliseconds)? = members["milliseconds"] { record.milliseconds = milliseconds }
        if case .object(let book)? = members["book"] {
            guard case .string(let word)? = book["answer"], let answer = BookOutcome.Answer(rawValue: word),
                case .bool(let isCatalogued)? = book["isCatalogued"]
            else { return nil }
            record.book = BookOutcome(answer, rank: book["rank"]?.whole, isCatalogued: isCatalogued)
        }
        guard case .object(let prediction)? = members["prediction"] else { return record }
        var lines: [Prediction.Line] = []
        if case .array(let elements)? = prediction["lines"] {
            for case .object(let line) in elements {
                guard case .string(let text)? = line["text"] else { return nil }
                lines.append(Prediction.Line(text: text, quad: line["quad"]?.quad))
            }
        }
        var kept = Prediction(lines: lines)
        if case .string(let problem)? = prediction["linesProblem"] { kept.linesProblem = problem }
        if case .object(let traffic)? = prediction["traffic"] {
            kept.traffic = Traffic(up: traffic["up"]?.wholes ?? [:], down: traffic["down"]?.wholes ?? [:])
        }
        record.prediction = kept
        return record
    }
}

extension JSONValue {
    /// Four corners; nil for anything else.
    fileprivate var quad: Quad? {
        guard case .array(let corners) = self, corners.count == 4 else { return nil }
        let points = corners.compactMap { corner -> Point? in
            guard case .array(let pair) = corner, pair.count == 2, case .number(let x) = pair[0],
                case .number(let y) = pair[1]
            else { return nil }
            return Point(x: x, y: y)
        }
        return points.count == 4 ? Quad(corners: points) : nil
    }

    fileprivate var whole: Int? { if case .number(let number) = self { Int(number) } else { nil } }

    fileprivate var wholes: [String: Int] {
        if case .object(let members) = self { members.compactMapValues(\.whole) } else { [:] }
    }
}
