import Basics
import Foundation
import Imaging
import SpineDatasets

/// Shelf to draw: its books from the top left, and the chance.
struct ShelfPlan: Sendable, Equatable {
    var books: [SpinePlan]
    var seed: UInt64

    private static let mostOnBoard = 27

    var boards: [[SpinePlan]] {
        let count = max(1, (books.count + Self.mostOnBoard - 1) / Self.mostOnBoard)
        return (0..<count).map { Array(books[books.count * $0 / count..<books.count * ($0 + 1) / count]) }
    }

    /// Fullness of the shelves, in turn.
    private static let fullness = [0, 0.04, 0.2, 0.32, 0.4, 0.6, 0.8, 1]

    /// On shelves, most books are placed head up.
    private static let categories: [SampleCategory] =
        Array(repeating: .vertical, count: 12) + Array(repeating: .stylized, count: 6)
        + [.inverted, .inverted, .mixed, .mixed, .horizontal]

    /// Returns the first plans of an endless list: a larger `count` begins with the same ones.
    ///
    /// No book appears twice on one shelf as long as there are enough of them.
    static func list(_ count: Int, of books: [Book], _ options: SynthesisOptions) -> [ShelfPlan] {
        // Another sequence than that of the spines, which have the seed itself.
        var generator = SplitMix64(state: options.seed ^ 0x5348_454C_5645_5321)
        let standing = Recipe.all.filter { $0.pose != .lying }
        return (0..<max(0, count)).map { index in
            var own = generator.split()
            let range = options.booksPerShelf
            let share = fullness[index % fullness.count]
            // Photos of very many books are rare.
            let most = range.upperBound > mostOnBoard ? share * share : share
            let least = share > 0 && range.lowerBound == 0 ? 1.0 : 0
            let fill = max(least, most * Double(range.upperBound - range.lowerBound))
            var sampler = BookSampler(books)
            let plans = (0..<range.lowerBound + Int(fill.rounded())).map { _ in
                let category = own.element(of: categories)
                let recipes = standing.filter { $0.category == category }
                let recipe = own.element(of: recipes.flatMap { Array(repeating: $0, count: $0.weight) })
                return SpinePlan(book: sampler.draw(for: recipe, &own), recipe: recipe, seed: own.next())
            }
            return ShelfPlan(books: plans, seed: own.next())
        }
    }
}

/// Design of a shelf's photograph, in the pixels of a flat picture of it, seen straight on.
struct ShelfDesign: Sendable {
    var width: Double
    var height: Double
    /// Upper edges of the boards that books are placed on, and their thickness.
    var floors: [Double]
    var board: Double
    /// Books from left to right, those of a pile from top to bottom, board by board from the top.
    var books: [(plan: SpinePlan, spine: PlacedSpine)]
    var camera: Camera
    var seed: UInt64

    private static let tallest = 1_150.0
    /// Surroundings at each side that the camera may tilt within, in pixels.
    static let margin = 120.0
    /// Megapixels of photos of several boards, chosen at random: from a messenger's copy to a phone's photo.
    private static let megapixels = [1.5, 2, 3, 4, 6, 12]

    init(_ plan: ShelfPlan, _ designer: SpineDesigner) {
        var generator = SplitMix64(state: plan.seed)
        let boards = plan.boards
        // More books require a wider view, in which they remain legible.
        let isOne = boards.count == 1
        let content = isOne ? generator.number(in: 1_900...2_300) + 25 * Double(plan.books.count) : 2_500
        width = (content + 2 * Self.margin).rounded()
        board = (Self.tallest * generator.number(in: 0.04...0.07)).rounded()
        (height, floors, books) = (0, [], [])
        for plans in boards {
            let row = Self.row(plans, designer, &generator)
            let arrangement = ShelfArrangement(row.map(\.item))
            // An overfull row is drawn smaller, a short one leaves some of the board free.
            let most = content * generator.number(in: 0.93...0.99) / max(arrangement.width, 0.01)
            let scale = min(Self.tallest * generator.number(in: 0.85...1), most)
            let floor = (height + Self.margin + 1.06 * scale + 60).rounded()
            let start = Self.margin + (content - arrangement.width * scale) * generator.number(in: 0...0.6)
            for ((plan, design, item), place) in zip(row, arrangement.places) {
                let spine = PlacedSpine(
                    design: design,
                    centre: Point(x: start + place.x * scale, y: floor - place.y * scale),
                    turn: place.turn + (design.pose == .upsideDown ? .pi : 0),
                    scale: item.length * scale / design.cover.height
                )
                books.append((plan, spine))
            }
            floors.append(floor)
            height = floor + board
        }
        height = (height + 0.8 * Self.margin).rounded()
        camera = Camera(&generator)
        seed = generator.next()
        // Photographs of shelves are taken from afar, without a reflection on each spine.
        for effect in [Effect.glare, .shadow, .zoom] { camera.strengths[effect] = nil }
        camera.strengths[.motion] = min(0.3, camera[.motion])
        guard !isOne else { return }
        // Less than a megapixel a board is a stamp.
        let pixels = max(generator.element(of: Self.megapixels), Double(boards.count)) * 1e6
        camera.scale = min(1, (pixels / (width * height)).squareRoot())
        camera.strengths[.curve] = nil
    }

    private typealias Row = [(plan: SpinePlan, design: SpineDesign, item: ShelfArrangement.Item)]

    /// Returns the books of a board: most upright, some leaning, and sometimes the last ones on a pile.
    private static func row(
        _ plans: [SpinePlan],
        _ designer: SpineDesigner,
        _ generator: inout SplitMix64
    ) -> Row {
        let count = plans.count
        let piled =
            count >= 5 && count <= 15 && generator.chance(0.5) ? generator.integer(in: 2...min(4, count - 3)) : 0
        let lying = Recipe.all.first { $0.pose == .lying && $0.layout == .along }
        var row: Row = []
        for (index, plan) in plans.enumerated() {
            var plan = plan
            let (isPiled, isLast) = (index >= count - piled, index == count - piled - 1)
            if isPiled, let lying { plan.recipe = lying }
            let design = designer.design(plan)
            let length = generator.number(in: generator.chance(0.5) ? 0.68...0.8 : 0.8...1)
            var item = ShelfArrangement.Item(
                thickness: length * design.cover.width / design.cover.height,
                length: length
            )
            let (previous, draw) = (row.last?.item.lean, generator.nextDouble())
            let lean = generator.number(in: 0.05...0.2)
            if isPiled {
                (item.lies, item.gap) = (true, generator.number(in: 0.04...0.12))
            } else if let previous, previous < 0, !isLast {
                item.gap = generator.number(in: 0.01...0.15)
            } else if previous == 0 {
                // A single book is upright because it is thick enough, or supported.
                if draw < (isLast ? 0.4 : 0.06) {
                    item.lean = -lean
                } else if draw < (isLast ? 0.45 : 0.11) {
                    item.gap = generator.number(in: 0.05...0.3)
                    if !isLast, generator.chance(0.6) { item.lean = lean }
                }
            }
            row.append((plan, design, item))
        }
        return row
    }

    /// Frame of the photograph, clockwise from its top left.
    var frame: Quad {
        let view = Box(x: 0, y: 0, width: width, height: height).inset(by: Self.margin / 2)
        return camera.frame(of: view, margin: Self.margin / 2)
    }

    /// Returns the photograph, and each book's printed lines and outline in it.
    func photograph() throws(SynthesisError) -> (image: RasterImage, books: [(lines: [DrawnLine], quad: Quad)]) {
        let canvas = try Canvas(width: Int(width), height: Int(height))
        var generator = SplitMix64(state: seed)
        try paintFurniture(on: canvas, &generator)
        var lines: [[DrawnLine]] = []
        var upright: [(SpineLight, Box)] = []
        for (number, spine) in books.map(\.spine).enumerated() {
            let light = SpineLight(camera, number: number + 1)
            lines.append(try spine.paint(on: canvas, light))
            let isUpright = spine.turn.truncatingRemainder(dividingBy: .pi) == 0
            if isUpright, light.halfAngle > 0 { upright.append((light, spine.corners.bounds)) }
            // The edges turn away from the light, and books that were pushed in get less of it.
            let box = spine.design.cover.box
            canvas.placed(box, at: spine.centre, turn: spine.turn, scale: spine.scale) {
                canvas.fill(box, .black, opacity: generator.number(in: 0...0.18))
                canvas.shade(box, [0.7] + Array(repeating: 0.0, count: 19) + [0.7], down: false)
            }
        }
        let (image, projection) = try camera.photograph(canvas, frame: frame, spines: upright)
        let drawn = zip(books, lines).map { book, lines in
            (
                lines.map { $0.moved(scale: camera.scale, projection.photo(of:)) },
                projection.photo(of: book.spine.outline)
            )
        }
        return (image, drawn)
    }

    /// Draws the back, the boards, and the shadows of the books on the back.
    private func paintFurniture(on canvas: Canvas, _ generator: inout SplitMix64) throws(SynthesisError) {
        let (back, colour) = (generator.element(of: Palette.walls), generator.element(of: Palette.furniture))
        var top = 0.0
        for floor in floors {
            // Light comes from the room: the back is in the shade of the board above and of the books.
            let tones = [0.6, 0.25, 0.35].map { back.mixed(with: .black, share: $0) }
            canvas.fill(Box(x: 0, y: top, width: width, height: floor - top), gradient: tones, down: true)
            top = floor + board
            let plank = Box(x: 0, y: floor, width: width, height: board)
            let planks = [colour.mixed(with: .white, share: 0.12), colour, colour.mixed(with: .black, share: 0.25)]
            canvas.fill(plank, gradient: planks, down: true)
            try canvas.noise(in: plank, cellWidth: 300, cellHeight: 3) {
                (generator.chance(0.5) ? .white : .black, 0.25 * generator.nextDouble())
            }
            canvas.shade(Box(x: 0, y: floor, width: width, height: 7), [0.55, 0], down: true)
        }
        let below = [Colour(0x0C0B0B), back.mixed(with: .black, share: 0.6)]
        canvas.fill(Box(x: 0, y: top, width: width, height: height - top), gradient: below, down: true)
        for spine in books.map(\.spine) {
            for step in 1...4 {
                let centre = Point(x: spine.centre.x + Double(step) * 12, y: spine.centre.y)
                let box = spine.design.cover.box
                canvas.placed(box, at: centre, turn: spine.turn, scale: spine.scale) {
                    canvas.fill(box, .black, opacity: 0.15)
                }
            }
        }
    }
}
