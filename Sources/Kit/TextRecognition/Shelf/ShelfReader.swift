internal import Basics
public import Imaging

/// Reads all spines of a photo of shelves.
///
/// Text is found first, on the whole photo, and read; its positions define the rows of books. In each row, edges that
/// run from top to bottom and cut no text are possible borders between two books. The best division of the row along
/// such edges counts, by the clearness of its edges and the judge's rating of the text between them.
public struct ShelfReader: Sendable {
    /// A function that returns the most likely book for some lines.
    ///
    /// Called on several threads at once.
    public typealias Judge = @Sendable ([RecognizedLine]) throws -> Judgement

    /// A judge's result for some lines.
    public struct Judgement: Sendable, Equatable {
        /// Number of the book that their text is most likely of; nil for none.
        public var book: Int64?
        /// Probability that it is that one, 0…1.
        public var probability: Double
        /// Confidence of the judge in that book: `known` is likely enough to choose between texts by, `sure` to be
        /// named.
        public var certainty: Certainty

        /// The certainty with which a judge identifies the book of a text.
        public enum Certainty: Int, Sendable { case unknown, known, sure }

        /// Creates a judgement by its parts; by default no book is known.
        public init(book: Int64? = nil, probability: Double = 0, certainty: Certainty = .unknown) {
            (self.book, self.probability, self.certainty) = (book, probability, certainty)
        }
    }

    /// Maximum ratio of sides for more than one spine: a less slender picture is one of shelves.
    ///
    /// Of 465 crops of single spines (225 of photographs) the least slender one is 2.73 times as long as wide; of 20
    /// pictures of shelves (12 photographs) the most slender one is 2.57 times.
    static let leastSlenderness = 2.65

    /// A photo with a longer short side than this may be decoded smaller, in pixels: at 4:3 it has 16 megapixels.
    public static let sufficientShortSide = 3_464

    /// Returns whether a picture of this size, in pixels, has the shape of a photo of shelves, and not of one spine.
    public static func isLikely(width: Int, height: Int) -> Bool {
        let (long, short) = (max(width, height), min(width, height))
        // Same limit as for reading: text that small is unreadable, and its shape carries no information.
        return short >= 8 && Double(long) < leastSlenderness * Double(short)
    }

    /// Finds lines on the photo; its canvas is large.
    let detector: any TextDetector
    let reader: SpineReader
    let staged: StagedReader?

    /// Creates a reader of shelves from its parts: see the type.
    ///
    /// With `staged`, whose second stage is `reader`, the first stage reads all lines, and the second one what the gate
    /// asks for.
    public init(detector: any TextDetector, reader: SpineReader, staged: StagedReader? = nil) {
        (self.detector, self.reader, self.staged) = (detector, reader, staged)
    }

    /// Reads a photo.
    ///
    /// - Parameters:
    ///   - image: Upright, of any size; photos of more than 16 megapixels are searched at 16.
    ///   - judge: Source of knowledge about books; nil divides by edges and text alone.
    ///   - found: Called with spines for display while others are read: first a few whose books the judge is sure of,
    ///     with the outline of their text and 0 as their row; when all rows are divided, those of known books; then each
    ///     as it is read again. Their index is 0.
    /// - Returns: The spines that have text; an empty result is not an error.
    /// - Throws: The errors of the detector, the recogniser and the judge.
    public func read(
        _ image: RasterImage,
        judge: Judge? = nil,
        found: (ShelfSpine) -> Void = { _ in }
    ) throws -> ShelfReading {
        let clock = ContinuousClock()
        let start = clock.now
        guard min(image.width, image.height) >= 32 else { return ShelfReading(spines: [], timings: StageTimings()) }
        var search = ShelfSearch(shelf: self, image: image, judge: judge)
        var reading = try search.reading(found)
        reading.timings.total = start.duration(to: clock.now)
        return reading
    }
}

/// The search of one photo.
struct ShelfSearch {
    let shelf: ShelfReader
    let image: RasterImage
    let judge: ShelfReader.Judge?
    var timings = StageTimings()
    /// Whether most of the largest lines run upwards, as on French and Spanish spines.
    var runsUp = false
    /// Text of the photo.
    var lines: [ReadLine] = []
    /// Spines that were reported by the largest lines alone.
    var shown: [SpineDivision.Part] = []

    /// Reader of all lines at first.
    private var reader: SpineReader { shelf.staged?.first ?? shelf.reader }

    private func line(_ line: ReadLine) -> RecognizedLine {
        shelf.staged?.line(line) ?? shelf.reader.recognizer.line(line)
    }

    mutating func reading(_ found: (ShelfSpine) -> Void) throws -> ShelfReading {
        func spine(_ part: SpineDivision.Part, row: Int, index: Int = 0) -> ShelfSpine {
            ShelfSpine(row: row, index: index, outline: part.outline, reading: part.reading)
        }
        let (photo, judge) = (self, judge)
        var shown: [SpineDivision.Part] = []
        lines = try lines { lines in
            shown = try photo.sureSpines(among: lines)
            for part in shown { found(spine(part, row: 0)) }
        }
        self.shown = shown
        let pile = SpineStack.pile(of: lines)
        let stacks = pile.map { [$0] } ?? SpineStack.stacks(of: lines)
        let across = Set(stacks.flatMap(\.lines).filter(\.stands).map(\.quad))
        let upright = pile == nil ? lines.filter { !across.contains($0.quad) } : []
        let rows = ShelfRow.rows(of: upright, width: image.width, height: image.height)
        func books(_ stack: SpineStack, _ place: SpineStack.Place) throws -> [SpineDivision.Part] {
            try stack.parts(on: photo.image, line: photo.line, judge: judge, place: place)
        }
        // Parts of each row: those that may be upright books from the left, and its stacks of horizontal ones.
        let divided = try rows.enumerated().map { number, row in
            let onBoard = stacks.filter { $0.isIn(row) }
            let lying = try onBoard.map { ($0, try books($0, .onBoard)) }.filter { !$0.1.isEmpty }
            let standing = try row.without(lying.map(\.0)).parts(on: image, line: photo.line, judge: judge)
            for part in standing + lying.flatMap(\.1) where part.judgement.certainty != .unknown {
                found(spine(part, row: number + 1))
            }
            return (standing: standing, lying: lying.map(\.1))
        }
        var parts = try divided.enumerated().map { number, row in
            // Horizontal books on a row come before it.
            let above = stacks.filter { $0.lies(on: rows[number], below: number > 0 ? rows[number - 1] : nil) }
            let standing = try reread(row.standing) { if $0.isBook { found(spine($0, row: number + 1)) } }
            let all = standing.filter(\.isBook).map { [$0] } + row.lying
            let sorted = all.sorted { $0[0].outline.centre.x < $1[0].outline.centre.x }
            return try (above.map { try books($0, .above) } + sorted).flatMap(\.self)
        }
        if rows.isEmpty {
            // One level line may belong to anything; several stacked books are a pile.
            let piles = try stacks.map { try books($0, pile == nil ? .above : .alone) }.filter { $0.count > 1 }
            parts = [try reread(piles.flatMap(\.self)) { _ in }]
        }
        // A row of text without books is no row of books.
        let spines = parts.filter { !$0.isEmpty }.enumerated().flatMap { number, parts in
            parts.enumerated().map { spine($1, row: number + 1, index: $0 + 1) }
        }
        // The photo's text as it is read one line after the other.
        let text = SpineReading(ordering: lines.map(line), isTall: true)
        return ShelfReading(spines: spines, text: text.lines, timings: timings)
    }

    /// Returns spines that the judge is sure of, each made of adjacent lines along a spine.
    private func sureSpines(among lines: [ReadLine]) throws -> [SpineDivision.Part] {
        var spines: [SpineDivision.Part] = []
        guard let judge else { return [] }
        for line in lines where line.stands && !spines.contains(where: { $0.outline.contains(line.quad.centre) }) {
            let same = lines.filter { other in
                let (x, y) = (other.quad.centre.x - line.quad.centre.x, other.quad.centre.y - line.quad.centre.y)
                return abs(x) < line.quad.thickness && abs(y) < line.quad.length + other.quad.length
            }
            let text = same.map { self.line($0) }
            guard text.hasWholeText else { continue }
            let judgement = try judge(text)
            if judgement.certainty == .sure {
                spines.append(SpineDivision.Part(text, outline: Quad(around: same.map(\.quad)), judgement))
            }
        }
        return spines
    }

    // MARK: Lines

    /// Long side of a photo in its first search, in pixels.
    private static let coarseSide = 1280.0
    /// Thickness of lines in pixels at the scale of the search, mostly.
    private static let lineThickness = 22.0
    /// Maximum number of pixels of a searched photo, which limits memory.
    private static let mostPixels = 16e6
    /// Minimum shared area of lines at the same place and of the same size, as a share of a line.
    private static let sameShare = 0.6
    /// Number of lines that are read first, the largest ones.
    private static let firstLines = 8
    /// Confidence from which a line counts as upright.
    private static let sureConfidence = 0.9

    /// Finds and reads lines; the largest ones are passed on as soon as they are read.
    mutating func lines(largest: ([ReadLine]) throws -> Void) throws -> [ReadLine] {
        let coarse = min(1, Self.coarseSide / Double(max(image.width, image.height)))
        let first = try search(scale: coarse, turn: .counterclockwise).sorted { $0.area > $1.area }
        let early = try read(Array(first.prefix(Self.firstLines)))
        runsUp = early.count { $0.quad.orientation == .counterclockwise } * 2 > early.count
        try largest(early)
        let thicknesses = first.map(\.thickness).sorted()
        let typical = thicknesses.isEmpty ? 0 : thicknesses[thicknesses.count / 3]
        let most = min(1, (Self.mostPixels / Double(image.width * image.height)).squareRoot())
        let fine = typical > 0 ? min(most, max(coarse, Self.lineThickness / typical)) : most
        let isFiner = fine > 1.3 * coarse
        var lines =
            try isFiner
            ? read(search(scale: fine, turn: .counterclockwise)) : early + read(Array(first.dropFirst(Self.firstLines)))
        let others = try (isFiner ? first : []) + search(scale: coarse, turn: .none)
        let known = lines.map(\.quad)
        let further = others.filter { quad in
            !known.contains { $0.intersectionArea(with: quad) > Self.sameShare * max($0.area, quad.area) }
        }
        lines = reader.distinct(reader.merger.merge(lines, try read(further)))
        guard let staged = shelf.staged else { return lines }
        // Those of books that stand are read again on their spines.
        var crossing = lines.filter { !$0.stands }
        try staged.reread(&crossing, of: image, timings: &timings)
        return lines.filter(\.stands) + crossing
    }

    /// Returns the quads of the lines, in the photo's pixels, each running to the right or downwards.
    private mutating func search(scale: Double, turn: QuarterTurn) throws -> [Quad] {
        try shelf.detector.lines(of: image, scaledBy: scale, turned: turn, timings: &timings)
    }

    /// Returns the texts of the lines; doubtful ones are read the other way up as well.
    private mutating func read(_ quads: [Quad]) throws -> [ReadLine] {
        let straight = reader.straightened(quads, of: image).map { line in
            runsUp && line.quad.orientation == .clockwise ? line.reversed : line
        }
        var lines = try reader.recognize(straight, timings: &timings)
        let doubtful = lines.indices.filter { lines[$0].confidence < Self.sureConfidence }
        let reversed = try reader.recognize(doubtful.map { straight[$0].reversed }, again: true, timings: &timings)
        for (index, line) in zip(doubtful, reversed) where line.worth() > lines[index].worth() { lines[index] = line }
        return lines
    }

    // MARK: Spines

    /// Confidence from which a line of a known book is not read again.
    private static let clearConfidence = 0.97
    /// Maximum size of a spine that is read again, in pixels; its reader searches it at less.
    private static let longestSpine = 1400.0
    /// Number of spines that are read again side by side: networks run one after the other, and all else beside them.
    private static let sideBySide = 8

    /// Returns the parts, each unchanged when its book and its text are sure, and otherwise with the text that the judge
    /// rates best: by its largest lines alone, without a few lines at its top, which may belong to a book behind it, or as
    /// the spine's reader reads it; each is reported.
    mutating func reread(
        _ parts: [SpineDivision.Part],
        read: (SpineDivision.Part) -> Void
    ) throws -> [SpineDivision.Part] {
        var all: [SpineDivision.Part] = []
        while all.count < parts.count {
            let (clock, some, search) = (ContinuousClock(), Array(parts[all.count...].prefix(Self.sideBySide)), self)
            let start = clock.now
            let again = try concurrentMap(some.count) { try search.reread(some[$0]) }
            // Networks that wait for each other run for no longer than it took.
            let time = again.reduce(.zero) { $0 + $1.times.detectionInference + $1.times.recognitionInference }
            let share = time == .zero ? 1 : min(1, start.duration(to: clock.now) / time)
            for (part, times) in again {
                timings.detectionInference += times.detectionInference * share
                timings.recognitionInference += times.recognitionInference * share
                read(part)
                all.append(part)
            }
        }
        return all
    }

    private func reread(_ part: SpineDivision.Part) throws -> (part: SpineDivision.Part, times: StageTimings) {
        var (best, other) = (part, part)
        if let judge, part.judgement.certainty != .sure {
            // More text, of an unknown publisher, may make a book doubtful that was sure.
            if let known = shown.first(where: { part.outline.contains($0.outline.centre) }) {
                (best.reading, best.judgement) = (known.reading, known.judgement)
            }
            let sorted = part.reading.lines.sorted { $0.quad.centre.y < $1.quad.centre.y }
            for count in sorted.indices.dropFirst() {
                let hidden = Array(sorted.prefix(count))
                other.reading.lines = part.reading.lines.filter { !hidden.contains($0) }
                guard 2 * hidden.letterCount < sorted.letterCount, other.reading.lines.hasWholeText else { break }
                other.judgement = try judge(other.reading.lines)
                if other.judgement.certainty == .sure, other.judgement.probability > best.judgement.probability {
                    best = other
                }
            }
        }
        let isSure = best.judgement.certainty == .sure
        // Two stages read a sure book's lines again only if they are doubtful.
        let least = isSure && shelf.staged != nil ? Self.sureConfidence : Self.clearConfidence
        let isClear = best.reading.lines.allSatisfy { $0.text.count < 3 || $0.confidence >= least }
        let (outline, none) = (part.outline, StageTimings())
        guard !isClear || !isSure && !best.isComplete else { return (best, none) }
        // As the spine's reader reads it alone, if it is large enough for text.
        let scale = min(1, Self.longestSpine / max(outline.length, outline.thickness))
        let (width, height) = (Int(outline.length * scale), Int(outline.thickness * scale))
        guard width >= 8, height >= 8, let spine = image.cropped(to: outline, width: width, height: height),
            let place = Homography(width: Double(width), height: Double(height), to: outline)
        else { return (best, none) }
        let clear = lines.filter { $0.confidence >= Self.clearConfidence && outline.contains($0.quad.centre) }
        func known(_ quad: Quad) -> ReadLine? {
            let there = quad.mapped(place.apply)
            guard var line = clear.first(where: { $0.quad.overlap(with: there) > Self.sameShare }) else { return nil }
            line.quad = line.quad.orientation == there.orientation ? quad : quad.reversed
            return line
        }
        other.reading = try (shelf.staged?.read(spine, known: known) ?? reader.read(spine, known: known))
            .mapped(place.apply)
        let text = other.reading.lines
        other.judgement = (text.hasWholeText ? try judge?(text) : nil) ?? ShelfReader.Judgement()
        return (other.isBetter(than: best) ? other : best, other.reading.timings)
    }
}

extension SpineDivision.Part {
    /// Minimum word length, in letters, for a spine of an unknown book; shorter words are of stickers and of edges in
    /// the background.
    private static let leastLetters = 4

    /// Whether its lines are all that there seems to be: they take half of it or more, and no rest of a word stands
    /// alone.
    ///
    /// On the photo of real-dev-1, such lines gained nothing by a second reading.
    fileprivate var isComplete: Bool {
        let lines = reading.lines
        let length = lines.reduce(0) { $0 + max($1.quad.length, $1.quad.thickness) }
        return lines.letterCount >= 14 && 2 * length >= max(outline.length, outline.thickness)
            && !lines.contains { $0.text.count == 2 && $0.text.allSatisfy(\.isLetter) }
    }

    /// Whether its text has a whole word.
    var hasWord: Bool {
        reading.lines.contains { line in
            line.text.split { !$0.isLetter }.contains { $0.count >= Self.leastLetters }
        }
    }

    /// Whether it is an upright book, not a sticker, a sign, which is wider than high, or a piece of a book.
    fileprivate var isBook: Bool {
        judgement.certainty != .unknown || hasWord && outline.length < outline.thickness
    }

    /// Returns whether it is another reading of the same spine to be preferred: its book is surer, or it has more and
    /// surer characters and none speaks for another book.
    fileprivate func isBetter(than other: Self) -> Bool {
        func worth(_ reading: SpineReading) -> Double {
            reading.lines.reduce(0) { $0 + ReadLine.worth($1.text, confidence: $1.confidence) }
        }
        let (new, old) = (judgement.certainty, other.judgement.certainty)
        let isSame = new == .unknown || judgement.book == other.judgement.book
        return new.rawValue > old.rawValue || new == old && isSame && worth(reading) > worth(other.reading)
    }
}

/// Reading of a photo of shelves: the spines that were found, each with its text.
public struct ShelfReading: Sendable, Equatable {
    /// Row by row from the top, in each from left to right.
    public var spines: [ShelfSpine]
    /// All text of the photo, that of no spine included, in reading order; quads in the photo's pixels.
    public var text: [RecognizedLine] = []
    /// Inside the networks, and in all.
    public var timings: StageTimings
}

/// A spine on a photo.
public struct ShelfSpine: Sendable, Equatable {
    /// Row of books that contains the spine, from 1 at the top.
    public var row: Int
    /// Place in its row, from 1 at the left.
    public var index: Int
    /// Outline in the photo's pixels; corners clockwise from the photo's top left.
    public var outline: Quad
    /// Text of the spine, quads in the photo's pixels.
    public var reading: SpineReading

    /// Creates a spine from its parts: see the properties.
    public init(row: Int, index: Int, outline: Quad, reading: SpineReading) {
        (self.row, self.index, self.outline, self.reading) = (row, index, outline, reading)
    }
}
