import Imaging
import TestSupport
import Testing

@testable import TextRecognition

/// Returns downward text of an upright book.
private func standing(_ text: String, x: Double, y: Double, width: Double = 20, height: Double = 200) -> ReadLine {
    ReadLine(
        quad: quad([(x + width, y), (x + width, y + height), (x, y + height), (x, y)]),
        recognition: LineRecognition(text: text, confidence: 0.95)
    )
}

private func level(_ text: String, x: Double, y: Double, width: Double = 120, height: Double = 20) -> ReadLine {
    ReadLine(quad: box(x, y, width, height), recognition: LineRecognition(text: text, confidence: 0.95))
}

/// Returns books of 60 columns side by side from column 100 on, each of another grey value, on a white wall.
private func books(_ count: Int, from top: Int = 50, to bottom: Int = 350) -> RasterImage {
    image(200 + 60 * count, 400) { x, y in
        let book = (x - 100) / 60
        guard x >= 100, book < count, (top..<bottom).contains(y) else { return 255 }
        return book % 2 == 0 ? 60 : 120
    }
}

private let recognizer = ScriptedRecognizer(text: "")

@Suite struct ShelfRowTests {
    @Test(
        arguments: [
            (
                [
                    standing("one", x: 10, y: 20), standing("two", x: 50, y: 30), standing("three", x: 10, y: 420),
                    standing("four", x: 90, y: 400),
                ],
                [["one", "two"], ["three", "four"]]
            ),
            // Level text between rows is nobody's.
            (
                [
                    standing("one", x: 10, y: 20), standing("two", x: 10, y: 420), level("796 ESPORTS", x: 20, y: 300),
                    level("Ash", x: 60, y: 100, width: 30),
                ],
                [["one", "Ash"], ["two"]]
            ),
            // Without standing text there is no row.
            ([level("WELCOME", x: 5, y: 5)], []), ([], []),
        ] as [([ReadLine], [[String]])]
    )
    func booksAboveOneAnotherStandInRowsOfTheirOwn(lines: [ReadLine], rows: [[String]]) {
        let found = ShelfRow.rows(of: lines, width: 200, height: 800)
        #expect(found.map { $0.lines.map(\.recognition.text) } == rows)
        #expect(found.allSatisfy { $0.lean == 0 })
    }

    @Test func aTiltedRowIsOne() {
        // The camera is turned by atan 0.2: text leans 20 columns in 100 rows, the board rises 20 rows in 100 columns.
        let lines = (0..<20).map { number in
            let (x, y) = (Double(number) * 60, 500 - Double(number) * 12)
            return ReadLine(
                quad: quad([(x + 20, y), (x + 60, y + 200), (x + 40, y + 204), (x, y + 4)]),
                recognition: LineRecognition(text: "\(number)", confidence: 1)
            )
        }
        let found = ShelfRow.rows(of: lines, width: 1300, height: 800)
        #expect(found.count == 1)
        #expect(found.first?.lines.count == 20)
        #expect(abs((found.first?.lean ?? 0) - 0.2) < 1e-9)
    }
}

@Suite struct SpineSeparatorsTests {
    @Test func edgesFromTopToBottomSeparate() throws {
        let lines = (0..<3).map { standing("book \($0)", x: 120 + 60 * Double($0), y: 80) }
        let row = try #require(ShelfRow.rows(of: lines, width: 380, height: 400).first)
        let strong = SpineSeparators(row: row, image: books(3)).all.filter { $0.support > 0.8 }
        // The borders of the books: columns 100, 160, 220 and 280.
        #expect(strong.count == 4)
        for (separator, column) in zip(strong, [100.0, 160, 220, 280]) {
            #expect(abs(separator.middle - column) <= 2)
            #expect(abs(separator.top - separator.bottom) <= 4)
        }
    }

    @Test func noSeparatorCutsText() throws {
        // A stripe of another grey value down the middle of the text.
        let striped = image(300, 400) { x, _ in (148..<152).contains(x) ? 0 : 200 }
        let row = try #require(
            ShelfRow.rows(
                of: [standing("across the stripe", x: 130, y: 50, width: 40, height: 300)],
                width: 300,
                height: 400
            )
            .first
        )
        #expect(SpineSeparators(row: row, image: striped).all.allSatisfy { abs($0.middle - 150) > 8 })
    }
}

@Suite struct SpineDivisionTests {
    private func parts(
        _ lines: [ReadLine],
        on image: RasterImage,
        judge: ShelfReader.Judge? = nil
    ) throws -> [SpineDivision.Part] {
        let row = try #require(ShelfRow.rows(of: lines, width: image.width, height: image.height).first)
        let separators = SpineSeparators(row: row, image: image)
        return try SpineDivision(row: row, separators: separators, line: recognizer.line, judge: judge).best()
    }

    private func texts(_ parts: [SpineDivision.Part]) -> [[String]] { parts.map { $0.reading.lines.map(\.text) } }

    @Test func booksAreDividedAtTheirEdges() throws {
        let lines = (0..<4).map { standing("Title \($0)", x: 120 + 60 * Double($0), y: 80) }
        let found = try parts(lines, on: books(4))
        #expect(texts(found) == [["Title 0"], ["Title 1"], ["Title 2"], ["Title 3"]])
        for (number, part) in found.enumerated() {
            #expect(abs(part.outline.topLeft.x - Double(100 + 60 * number)) <= 3)
            #expect(abs(part.outline.bottomRight.x - Double(160 + 60 * number)) <= 3)
        }
    }

    @Test func booksThatTheirTextFillsAreDivided() throws {
        // Letters over 52 of a spine's 60 columns, as on paperbacks of a series.
        let lines = (0..<6).map { standing("SERIES \($0)", x: 104 + 60 * Double($0), y: 80, width: 52) }
        #expect(try texts(parts(lines, on: books(6))).map(\.count) == [1, 1, 1, 1, 1, 1])
    }

    @Test func aThinBookBetweenLargeOnesIsOne() throws {
        // Books of 100, 100, 24, 100 and 100 columns from column 50 on.
        let borders = [50, 150, 250, 274, 374, 474]
        let picture = image(524, 400) { x, y in
            guard (50..<350).contains(y), let next = borders.firstIndex(where: { x < $0 }), next > 0 else { return 255 }
            return next % 2 == 0 ? 60 : 120
        }
        let lines = [(70.0, 60.0), (170, 60), (254, 16), (294, 60), (394, 60)].enumerated().map {
            standing("BOOK \($0)", x: $1.0, y: 80, width: $1.1)
        }
        #expect(try texts(parts(lines, on: picture)) == (0..<5).map { ["BOOK \($0)"] })
    }

    @Test func linesOfOneSpineStayTogether() throws {
        // Title and author beside one another on a wide spine, with no edge between them.
        let lines = [standing("Moby-Dick", x: 130, y: 60), standing("Herman Melville", x: 106, y: 60)]
        #expect(try texts(parts(lines, on: books(1))) == [["Moby-Dick", "Herman Melville"]])
    }

    @Test func theCatalogueDividesWhatNoEdgeDoes() throws {
        // Two books of one colour: only the catalogue knows that no book has both titles.
        let plain = image(400, 400) { x, y in (100..<220).contains(x) && (50..<350).contains(y) ? 60 : 255 }
        let lines = [standing("First Book", x: 120, y: 80), standing("Second Book", x: 180, y: 80)]
        let known: [String: Int64] = ["First Book": 1, "Second Book": 2]
        let found = try parts(lines, on: plain) { lines in
            let book = lines.count == 1 ? known[lines[0].text] : nil
            return ShelfReader.Judgement(book: book, probability: book == nil ? 0.1 : 0.95)
        }
        #expect(texts(found) == [["First Book"], ["Second Book"]])
        #expect(found.map(\.judgement.book) == [1, 2])
    }

    @Test func piecesOfOneBookAreJoinedAndCopiesAreNot() throws {
        func judge(whole: Double) -> ShelfReader.Judge {
            { lines in ShelfReader.Judgement(book: 7, probability: lines.count == 1 ? 0.85 : whole) }
        }
        let lines = [standing("The Steep Approach", x: 120, y: 80), standing("to Garbadale", x: 180, y: 80)]
        #expect(try parts(lines, on: books(2), judge: judge(whole: 0.99)).count == 1)
        #expect(try parts(lines, on: books(2), judge: judge(whole: 0.85)).count == 2)
    }

    @Test func whatTheJudgeThrowsIsThrown() {
        struct Failure: Error {}
        let lines = [standing("Title", x: 120, y: 80)]
        #expect(throws: Failure.self) { try parts(lines, on: books(1)) { _ in throw Failure() } }
    }
}

@Suite struct SpineEndsTests {
    @Test func aSpineEndsWhereItsColourDoes() {
        let picture = books(1, from: 70, to: 320)
        let found = SpineEnds(image: picture).trimmed(box(100, 20, 60, 370), around: [box(120, 100, 20, 150)])
        #expect(abs(found.topLeft.y - 70) <= 3)
        #expect(abs(found.bottomRight.y - 320) <= 3)
        #expect(found.topLeft.x == 100 && found.bottomRight.x == 160)
    }

    @Test func withoutEdgesAnOutlineStays() {
        let plain = image(300, 400) { _, _ in 128 }
        let outline = box(100, 20, 60, 370)
        #expect(SpineEnds(image: plain).trimmed(outline, around: [box(120, 100, 20, 150)]) == outline)
    }
}

@Suite struct SpineStackTests {
    private func judge(_ known: Set<String>) -> ShelfReader.Judge {
        { lines in
            known.contains(lines.map(\.text).joined(separator: " "))
                ? ShelfReader.Judgement(book: 1, probability: 0.9, certainty: .sure) : ShelfReader.Judgement()
        }
    }

    /// Three books on one another, 40 rows each, in other shades.
    private let pile = image(500, 160) { _, y in [220, 60, 180, 20][y / 40] }
    private let lines = [
        level("The Soul of", x: 100, y: 50), level("the World", x: 230, y: 50), level("Other World", x: 100, y: 90),
        level("7", x: 100, y: 130),
    ]

    private func titles(_ lines: [ReadLine], known: Set<String>, place: SpineStack.Place) throws -> [[String]] {
        try SpineStack.stacks(of: lines).flatMap {
            try $0.parts(on: pile, line: recognizer.line, judge: judge(known), place: place)
        }.map { $0.reading.lines.map(\.text) }
    }

    @Test func aKnownBookVouchesForItsNeighboursOnTheBoard() throws {
        #expect(SpineStack.stacks(of: lines).count == 1)
        let known: Set<String> = ["The Soul of the World"]
        let soul = ["The Soul of", "the World"]
        #expect(try titles(lines, known: known, place: .onBoard) == [soul, ["Other World"]])
        #expect(try titles(lines, known: known, place: .above) == [soul])
        #expect(try titles(lines, known: [], place: .onBoard).isEmpty)
    }

    @Test func aLyingLineStaysWithTheStageThatReadIt() throws {
        var lines = lines
        lines[2].isReread = true
        let stack = try #require(SpineStack.stacks(of: lines).first)
        let parts = try stack.parts(
            on: pile,
            line: { line in
                var read = recognizer.line(line)
                read.network = line.isReread ? "better" : "quick"
                return read
            },
            judge: nil,
            place: .alone
        )
        #expect(parts.map { $0.reading.lines.map(\.network) } == [["quick", "quick"], ["better"]])
    }

    @Test func wordsAcrossABookThatLiesAreItsOwn() throws {
        // A publisher across the end of the second book, inside the stack.
        let across = standing("TOR", x: 325, y: 90, width: 10, height: 20)
        let stack = try #require(SpineStack.stacks(of: lines + [across]).first)
        #expect(stack.lines.count == 5)
        let found = try stack.parts(on: pile, line: recognizer.line, judge: nil, place: .alone)
        #expect(
            found.map { Set($0.reading.lines.map(\.text)) } == [["The Soul of", "the World"], ["Other World", "TOR"]]
        )
    }

    @Test func aTiltedPileIsDividedWithoutACatalogue() throws {
        // Books of 40 rows that fall 4 rows in 100 columns.
        let tilted = image(600, 300) { x, y in
            let row = Double(y) - 0.04 * Double(x)
            return row < 40 || row >= 240 ? 250 : Int(row / 40) % 2 == 0 ? 60 : 120
        }
        let lines = (0..<5).map { number in
            let (x, y) = (100.0 + 10 * Double(number), 54.0 + 40 * Double(number) + 0.04 * (100 + 10 * Double(number)))
            return ReadLine(
                quad: quad([(x, y), (x + 300, y + 12), (x + 300, y + 26), (x, y + 14)]),
                recognition: LineRecognition(text: "NUMBER \(number)", confidence: 0.95)
            )
        }
        let stack = try #require(SpineStack.pile(of: lines))
        let found = try stack.parts(on: tilted, line: recognizer.line, judge: nil, place: .alone)
        #expect(found.map { $0.reading.lines.map(\.text) } == (0..<5).map { ["NUMBER \($0)"] })
        #expect(found.allSatisfy { $0.outline.topLeft.y < $0.outline.topRight.y })
    }

    @Test func aPageOfTextIsNoPile() throws {
        let page = image(500, 400) { _, _ in 250 }
        let lines = (0..<8).map { level("a sentence that goes on", x: 60, y: 40 + 40 * Double($0), width: 380) }
        let stack = try #require(SpineStack.pile(of: lines))
        #expect(try stack.parts(on: page, line: recognizer.line, judge: nil, place: .alone).isEmpty)
        #expect(SpineStack.pile(of: [standing("A BOOK", x: 20, y: 0), level("IT", x: 20, y: 300)]) == nil)
    }

    @Test func outlinesAreOfBooksThatLie() throws {
        let stack = try #require(SpineStack.stacks(of: lines).first)
        let judge = judge(["The Soul of the World", "Other World"])
        let found = try stack.parts(on: pile, line: recognizer.line, judge: judge, place: .onBoard)
        #expect(found.count == 2)
        for (outline, top) in zip(found.map(\.outline), [40.0, 80]) {
            #expect(outline.topLeft.x < outline.topRight.x && outline.topLeft.y < outline.bottomLeft.y)
            #expect(abs(outline.topLeft.y - top) <= 3 && abs(outline.bottomLeft.y - top - 40) <= 3)
        }
    }

    @Test func wordsAcrossASpineThatStandsAreNoStack() {
        let between = standing("STANDING", x: 120, y: 20, height: 120)
        #expect(SpineStack.stacks(of: lines + [between]).isEmpty)
        #expect(SpineStack.stacks(of: []).isEmpty)
        let row = ShelfRow([standing("A BOOK", x: 20, y: 0, height: 800)], width: 500, height: 800)
        #expect(SpineStack.stacks(of: lines).map { $0.isIn(row) } == [false])
    }
}

@Suite struct ShelfReaderTests {
    private func reader(_ detector: ScriptedDetector, _ words: ScriptedRecognizer = recognizer) -> ShelfReader {
        let look = Look(frame: .turned, shortSide: 96, longSide: 1024)
        let reader = SpineReader(detector: detector, recognizer: words, configuration: .init(firstLook: look))
        return ShelfReader(detector: detector, reader: reader)
    }

    /// Returns a detector of upright lines on a photo, which is searched turned to the left.
    private func detector(_ lines: [ReadLine], on picture: RasterImage) -> ScriptedDetector {
        let found = lines.map { line in
            line.quad.mapped { QuarterTurn.counterclockwise.map($0, width: picture.width, height: picture.height) }
        }
        return ScriptedDetector { $0.width == picture.height ? found : [] }
    }

    @Test(arguments: [(1, 1), (31, 4000), (500, 20)])
    func whatIsTooSmallHasNoSpines(width: Int, height: Int) throws {
        let detector = ScriptedDetector(lines: [])
        #expect(try reader(detector).read(image(width, height) { _, _ in 9 }).spines.isEmpty)
        #expect(detector.received.isEmpty)
    }

    @Test func booksAreNumberedByRowAndPlace() throws {
        let detector = detector([120.0, 180].map { standing("", x: $0, y: 80) }, on: books(2))
        let reading = try reader(detector, ScriptedRecognizer(text: "HARBOUR", confidence: 0.95)).read(books(2))
        #expect(reading.spines.map { [$0.row, $0.index] } == [[1, 1], [1, 2]])
        #expect(reading.spines.allSatisfy { $0.reading.lines.map(\.text) == ["HARBOUR"] })
        #expect(reading.spines.allSatisfy { $0.reading.orientation == .clockwise })
    }

    @Test func aRowOfTextWithoutBooksDoesNotCount() throws {
        // Figures on the white wall, and two books below them.
        let picture = image(320, 800) { x, y in
            (100..<220).contains(x) && (410..<710).contains(y) ? x < 160 ? 60 : 120 : 255
        }
        let found = [standing("", x: 120, y: 80), standing("", x: 120, y: 480), standing("", x: 180, y: 480)]
        let words = ScriptedRecognizer { line in
            LineRecognition(text: (line.pixels.max() ?? 0) > 200 ? "12" : "HARBOUR", confidence: 0.95)
        }
        let reading = try reader(detector(found, on: picture), words).read(picture)
        #expect(reading.spines.map { [$0.row, $0.index] } == [[1, 1], [1, 2]])
    }

    @Test func linesThatRunUpwardsAreReadThatWayFirst() throws {
        let picture = image(920, 400) { _, y in UInt8(y / 2) }
        let found = (0..<12).map { standing("", x: 60 * Double($0), y: 80, height: 200 + Double($0)) }
        let detector = detector(found, on: picture)
        // The photo is bright at the bottom, where the text of each line begins.
        let words = ScriptedRecognizer { line in
            LineRecognition(text: "PORT", confidence: line.pixels[0] > (line.pixels.last ?? 0) ? 0.95 : 0.3)
        }
        var search = ShelfSearch(shelf: reader(detector, words), image: picture, judge: nil)
        let lines = try search.lines { _ in }
        // The eight largest both ways, the four others upwards only.
        #expect(words.received.map(\.count) == [8, 8, 4])
        #expect(lines.count == 12 && lines.allSatisfy { $0.quad.orientation == .counterclockwise })
    }

    @Test func doubtfulLinesAreReadByTheSecondStage() throws {
        func stage(_ name: String, _ script: ScriptedRecognizer) -> SpineReader {
            let look = Look(frame: .turned, shortSide: 96, longSide: 1024)
            return SpineReader(
                detector: ScriptedDetector(lines: [box(10, 10, 200, 30)]),
                recognizer: NamedRecognizer(network: name, script: script),
                configuration: SpineReaderConfiguration(firstLook: look)
            )
        }
        // The second book, and the sign above both, are brighter than the first book.
        let quick = ScriptedRecognizer { line in
            let isSure = line.pixels[line.pixels.count / 2] < 100
            return LineRecognition(text: isSure ? "HARBOUR" : "L1GHTS", confidence: isSure ? 0.95 : 0.7)
        }
        let better = ScriptedRecognizer(text: "LIGHTS", confidence: 0.9)
        let found = [120.0, 180].map { standing("", x: $0, y: 80) } + [level("", x: 120, y: 10)]
        let staged = StagedReader(first: stage("quick", quick), then: stage("better", better), gate: .lines)
        let detector = detector(found, on: books(2))
        let reading = try ShelfReader(detector: detector, reader: staged.then, staged: staged).read(books(2))
        #expect(reading.spines.map { $0.reading.lines.map(\.text) } == [["HARBOUR"], ["LIGHTS"]])
        #expect(reading.spines.flatMap { $0.reading.lines.map(\.network) } == ["quick", "better"])
        // The sign first, and the spine's line on the spine.
        #expect(reading.text.map(\.text).sorted() == ["HARBOUR", "L1GHTS", "LIGHTS"])
        #expect(better.received.map(\.count) == [1, 1])
    }

    private func reread(_ lines: [RecognizedLine], as text: String, judge: ShelfReader.Judge?) throws -> [String] {
        let detector = ScriptedDetector { _ in [box(10, 10, 200, 30)] }
        let words = ScriptedRecognizer(text: text, confidence: 0.99)
        var search = ShelfSearch(shelf: reader(detector, words), image: books(1), judge: judge)
        let judgement = try judge?(lines) ?? ShelfReader.Judgement()
        let part = SpineDivision.Part(lines, outline: box(100, 50, 60, 300), judgement)
        return try search.reread([part]) { _ in }.flatMap { $0.reading.lines.map(\.text) }
    }

    private func line(_ text: String, confidence: Double, y: Double, height: Double) -> RecognizedLine {
        RecognizedLine(
            text: text,
            confidence: confidence,
            quad: quad([(150, y), (150, y + height), (110, y + height), (110, y)])
        )
    }

    @Test func doubtfulTextIsReadAtTheSpinesOwnScale() throws {
        let doubtful = line("HABUR", confidence: 0.7, y: 60, height: 200)
        #expect(try reread([doubtful], as: "HARBOUR", judge: nil) == ["HARBOUR"])
        let sure = line("HARBOUR", confidence: 0.98, y: 60, height: 200)
        let judge: ShelfReader.Judge = { _ in ShelfReader.Judgement(book: 1, probability: 0.9, certainty: .sure) }
        #expect(try reread([sure], as: "ANOTHER TEXT", judge: judge) == ["HARBOUR"])
    }

    @Test(
        arguments: [
            // Half of the spine's 300 pixels, and 14 letters: all that there is.
            ("A CLEAR LONG TITLE", 160.0, ["A CLEAR LONG TITLE"]),
            ("A CLEAR LONG TITLE", 140, ["ANOTHER, LONGER TEXT"]),
            ("HARBOUR", 200, ["ANOTHER, LONGER TEXT"]),
        ]
    )
    func aClearTextIsReadAgainIfThereMayBeMore(text: String, height: Double, read: [String]) throws {
        let clear = line(text, confidence: 0.98, y: 60, height: height)
        #expect(try reread([clear], as: "ANOTHER, LONGER TEXT", judge: nil) == read)
    }

    @Test func linesAtTheTopAreLeftOutOnlyForASureBook() throws {
        let lines = [
            line("BEHIND", confidence: 0.98, y: 60, height: 60),
            line("THE LONG TITLE", confidence: 0.98, y: 130, height: 200),
        ]
        func judge(_ certainty: ShelfReader.Judgement.Certainty) -> ShelfReader.Judge {
            { lines in
                lines.count == 1 && lines[0].text == "THE LONG TITLE"
                    ? ShelfReader.Judgement(book: 1, probability: 0.9, certainty: certainty) : ShelfReader.Judgement()
            }
        }
        #expect(try reread(lines, as: "", judge: judge(.sure)) == ["THE LONG TITLE"])
        #expect(try reread(lines, as: "", judge: judge(.known)) == ["BEHIND", "THE LONG TITLE"])
    }
}
