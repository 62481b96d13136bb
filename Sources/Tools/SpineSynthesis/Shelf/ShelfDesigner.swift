import Foundation
import Imaging
import SpineDatasets

struct ShelfDesigner: Sendable {
    let press: SpineBatchRenderer

    private static let tallest = 1_150.0
    /// Surroundings at each side that the camera may tilt within, in pixels.
    private static let margin = 120.0

    private struct Candidate {
        var plan: SpinePlan
        var spine: SpineSpecification
        var size: ShelfArrangement.Size
        var stance: ShelfArrangement.Stance
        var gap: Double
    }

    /// Megapixels of photos of several boards, chosen at random: from a messenger's copy to a phone's photo.
    private static let megapixels = [1.5, 2, 3, 4, 6, 12]

    /// Returns the photo of all boards of a plan.
    func designCase(_ plan: ShelfPlan) throws(SynthesisError) -> ShelfCase {
        let boards = plan.boards
        guard boards.count > 1 else { return ShelfCase(try design(plan)) }
        var generator = SeededGenerator(seed: plan.seed)
        let content = generator.number(in: 2_200...2_800).rounded()
        var designed: [ShelfSpecification] = []
        for (index, books) in boards.enumerated() {
            let own = ShelfPlan(books: Array(books), behind: index == 0 ? plan.behind : [], seed: generator.next())
            var board = try design(own, content: content)
            if let first = designed.first {
                (board.material, board.board, board.back) = (first.material, first.board, first.back)
                // The board above is that of the picture above.
                board.ceiling = 0
            }
            designed.append(board)
        }
        let (width, height) = (Double(designed[0].width), designed.reduce(0.0) { $0 + Double($1.height) })
        var camera = camera(&generator)
        // Less than a megapixel a board is a stamp.
        let most = max(generator.element(of: Self.megapixels), Double(boards.count)) * 1e6
        camera.scale = min(1, (most / (width * height)).squareRoot())
        return ShelfCase(boards: designed, frame: frame(width: width, height: height, &generator), camera: camera)
    }

    /// Returns a board with the planned books; `content` is their room in pixels, unless it is chosen by their number.
    func design(_ plan: ShelfPlan, content given: Double? = nil) throws(SynthesisError) -> ShelfSpecification {
        var generator = SeededGenerator(seed: plan.seed)
        let candidates = try candidates(plan, &generator)
        let (stances, gaps) = (candidates.map(\.stance), candidates.map(\.gap))
        let arrangement = ShelfArrangement(candidates.map(\.size), stances: stances, gaps: gaps)
        // More books require a wider view, in which they remain legible.
        let content = given ?? (generator.number(in: 1_900...2_300) + 25 * Double(candidates.count)).rounded()
        // An overfull row is drawn smaller, a short one leaves some of the board free.
        let scale = min(
            Self.tallest * generator.number(in: 0.85...1),
            content * generator.number(in: 0.93...0.99) / max(arrangement.width, 0.01)
        ).rounded()
        let (width, floor) = (content + 2 * Self.margin, Self.margin + (1.06 * scale).rounded() + 60)
        let board = (scale * generator.number(in: 0.04...0.07)).rounded()
        let height = floor + board + Self.margin * 0.8
        let start = Self.margin + (content - arrangement.width * scale) * generator.number(in: 0...0.6)

        let books = zip(candidates, arrangement.places).map { candidate, place in
            var spine = candidate.spine
            spine.thickness = max(20, Int((candidate.size.thickness * scale).rounded(.down)))
            spine.length = max(60, Int((candidate.size.length * scale).rounded(.down)))
            let middle = Point(x: start + place.x * scale, y: floor - place.y * scale)
            return PlacedBook(
                plan: candidate.plan,
                spine: spine,
                centre: place.stance == .standing ? onGrid(middle, spine, floor) : middle,
                turn: place.turn + (spine.pose == .upsideDown ? .pi : 0),
                depth: generator.number(in: 0...1)
            )
        }
        let end = start + arrangement.width * scale
        let behind = try secondRow(plan.behind, books, from: start, to: end, floor: floor, scale: scale, &generator)
        let camera = camera(&generator)
        return ShelfSpecification(
            width: Int(width),
            height: Int(height),
            floor: floor,
            boardBottom: floor + board,
            ceiling: generator.chance(0.6) ? floor - scale * 1.06 - 30 : 0,
            material: generator.element(of: ShelfMaterial.allCases),
            board: camera.shelf,
            back: camera.wall,
            books: books + behind,
            things: things(books, end: end, limit: width - Self.margin, floor: floor, scale: scale, &generator)
                + print(on: books, floor: floor, board: board, scale: scale, &generator),
            frame: frame(width: width, height: height, &generator),
            camera: camera,
            grainSeed: generator.next()
        )
    }

    /// Returns a place on whole pixels, so that the print of an upright book is not blurred by drawing it there.
    private func onGrid(_ middle: Point, _ spine: SpineSpecification, _ floor: Double) -> Point {
        let (half, tall) = (Double(spine.thickness) / 2, Double(spine.length) / 2)
        return Point(x: (middle.x - half).rounded() + half, y: floor.rounded() - tall)
    }

    private func candidates(
        _ plan: ShelfPlan,
        _ generator: inout SeededGenerator
    ) throws(SynthesisError) -> [Candidate] {
        let count = plan.books.count
        let piled =
            count >= 5 && count <= 15 && generator.chance(0.5) ? generator.integer(in: 2...min(4, count - 3)) : 0
        var result: [Candidate] = []
        for (index, book) in plan.books.enumerated() {
            var book = book
            if index >= count - piled {
                book.brief = SpineRequest(category: .horizontal, layout: .running, pose: .lying)
            }
            let spine = try press.design(book)
            let length = generator.chance(0.5) ? generator.number(in: 0.68...0.8) : generator.number(in: 0.8...1)
            let size = ShelfArrangement.Size(
                thickness: length * Double(spine.thickness) / Double(spine.length),
                length: length
            )
            result.append(Candidate(plan: book, spine: spine, size: size, stance: .standing, gap: 0))
        }
        for index in (count - piled)..<count { result[index].stance = .lying }
        arrange(&result, standing: count - piled, &generator)
        return result
    }

    private func arrange(_ books: inout [Candidate], standing: Int, _ generator: inout SeededGenerator) {
        if standing < books.count { books[standing].gap = generator.number(in: 0.04...0.12) }
        // A single book is upright because it is thick enough, or supported.
        guard standing >= 2 else { return }
        for index in 1..<standing {
            let (previous, isLast) = (books[index - 1].stance, index == standing - 1)
            guard previous == .standing else {
                if case .leaningLeft = previous, !isLast { books[index].gap = generator.number(in: 0.01...0.15) }
                continue
            }
            let angle = generator.number(in: 0.05...0.2)
            if generator.chance(isLast ? 0.4 : 0.06) {
                books[index].stance = .leaningLeft(angle)
            } else if generator.chance(0.05) {
                books[index].gap = generator.number(in: 0.05...0.3)
                if !isLast, generator.chance(0.6) { books[index].stance = .leaningRight(angle) }
            }
        }
    }

    /// Returns books on a step behind others: their part that is visible above them.
    private func secondRow(
        _ plans: [SpinePlan],
        _ front: [PlacedBook],
        from start: Double,
        to end: Double,
        floor: Double,
        scale: Double,
        _ generator: inout SeededGenerator
    ) throws(SynthesisError) -> [PlacedBook] {
        let step = generator.number(in: 0.1...0.25) * scale
        var left = start
        var books: [PlacedBook] = []
        for plan in plans {
            var spine = try press.design(plan)
            let length = generator.number(in: 0.85...0.98) * scale
            let thickness = length * Double(spine.thickness) / Double(spine.length)
            (spine.thickness, spine.length) = (max(20, Int(thickness)), max(60, Int(length)))
            let right = left + Double(spine.thickness)
            guard right < end else { break }
            // The highest book before it decides how much of it is whole.
            let before = front.map { $0.standingCorners.bounds }.filter { $0.left < right && $0.right > left }
            let bottom = before.map(\.top).min() ?? floor - step
            let top = floor - step - Double(spine.length)
            if bottom - top > 0.05 * scale {
                let middle = Point(x: (left + right) / 2, y: top + Double(spine.length) / 2)
                let turn = spine.pose == .upsideDown ? Double.pi : 0
                books.append(
                    .init(plan: plan, spine: spine, centre: middle, turn: turn, depth: 1, visibleBottom: bottom)
                )
            }
            left = right + 2
        }
        return books
    }

    private static let sections = ["FICTION A – K", "796 SPORT", "HISTORY", "SCIENCE", "POETRY", "TRAVEL 910"]

    /// Tags on spines, some of which cover titles, and the name of the section on the board.
    private func print(
        on books: [PlacedBook],
        floor: Double,
        board: Double,
        scale: Double,
        _ generator: inout SeededGenerator
    ) -> [ShelfThing] {
        var things: [ShelfThing] = []
        if generator.chance(0.25) {
            for book in books where book.isUpright && generator.chance(0.6) {
                let (width, length) = (Double(book.spine.thickness), Double(book.spine.length))
                let up = generator.number(in: 0.06...(generator.chance(0.3) ? 0.6 : 0.12)) * length
                let height = min(0.08 * length, width * generator.number(in: 0.7...1))
                let left = book.centre.x - 0.47 * width
                let box = Box(x: left, y: floor - up - height, width: 0.94 * width, height: height)
                let text = "\(generator.integer(in: 100...999)).\(generator.integer(in: 1...9))"
                things.append(.init(kind: .tag, box: box, colour: .white, text: text))
            }
        }
        if generator.chance(0.25), let middle = books.first?.centre.x {
            let text = generator.element(of: Self.sections)
            let box = Box(x: middle, y: floor + 0.15 * board, width: 0.3 * scale, height: 0.7 * board)
            things.append(.init(kind: .sign, box: box, colour: .white, text: text))
        }
        return things
    }

    private func things(
        _ books: [PlacedBook],
        end: Double,
        limit: Double,
        floor: Double,
        scale: Double,
        _ generator: inout SeededGenerator
    ) -> [ShelfThing] {
        var things: [ShelfThing] = []
        let colour = Colour(generator.element(of: [0x3B3F45, 0xB9BDC2, 0x7A1F24, 0xE6DFD2, 0x2F4B6E]))
        let plate = 0.012 * scale
        if books.last?.isUpright == true, end + plate + 4 < limit, generator.chance(0.5) {
            let height = generator.number(in: 0.4...0.6) * scale
            let box = Box(x: end + 2, y: floor - height, width: plate, height: height)
            things.append(ShelfThing(kind: .bookend, box: box, colour: colour))
        }
        let standing = books.filter { $0.isUpright }
        if standing.count >= 6, generator.chance(0.5) {
            let behind = standing[generator.integer(in: 1...standing.count - 2)]
            let kind = generator.element(of: [ShelfThing.Kind.mug, .card])
            let height = (kind == .mug ? generator.number(in: 0.28...0.34) : generator.number(in: 0.4...0.5)) * scale
            let width = height * (kind == .mug ? 0.8 : 0.68)
            // Its foot is nearer to the viewer, on the board's front part, so it reaches a little below the books'
            // feet.
            let (left, top) = (behind.centre.x - width / 2, floor + 0.01 * scale - height)
            let box = Box(x: left, y: top, width: width, height: height)
            things.append(ShelfThing(kind: kind, box: box, colour: colour))
        }
        return things
    }

    private func frame(width: Double, height: Double, _ generator: inout SeededGenerator) -> Quad {
        let corners = [(false, false), (true, false), (true, true), (false, true)].map { isRight, isBottom in
            let x = generator.number(in: 0.02...0.5) * Self.margin
            let y = generator.number(in: 0.02...0.5) * Self.margin
            return Point(x: isRight ? width - x : x, y: isBottom ? height - y : y)
        }
        return Quad(corners: corners)
    }

    /// Returns a phone held before a shelf: further away than for one spine, so that each has fewer faults.
    private func camera(_ generator: inout SeededGenerator) -> CameraSpecification {
        var camera = CameraSpecification()
        let isPoor = generator.chance(0.25)
        camera.blurSigma = generator.number(in: 0.35...0.7)
        camera.defocusRadius = generator.chance(0.3) ? generator.number(in: 0.4...(isPoor ? 1.8 : 1)) : 0
        camera.barrel = generator.number(in: -0.012...0.012)
        camera.exposure = generator.number(in: isPoor ? 0.45...0.75 : 0.8...1.08)
        camera.lightDown = generator.number(in: -0.35...0.2)
        camera.lightRight = generator.number(in: -0.3...0.3)
        camera.vignetting = generator.number(in: 0...0.25)
        camera.lampAngle = generator.number(in: -35...35)
        camera.whiteBalance = Colour(
            red: generator.number(in: 0.95...1.1),
            green: 1,
            blue: generator.number(in: 0.8...1.05)
        )
        camera.iso = (50 * pow(2, generator.number(in: isPoor ? 3...5 : 0...3))).rounded()
        camera.denoising = generator.number(in: 0.3...0.6)
        camera.sharpening = generator.number(in: 0.2...0.9)
        camera.contrast = generator.number(in: 0...0.3)
        camera.jpegQuality = generator.integer(in: 66...84)
        camera.shelf = Colour(generator.element(of: [0x6B4A30, 0x8A6A45, 0xC9B08A, 0x4A2F22, 0xE2DFD8, 0x5E6266]))
        camera.wall = Colour(generator.element(of: [0x3A2A20, 0x6B4A30, 0x8C8578, 0xCFC8BA, 0xDCD9D2]))
        return camera
    }
}
