import Basics
import Evaluation
import Harness
import Imaging
import Results
import SpineDatasets

extension ReportPage {
    /// Returns one sample with each measurement's result; nil where it was not part of one.
    ///
    /// `n` marks an illegible sample. Added later: `p`, the index of its picture, and that picture's full `w` and `h`.
    static func sample(_ sample: Sample, id: String, readings: [PageObject?]) -> PageObject {
        let shelf = sample.shelf
        return [
            "i": id,
            "c": shelf == nil ? sample.category.rawValue : "shelf",
            "t": shelf.map { NumberText.count($0.books.count, "labelled book") } ?? sample.title,
            "a": sample.author,
            "x": sample.transcription,
            "g": shelf == nil ? sample.group : nil,
            "o": sample.orientation.rawValue,
            "n": sample.legible || shelf != nil ? nil : 1,
            // Books on the shelves, in the form of lines.
            "k": shelf?.books.map { row($0.title ?? "", at: $0.quad) },
            "r": readings,
        ]
    }

    /// Adds each spine of a shelf photo's reading, in the form of lines with outlines, and the missed labelled books.
    private static func found(_ score: ShelfScore, _ reading: inout PageObject, spines: [Prediction.Spine]) {
        let wrong = score.spines.count { $0.outcome == .wrong }
        let missed = score.books.filter { $0.isNamed == false }
        let known = score.books.filter { $0.isNamed != nil }
        reading["l"] = spines.map { row(($0.answer?.title).map { "\($0): " } ?? "", $0) }
        reading["f"] = score.spines.map {
            $0.outcome.rawValue + ($0.isMerged ? " merged" : $0.isSliver ? " sliver" : "")
        }
        reading["k"] = missed.map(\.number)
        reading["t"] = known.isEmpty ? nil : missed.isEmpty && wrong == 0 ? 1 : 0
        reading["b"] =
            "\(known.count - missed.count) of \(NumberText.count(known.count, "book")) named, \(wrong) named wrongly, "
            + "\(score.books.count(where: \.isRead)) of \(score.books.count) titles read"
    }

    private static func row(_ name: String, _ spine: Prediction.Spine) -> PageArray {
        row(name + spine.text, at: spine.outline)
    }

    /// Returns the result of one sample; `records` are all its repetitions, yes and no 1 and 0, `read` left out.
    static func reading(_ records: [SampleRecord], of sample: Sample, stages: [String]) -> PageObject {
        let records = records.sorted { $0.repetition < $1.repetition }
        let first = records[0]
        let (prediction, book) = (first.prediction, first.book)
        let score = sample.legible ? first.score(against: sample) : nil
        let worst = records.max { severity($0.outcome) < severity($1.outcome) } ?? first
        let varies = Set(records.filter { $0.outcome == .read }.map { $0.prediction?.text }).count > 1
        let answer = prediction?.answer.map { ": " + $0.title } ?? ""
        let lines = (prediction?.lines ?? []).map(line)
        var reading: PageObject = [
            // Lines of the first repetition, in reading order: the texts joined by spaces were scored.
            "l": lines.isEmpty ? nil : lines,
            "o": prediction?.orientation,
            "t": (score?.title.isRead).map { $0 ? 1 : 0 },
            "a": (score?.author?.isRead).map { $0 ? 1 : 0 },
            "e": score?.characters.rate.value.flatMap { rounded($0, 1_000) },
            // Milliseconds of each repetition; null for a failed one.
            "m": records.map { $0.outcome == .read ? $0.milliseconds.flatMap { rounded($0, 100) } : nil },
            "s": stages.isEmpty ? nil : stages.map { prediction?.stages[$0].flatMap { rounded($0, 10) } },
            "u": worst.outcome == .read ? nil : worst.outcome,
            "p": worst.problem,
            "v": varies ? 1 : nil,
            "b": book.map { $0.answer.rawValue + ($0.isCatalogued ? "" : ", not in the catalogue") + answer },
        ]
        if let shelf = first.shelf {
            found(shelf, &reading, spines: (prediction?.spines ?? []).filter { $0.outline != nil })
        }
        return reading
    }

    /// Returns a line as `["text"]`, `["text", 0.98]` or `["text", 0.98, x, y, …]`, in whole pixels of the picture.
    ///
    /// With a probability, `[0.98, 0.91]` replaces the confidence. The fourth corner is omitted if it completes,
    /// within a pixel, a parallelogram with the other three.
    static func line(_ line: Prediction.Line) -> PageArray {
        var row: PageArray = [line.text]
        let confidence = line.confidence.flatMap { rounded($0, 100) }
        let probability = line.probability.flatMap { rounded($0, 100) }
        if line.quad == nil, confidence == nil, probability == nil { return row }
        row.elements.append(probability == nil ? confidence : [confidence, probability] as PageArray)
        if let quad = line.quad { row.elements += corners(of: quad) }
        return row
    }

    /// Returns a text at a place as a line without a confidence.
    private static func row(_ text: String, at quad: Quad?) -> PageArray {
        var row: PageArray = [text, nil]
        if let quad { row.elements += corners(of: quad) }
        return row
    }

    private static func corners(of quad: Quad) -> [Int] {
        // Far beyond any picture, and far below an integer's limit.
        func whole(_ number: Double) -> Int { number.isFinite ? Int(min(max(number, -1e6), 1e6).rounded()) : 0 }
        let corners = quad.corners.map { (x: whole($0.x), y: whole($0.y)) }
        let fourth = (x: corners[0].x + corners[2].x - corners[1].x, y: corners[0].y + corners[2].y - corners[1].y)
        let isParallel = abs(fourth.x - corners[3].x) <= 1 && abs(fourth.y - corners[3].y) <= 1
        return corners.prefix(isParallel ? 3 : 4).flatMap { [$0.x, $0.y] }
    }

    /// Returns `value` to one part in `scale`; nil when it is not finite.
    private static func rounded(_ value: Double, _ scale: Double) -> Double? {
        value.isFinite ? (value * scale).rounded() / scale : nil
    }

    /// Returns the severity: the later, the worse.
    private static func severity(_ outcome: SampleRecord.Outcome) -> Int {
        SampleRecord.Outcome.allCases.firstIndex(of: outcome) ?? 0
    }
}
