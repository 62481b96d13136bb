import ArgumentParser
import Basics
import BookCatalogue
import Composition
import Evaluation
import Foundation
import Harness
import Imaging
import Results
import ScanningPipeline
import ScanningPolicies
import SpineDatasets
import SpineReaders
import TextRecognition

struct ShelvesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shelves",
        abstract: "Compare shelf readers with other tools that read whole photos, by one scorer.",
        discussion: """
            The run contains 'shelf-fast' and, for instance, 'rapidocr-shelf' over the same photos: 'spinebench run --suite \
            peers-shelves'. Another tool finds lines, not spines. Its lines are cut into spines by the labelled outlines, and \
            for books without one by the outlines that the first shelf reader of the run found: an upper bound of what the \
            tool would do with a division of its own, marked with "≤". Its books are named by the same matcher.
            """
    )

    @Argument(help: "A run's folder.", completion: .directory)
    var path: String

    @Option(help: "The catalogue of the run.", completion: .file())
    var catalogue: String

    func run() throws {
        let contents = try RunContents.load(path)
        let records = Dictionary(grouping: contents.records, by: \.measurement)
        let measurements = contents.result.measurements.map(\.id)
        guard let guide = measurements.compactMap({ records[$0] }).first(where: isDivided) else {
            throw CheckFailure("\(path): no measurement of a reader of shelves")
        }
        let matcher = try CatalogueMatcher(catalogue: .named(catalogue))
        let guides = Dictionary(guide.map { ($0.id, $0) }) { first, _ in first }
        print(
            """
            | reader | titles read | books named | of the names right | false names of absent books | to move for the order \
            | count off | ms a book | ms a photo, median | longest |
            |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
            """
        )
        for measurement in measurements {
            var photos = records[measurement] ?? []
            let isCut = !isDivided(photos)
            if isCut {
                for index in photos.indices {
                    guard let shelf = contents.samples.sample(of: photos[index])?.sample.shelf,
                        let guide = guides[photos[index].id]
                    else { continue }
                    photos[index].shelf = try score(photos[index], on: shelf, guide, matcher)
                }
            }
            if let summary = ShelfSummary(photos) { print(row(measurement, summary, photos, isCut: isCut)) }
        }
    }

    /// Returns whether a reader divides photos into spines.
    private func isDivided(_ photos: [SampleRecord]) -> Bool {
        photos.contains { $0.prediction?.spines != nil }
    }

    /// Scores lines of a photo, cut into spines by outlines.
    private func score(
        _ record: SampleRecord,
        on shelf: Shelf,
        _ guide: SampleRecord,
        _ matcher: CatalogueMatcher
    ) throws -> ShelfScore {
        let spines = Self.cut(
            record.prediction?.lines ?? [],
            by: shelf.books.compactMap(\.quad),
            or: (guide.prediction?.spines ?? []).compactMap(\.outline)
        )
        let answers = try spines.map { spine in
            try NamedText(spine.lines, on: .shelf) { try matcher.match($0, readings: 1) }.naming.answer
        }
        let texts = spines.map { $0.lines.map(\.text).joined(separator: " ") }
        let counted = Dictionary((guide.shelf?.books ?? []).map { ($0.number, $0) }) { first, _ in first }
        return ShelfScore(
            books: shelf.books.map(\.quad),
            counts: { counted[$0] != nil },
            isCatalogued: { counted[$0]?.isNamed != nil },
            spines: spines.map(\.outline),
            isNamed: { answers[$0] != nil },
            isRight: { book, spine in
                let label = shelf.books[book]
                guard let answer = answers[spine], let title = label.title else { return false }
                return ([title] + (label.acceptedTitles ?? [])).contains {
                    BookIdentity.isSame(answer.book, title: $0, author: label.author)
                }
            },
            isRead: { FieldRead(field: shelf.books[$0].title ?? "", in: texts[$1]).isRead ?? false }
        )
    }

    /// Returns the lines by the outline that has most of each: labelled ones, and others where no label is.
    static func cut(
        _ lines: [Prediction.Line],
        by labelled: [Quad],
        or others: [Quad]
    ) -> [(outline: Quad, lines: [RecognizedLine])] {
        let outlines =
            labelled
            + others.filter { other in
                !labelled.contains { $0.intersectionArea(with: other) > 0.3 * min($0.area, other.area) }
            }
        var spines = outlines.map { (outline: $0, lines: [RecognizedLine]()) }
        for line in lines {
            guard let quad = line.quad else { continue }
            let shared = outlines.map { $0.intersectionArea(with: quad) }
            guard let best = shared.indices.max(by: { shared[$0] < shared[$1] }), shared[best] > 0 else { continue }
            spines[best].lines.append(RecognizedLine(text: line.text, confidence: line.confidence ?? 1, quad: quad))
        }
        return spines.filter { !$0.lines.isEmpty }
    }

    private func row(_ name: String, _ shelves: ShelfSummary, _ photos: [SampleRecord], isCut: Bool) -> String {
        func rate(_ rate: RateEstimate) -> String {
            rate.trials == 0
                ? "–" : "\(isCut ? "≤ " : "")\(rate.successes) of \(rate.trials) (\(NumberText.interval(rate)))"
        }
        let times = photos.compactMap(\.milliseconds)
        let both = [Latencies(times).percentile(50), times.max()]
        let milliseconds = both.map { $0.map { NumberText.fixed($0, 0) } ?? "–" }
        let cells =
            [rate(shelves.titleRead), rate(shelves.named), rate(shelves.rightNames)]
            + [rate(shelves.falseMatch), isCut ? "–" : rate(shelves.moved)]
            + [isCut ? "–" : NumberText.figure(shelves.countError, NumberText.percent)]
            + [NumberText.figure(shelves.millisecondsPerBook) { NumberText.fixed($0, 0) }] + milliseconds
        return "| \(name) | \(cells.joined(separator: " | ")) |"
    }
}

struct ScalesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scales",
        abstract:
            "Count how often a photo at full size and a smaller copy of it name the same books; no labels are needed.",
        discussion: """
            A spine of the photo and one of the copy are the same if their outlines share half of the area that either covers. They \
            agree if both name the same book, or neither names one.
            """
    )

    @Argument(help: "A folder of pictures.", completion: .directory)
    var folder: String

    @Option(help: "A catalogue; “embedded” for the one inside the program.", completion: .file())
    var catalogue = "embedded"

    @Option(help: "How to read: a variant with settings.")
    var variant = "fast"

    @Option(help: "Side of the copy, relative to the photo's.")
    var scale = 0.7

    func validate() throws { try require((0.1..<1).contains(scale), "Invalid --scale: expected 0.1 to less than 1.") }

    func run() throws {
        let pipeline = try ComposedVariant(variant).reading.load().pipeline(.named(catalogue))
        var tallies: [NamingPolicy.Subject: Tally] = [:]
        for file in try PictureFolder(folder, .empty).empty {
            let whole = try ImageCodec.decode(contentsOf: file).image
            let (width, height) = (Double(whole.width) * scale, Double(whole.height) * scale)
            let small = whole.resized(width: max(1, Int(width)), height: max(1, Int(height)))
            let (full, copy) = try (books(whole, file, pipeline), books(small, file, pipeline))
            tallies[full.kind, default: Tally()].add(full.books, copy.books, scale: scale)
        }
        print(
            "| pictures of | n | spines | named | also on the copy | of these the same book, or none | another book |"
        )
        print("|---|--:|--:|--:|--:|--:|--:|")
        for (kind, tally) in tallies.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            func share(_ part: Int, _ whole: Int) -> String {
                whole == 0 ? "–" : "\(part) (\(NumberText.percent(Double(part) / Double(whole))))"
            }
            print(
                "| \(kind) | \(tally.pictures) | \(tally.spines) | \(share(tally.named, tally.spines)) "
                    + "| \(share(tally.found, tally.spines)) | \(share(tally.agreeing, tally.found)) "
                    + "| \(share(tally.contrary, tally.found)) |"
            )
        }
    }

    private func books(_ image: RasterImage, _ name: String, _ pipeline: SpinePipeline) throws -> PictureBooks {
        try pipeline.books(of: .pixels(image), name: name)
    }

    private struct Tally {
        var (pictures, spines, named, found, agreeing, contrary) = (0, 0, 0, 0, 0, 0)

        mutating func add(_ full: [PictureBooks.Book], _ copy: [PictureBooks.Book], scale: Double) {
            pictures += 1
            for book in full {
                spines += 1
                let answer = book.named.naming.answer?.book.id
                if answer != nil { named += 1 }
                let outline = book.spine.outline.mapped { Point(x: $0.x * scale, y: $0.y * scale) }
                let same = copy.max {
                    outline.overlap(with: $0.spine.outline) < outline.overlap(with: $1.spine.outline)
                }
                guard let same, outline.overlap(with: same.spine.outline) >= 0.5 else { continue }
                found += 1
                let other = same.named.naming.answer?.book.id
                if answer == other { agreeing += 1 } else if answer != nil, other != nil { contrary += 1 }
            }
        }
    }
}
