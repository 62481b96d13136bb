import Basics
import Imaging
import Testing

@testable import SpineDatasets
@testable import SpineSynthesis

@Suite("Spine picture")
struct SpinePictureTests {
    /// Three heavy letters, then dots: most of the ink is at the begin of the text, and a T's bar at its top.
    private static let text = "TTT............"

    @Test(
        "text runs the way that its label says",
        arguments: [
            (TextBlock.Direction.down, Pose.standing, SampleOrientation.clockwise),
            (.up, .standing, .counterclockwise),
            (.across, .standing, .upright),
            (.down, .upsideDown, .counterclockwise),
            (.up, .upsideDown, .clockwise),
            (.across, .upsideDown, .inverted),
            (.down, .lying, .upright),
            (.up, .lying, .inverted),
            (.across, .lying, .counterclockwise),
        ]
    )
    func direction(_ direction: TextBlock.Direction, _ pose: Pose, _ expected: SampleOrientation) throws {
        let design = Spines.plain(Self.text, direction: direction, pose: pose)
        #expect(design.orientation == expected)
        let picture = try Spines.picture(design)
        let ink = picture.ink()
        try #require(ink.count > 30)
        let middle = try #require(picture.lines.first).quad.centre
        let read = ink.map { point -> (along: Double, down: Double) in
            let (x, y) = (point.x - middle.x, point.y - middle.y)
            return switch expected {
            case .upright: (x, y)
            case .clockwise: (y, -x)
            case .counterclockwise: (-y, x)
            case .inverted: (-x, -y)
            }
        }
        let before = read.filter { $0.along < 0 }
        #expect(before.count * 10 > ink.count * 6, "most of the ink lies in the first half of the line")
        #expect(before.count { $0.down < 0 } * 2 > before.count, "the letters' bars are at their tops")
    }

    @Test("a line's quad is the box around its ink, its first corner where the text begins")
    func quad() throws {
        let picture = try Spines.picture(Spines.plain("Hxgd", direction: .down))
        let quad = try #require(picture.lines.first).quad
        #expect(isNear(quad.corners.bounds, picture.ink().bounds))
        // Read downwards: the first corner is the image's top right.
        #expect(quad.topLeft.x > quad.bottomLeft.x && quad.topLeft.y < quad.topRight.y)
    }

    @Test(
        "the whole of a design's ink lies in its lines' quads, and each quad is full of it",
        arguments: SampleCategory.allCases
    )
    func groundTruth(_ category: SampleCategory) throws {
        let designer = try SpineDesigner(typefaces: Typeface.installed())
        for plan in SpinePlan.list(4, of: Book.all, SynthesisOptions(seed: 9, categories: [category: 1])) {
            var design = designer.design(plan)
            let printed = try Spines.picture(design, scale: 0.7)
            design.blocks = []
            let blank = try Spines.picture(design, scale: 0.7)
            // Enlarged for its small letters, the one has another size than the other.
            guard printed.image.width == blank.image.width else { continue }
            let boxes = printed.lines.map { $0.quad.corners.bounds.inset(by: -2.5) }
            var inks = boxes.map { _ in [Point]() }
            var strays: [Point] = []
            for index in 0..<printed.image.pixels.count / 3 {
                let different = (3 * index..<3 * index + 3).contains {
                    abs(Int(printed.image.pixels[$0]) - Int(blank.image.pixels[$0])) > 12
                }
                guard different else { continue }
                let (x, y) = (index % printed.image.width, index / printed.image.width)
                let pixel = Box(x: Double(x), y: Double(y), width: 1, height: 1)
                if let line = boxes.firstIndex(where: { $0.overlaps(pixel) }) {
                    inks[line].append(pixel.centre)
                } else {
                    strays.append(pixel.centre)
                }
            }
            // A shade around letters on an illustration is no ink.
            #expect(strays.isEmpty || design.style == "picture", "\(plan.book.title): ink at \(strays.prefix(3))")
            for (line, ink) in zip(printed.lines, inks) {
                #expect(isNear(ink.bounds, line.quad.corners.bounds, 4), "\(plan.book.title): \(line.text)")
            }
        }
    }

    @Test("a line too long for its room shrinks until all of it fits")
    func longLine() throws {
        let text = String(repeating: "Rendezvous ", count: 5) + "M"
        var design = Spines.plain(text, direction: .down)
        design.blocks[0].role = .publisher
        let picture = try Spines.picture(design)
        let quad = try #require(picture.lines.first).quad
        #expect(abs(quad.topRight.y - quad.topLeft.y - 240) < 2)
        #expect(abs(picture.ink().bounds.bottom - quad.topRight.y) < 3, "the last letter is there")
    }

    @Test("rows follow each other in reading order and small rows are smaller")
    func rows() throws {
        var design = Spines.plain("MARCH", "of the", "DAY", direction: .down)
        design.blocks[0].rows[1].scale = 0.5
        let lines = try Spines.picture(design).lines
        #expect(lines.map(\.text) == ["MARCH", "of the", "DAY"])
        // Read downwards, the rows go from right to left.
        #expect(lines[0].quad.bottomLeft.x > lines[1].quad.topLeft.x)
        #expect(lines[1].quad.bottomLeft.x > lines[2].quad.topLeft.x)
        #expect(abs(lines[1].size - lines[0].size / 2) < 0.001)
    }

    @Test(
        "a column of letters is one line, its quad the column's outline as for upright text; two words are two columns"
    )
    func column() throws {
        var design = Spines.plain("DUNE", direction: .across)
        design.blocks[0].isColumn = true
        let picture = try Spines.picture(design)
        #expect(picture.lines.map(\.text) == ["DUNE"] && design.orientation == .upright)
        let quad = try #require(picture.lines.first).quad
        #expect(isNear(quad.corners.bounds, picture.ink().bounds))
        // Four letters high and one wide.
        #expect(quad.bottomLeft.y - quad.topLeft.y > 3 * (quad.topRight.x - quad.topLeft.x))
        design.blocks[0].rows = ["IT", "IS"].map { TextBlock.Row(text: $0) }
        let lines = try Spines.picture(design).lines
        #expect(lines.map(\.text) == ["IT", "IS"] && lines[0].quad.bottomLeft.y < lines[1].quad.topLeft.y)
    }

    @Test(
        "every way of drawing letters leaves readable ink",
        arguments: [TextBlock.Effect.plain, .hollow(width: 0.05), .shaded(Colour(0xC0C0C0))]
    )
    func effects(_ effect: TextBlock.Effect) throws {
        var design = Spines.plain("HOME", direction: .down)
        design.blocks[0].effect = effect
        #expect(try Spines.picture(design).ink().count > 100)
    }

    @Test("the camera's scale is that of the picture, its quads and its letters", arguments: [0.5, 1.7])
    func scale(_ scale: Double) throws {
        let design = Spines.plain("HOME", direction: .down)
        let (whole, scaled) = (try Spines.picture(design), try Spines.picture(design, scale: scale))
        #expect(abs(scaled.outline.length - 60 * scale) < 1)
        let (line, wholeLine) = (try #require(scaled.lines.first), try #require(whole.lines.first))
        #expect(abs(line.size - wholeLine.size * scale) < 0.5)
        #expect(isNear(line.quad.corners.bounds, scaled.ink().bounds))
    }

    @Test("titles are not photographed in letters below 13 pixels, and publishers may be")
    func smallestLetters() throws {
        var design = Spines.plain("HOME", direction: .down)
        #expect(try abs(#require(Spines.picture(design, scale: 0.1).lines.first).size - 13) < 0.01)
        design.blocks[0].role = .publisher
        #expect(try #require(Spines.picture(design, scale: 0.1).lines.first).size < 13)
    }

    @Test("the same design and camera give the same bytes, another seed others")
    func determinism() throws {
        var design = Spines.plain("Emma", direction: .up)
        design.cover.grain = 1
        let everything = Dictionary(uniqueKeysWithValues: Effect.allCases.map { ($0, 0.8) })
        let first = try Spines.picture(design, everything)
        #expect(try Spines.picture(design, everything) == first)
        design.seed += 1
        #expect(try Spines.picture(design, everything).image != first.image)
    }

    @Test("what cannot be drawn is refused with what was wrong")
    func refusals() {
        #expect(throws: SynthesisError.drawing("the text “ ” leaves no mark")) {
            try Spines.picture(Spines.plain(" ", direction: .down))
        }
        // DejaVu Sans has no Chinese characters, and no other font may step in.
        #expect(throws: SynthesisError.missingGlyphs(family: "DejaVu Sans", text: "書")) {
            try Spines.picture(Spines.plain("書", direction: .down))
        }
    }

    @Test("widths stay in their range, half of them in its first two fifths by logarithm")
    func widths() {
        var generator = SplitMix64(state: 1)
        let widths = (0..<2000).map { _ in SpinePicture.width(in: 30...300, &generator) }
        #expect(widths.allSatisfy { (30...300).contains($0) })
        // 30 × 10^(0.5^1.2) = 30 × 10^0.435 = 81.7.
        #expect(abs(widths.sorted()[1000] - 81.7) < 4)
        #expect(SpinePicture.width(in: 40...40, &generator) == 40)
    }
}

@Suite("Labels of drawn spines")
struct SpineLabelTests {
    private func line(_ text: String, _ role: LineRole, size: Double) -> DrawnLine {
        DrawnLine(text: text, role: role, quad: Quad(left: 0, top: 0, right: 1, bottom: 1), font: "Lato", size: size)
    }

    @Test(
        "a title is legible when its letters are large enough for their blur and contrast",
        arguments: [
            // Sharp: the smallest certain size is 11.
            (11.0, 21, 0, true), (10.9, 21, 0, false),
            // 1.5 × 12 = 18 pixels at a contrast of 3; 1.5 × 16 = 24 at 2; 1.5 × 8.4 = 12.6 at 21.
            (18.1, 3, 1.5, true), (17.9, 3, 1.5, false), (23.9, 2, 1.5, false), (24.1, 2, 1.5, true),
            (12.5, 21, 1.5, false), (12.7, 21, 1.5, true),
            // No contrast.
            (200, 1, 1.5, false),
        ] as [(Double, Double, Double, Bool)]
    )
    func legible(_ size: Double, _ contrast: Double, _ blur: Double, _ expected: Bool) {
        let lines = [line("EMMA", .title, size: size), line("Austen", .author, size: 5)]
        #expect(lines.isTitleReadable(contrast: contrast, blurSigma: blur) == expected)
    }

    @Test("without a title nothing is legible")
    func noTitle() {
        #expect(![line("Austen", .author, size: 50)].isTitleReadable(contrast: 21, blurSigma: 0))
        #expect(![DrawnLine]().isTitleReadable(contrast: 21, blurSigma: 0))
    }

    @Test("the transcription leaves out small print and has stickers")
    func transcription() {
        let lines = [
            line("EMMA", .title, size: 20), line("Northwick", .publisher, size: 10.9), line("FIC", .sticker, size: 11),
        ]
        #expect(lines.certainText == "EMMA FIC")
    }

    @Test(
        "the author is what is printed, with small letters where the book has them",
        arguments: [
            (["GRASS"], "Grass"), (["GÜNTER", "GRASS"], "Günter Grass"), (["Günter Grass"], "Günter Grass"),
            ([], nil), (["G. Grass"], "G. Grass"),
        ] as [([String], String?)]
    )
    func author(_ printed: [String], _ expected: String?) {
        let book = Book("Krebsgang", "Günter Grass", "Grass", .german)
        #expect(book.author(asPrintedIn: printed.map { line($0, .author, size: 20) }) == expected)
    }

    @Test("capitals of a name with ß are that name")
    func sharpS() {
        let book = Book("Der junge Mann", "Botho Strauß", "Strauß", .german)
        #expect(book.author(asPrintedIn: [line("BOTHO STRAUSS", .author, size: 20)]) == "Botho Strauß")
    }
}
