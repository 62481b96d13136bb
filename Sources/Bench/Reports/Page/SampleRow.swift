import Basics
import Evaluation
import Harness
import Imaging
import SpineDatasets

/// Sample of a run with each measurement's reading, as `report.html` shows it.
///
/// A page may hold tens of thousands: keys are single letters, and what is absent takes no room.
struct SampleRow: Encodable {
    /// Id and category.
    var i: String
    var c: String
    /// Title or number of books, author, printed text, photo, orientation.
    var t: String?
    var a: String?
    var x: String
    var g: String?
    var o: String
    /// 1 of an illegible sample.
    var n: Int?
    /// Labelled books of a photo of shelves.
    var k: [Line]?
    /// Nil for a measurement that did not read it.
    var r: [Reading?]

    init(_ sample: Sample, id: String, readings: [Reading?]) {
        let shelf = sample.shelf
        (i, c, r) = (id, shelf == nil ? sample.category.rawValue : "shelf", readings)
        t = shelf.map { NumberText.count($0.books.count, "labelled book") } ?? sample.title
        (a, x, o) = (sample.author, sample.transcription, sample.orientation.rawValue)
        g = shelf == nil ? sample.group : nil
        n = sample.legible || shelf != nil ? nil : 1
        k = shelf?.books.map { Line($0.title ?? "", at: $0.quad) }
    }

    /// Result of one sample in all repetitions; yes and no are 1 and 0.
    struct Reading: Encodable {
        /// Lines of the first repetition, in reading order, or spines of a photo of shelves: their texts joined by
        /// spaces were scored.
        var l: [Line]?
        /// Orientation, as the system says it.
        var o: String?
        /// Whether title and author were read; character error rate.
        var t: Int?
        var a: Int?
        var e: Double?
        /// Milliseconds of each repetition; nil for a failed one.
        var m: [Double?]
        /// Milliseconds of each stage.
        var s: [Double?]?
        /// Outcome and problem of the worst repetition, unless it was read.
        var u: SampleRecord.Outcome?
        var p: String?
        /// 1 when the repetitions read different texts.
        var v: Int?
        /// Answer of the catalogue, or the books of shelves in words.
        var b: String?
        /// Outcomes of the spines of a photo of shelves, and indices of its labelled books that were missed.
        var f: [String]?
        var k: [Int]?
    }

    /// Text at a place: `["text"]`, `["text", 0.98]` or `["text", 0.98, x, y, …]`, in whole pixels of the picture.
    ///
    /// With a probability, `[0.98, 0.91]` replaces the confidence. The fourth corner is omitted if it completes, within
    /// a pixel, a parallelogram with the other three.
    struct Line: Encodable {
        private let text: String
        private let confidence: Double?
        private let probability: Double?
        private let corners: [Int]

        init(_ text: String, at quad: Quad?, confidence: Double? = nil, probability: Double? = nil) {
            self.text = text
            self.confidence = confidence.flatMap { rounded($0, 100) }
            self.probability = probability.flatMap { rounded($0, 100) }
            corners = quad.map(Self.corners) ?? []
        }

        init(_ line: Prediction.Line) {
            self.init(line.text, at: line.quad, confidence: line.confidence, probability: line.probability)
        }

        func encode(to encoder: any Encoder) throws {
            var row = encoder.unkeyedContainer()
            try row.encode(text)
            if let probability {
                try row.encode([confidence, probability])
            } else if confidence != nil || !corners.isEmpty {
                try row.encode(confidence)
            }
            try row.encode(contentsOf: corners)
        }

        private static func corners(of quad: Quad) -> [Int] {
            // Far beyond any picture, and far below an integer's limit.
            func whole(_ number: Double) -> Int { number.isFinite ? Int(min(max(number, -1e6), 1e6).rounded()) : 0 }
            let corners = quad.corners.map { (x: whole($0.x), y: whole($0.y)) }
            let fourth = (
                x: corners[0].x + corners[2].x - corners[1].x, y: corners[0].y + corners[2].y - corners[1].y
            )
            let isParallel = abs(fourth.x - corners[3].x) <= 1 && abs(fourth.y - corners[3].y) <= 1
            return corners.prefix(isParallel ? 3 : 4).flatMap { [$0.x, $0.y] }
        }
    }
}

extension SampleRow.Reading {
    /// Creates the result of all repetitions of a sample, one at least.
    init(_ records: [SampleRecord], of sample: Sample, stages: [String]) {
        let records = records.sorted { $0.repetition < $1.repetition }
        let first = records[0]
        let prediction = first.prediction
        let score = sample.legible ? first.score(against: sample) : nil
        func severity(_ record: SampleRecord) -> Int {
            SampleRecord.Outcome.allCases.firstIndex(of: record.outcome) ?? 0
        }
        let worst = records.max { severity($0) < severity($1) } ?? first
        let texts = Set(records.filter { $0.outcome == .read }.map { $0.prediction?.text })
        let lines = (prediction?.lines ?? []).map { SampleRow.Line($0) }
        self.init(
            l: lines.isEmpty ? nil : lines,
            o: prediction?.orientation,
            t: (score?.title.isRead).map { $0 ? 1 : 0 },
            a: (score?.author?.isRead).map { $0 ? 1 : 0 },
            e: score?.characters.rate.value.flatMap { rounded($0, 1_000) },
            m: records.map { $0.outcome == .read ? $0.milliseconds.flatMap { rounded($0, 100) } : nil },
            s: stages.isEmpty ? nil : stages.map { prediction?.stages[$0].flatMap { rounded($0, 10) } },
            u: worst.outcome == .read ? nil : worst.outcome,
            p: worst.problem,
            v: texts.count > 1 ? 1 : nil,
            b: first.book.map { book in
                book.answer.rawValue + (book.isCatalogued ? "" : ", not in the catalogue")
                    + (prediction?.answer.map { ": " + $0.title } ?? "")
            }
        )
        if let shelf = first.shelf { add(shelf, (prediction?.spines ?? []).filter { $0.outline != nil }) }
    }

    private mutating func add(_ score: ShelfScore, _ spines: [Prediction.Spine]) {
        let wrong = score.spines.count { $0.outcome == .wrong }
        let missed = score.books.filter { $0.isNamed == false }
        let known = score.books.filter { $0.isNamed != nil }
        l = spines.map { SampleRow.Line(($0.answer.map { "\($0.title): " } ?? "") + $0.text, at: $0.outline) }
        f = score.spines.map { $0.outcome.rawValue + ($0.isMerged ? " merged" : $0.isSliver ? " sliver" : "") }
        k = missed.map(\.number)
        t = known.isEmpty ? nil : missed.isEmpty && wrong == 0 ? 1 : 0
        b =
            "\(known.count - missed.count) of \(NumberText.count(known.count, "book")) named, \(wrong) named wrongly, "
            + "\(score.books.count(where: \.isRead)) of \(score.books.count) titles read"
    }
}

/// Returns `value` to one part in `scale`; nil when it is not finite.
private func rounded(_ value: Double, _ scale: Double) -> Double? {
    value.isFinite ? (value * scale).rounded() / scale : nil
}
