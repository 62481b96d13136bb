import Basics
import Evaluation
import Harness
import Imaging
package import SpineDatasets

/// Sample with each measurement's reading, or each run's, as the scripts in `Resources` show it.
///
/// A page may hold tens of thousands: keys are single letters, and what is absent takes no room.
package struct SampleRow: Encodable {
    /// Id and category.
    var i: String
    var c: String
    /// Title or number of books, author, printed text, photo, orientation.
    var t: String?
    var a: String?
    var x: String?
    var g: String?
    var o: String?
    /// 1 of an illegible sample.
    var n: Int?
    /// Labelled books of a photo of shelves.
    var k: [Line]?
    /// Nil for a measurement that did not read it.
    var r: [Reading?]

    /// Creates the row of a sample; of one whose label is not known, the id and category alone.
    package init(_ id: String, category: String, _ sample: Sample?, readings: [Reading?]) {
        let shelf = sample?.shelf
        (i, c, r) = (id, category, readings)
        t = shelf.map { NumberText.count($0.books.count, "labelled book") } ?? sample?.title
        (a, x, o) = (sample?.author, sample?.transcription, sample?.orientation.rawValue)
        g = shelf == nil ? sample?.group : nil
        n = sample?.legible == false && shelf == nil ? 1 : nil
        k = shelf?.books.map { Line($0.title ?? "", at: $0.quad) }
    }

    /// Style and scripts of a page that shows samples: `samplesSection()` and `browse()` of `samples`, and `runs`.
    static let style = PackageResources.report_css
    static let scripts = [
        PackageResources.data_js, PackageResources.plots_js, PackageResources.changes_js, PackageResources.samples_js,
        PackageResources.letters_js, PackageResources.detail_js,
    ]

    /// Run of which each sample has a reading.
    package struct Run: Encodable {
        /// UTC, ISO 8601.
        var time: String
        var host: String
        /// Address of its report, `https:` or relative; nil without one.
        var link: String?

        package init(time: String, host: String, link: String?) {
            (self.time, self.host, self.link) = (time, host, link)
        }
    }

    /// Result of one sample in all repetitions; yes and no are 1 and 0.
    package struct Reading: Encodable {
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
        var m: [Double?]?
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

    /// Text at a place: `["text"]`, `["text", 0.98, 0.91]` with its confidence and probability, or these and the x and y of its corners
    /// in whole pixels of the picture: three that the fourth completes, within a pixel, to a parallelogram, or else four.
    struct Line: Encodable {
        let text: String
        let confidence: Double?
        let probability: Double?
        let corners: [Int]

        init(_ text: String, at quad: Quad?, confidence: Double? = nil, probability: Double? = nil) {
            self.text = text
            self.confidence = confidence.flatMap { rounded($0, 100) }
            self.probability = probability.flatMap { rounded($0, 100) }
            // Far beyond any picture, and far below an integer's limit.
            let all: [Int] = (quad?.corners ?? []).flatMap { [$0.x, $0.y] }.map { number in
                number.isFinite ? Int(min(max(number, -1e6), 1e6).rounded()) : 0
            }
            let isParallel =
                !all.isEmpty
                && [0, 1].allSatisfy { axis in
                    let fourth: Int = all[axis] + all[axis + 4] - all[axis + 2]
                    return abs(fourth - all[axis + 6]) <= 1
                }
            corners = Array(all.prefix(isParallel ? 6 : 8))
        }

        init(_ line: Prediction.Line) {
            self.init(line.text, at: line.quad, confidence: line.confidence, probability: line.probability)
        }

        func encode(to encoder: any Encoder) throws {
            var row = encoder.unkeyedContainer()
            try row.encode(text)
            if confidence != nil || probability != nil || !corners.isEmpty {
                try row.encode(contentsOf: [confidence, probability])
            }
            try row.encode(contentsOf: corners)
        }
    }
}

extension SampleRow.Reading {
    /// Creates the result of a run: `isRight` is nil for a sample that it did not score, and the text for one that was not stored.
    package init(_ isRight: Bool?, varies: Bool = false, text: String? = nil) {
        self.init(l: text.map { [SampleRow.Line($0, at: nil)] }, t: isRight.map { $0 ? 1 : 0 }, v: varies ? 1 : nil)
    }

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
