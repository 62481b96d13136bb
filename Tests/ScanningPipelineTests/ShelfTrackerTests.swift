import Basics
import Imaging
import Testing
import TextRecognition

@testable import ScanningPipeline

@Suite struct ShelfTrackerTests {
    /// Twenty books of 60 to 100 columns in a row.
    private struct DrawnShelf {
        let image: RasterImage
        let books: [Range<Int>]

        init(seed: UInt64) {
            var random = SplitMix64(state: seed)
            var books: [Range<Int>] = []
            var pixels: [UInt8] = []
            for _ in 0..<20 {
                let left = books.last?.upperBound ?? 40
                books.append(left..<left + Int.random(in: 60...100, using: &random))
            }
            let width = (books.last?.upperBound ?? 0) + 40
            var columns = [Int](repeating: 200, count: width)
            for row in 0..<240 {
                // Titles and ornaments: another brightness every twelve rows.
                if row % 12 == 0 {
                    for book in books {
                        let colour = Int.random(in: 20...220, using: &random)
                        for column in book { columns[column] = colour }
                    }
                }
                pixels += columns.map {
                    row < 20 || row >= 220 ? 230 : UInt8($0 + Int.random(in: -9...9, using: &random))
                }
            }
            image = RasterImage(width: width, height: 240, channels: 1, pixels: pixels)
            self.books = books
        }

        /// Returns the books that are whole in a frame, and not at its side.
        func whole(at x: Int, width: Int = 320) -> [Int] {
            books.indices.filter { books[$0].lowerBound >= x + 5 && books[$0].upperBound <= x + width - 5 }
        }

        /// Returns the reading of some columns: the books that are mostly visible, and their visible part.
        func spines(of columns: Range<Int>, at x: Int) -> [ShelfSpine] {
            books.enumerated().compactMap { number, book in
                let seen = book.clamped(to: (x + columns.lowerBound)..<(x + columns.upperBound))
                guard seen.count * 2 > book.count else { return nil }
                let (left, right) = (Double(seen.lowerBound - x), Double(seen.upperBound - x))
                let quad = Quad(
                    topLeft: Point(x: left, y: 20),
                    topRight: Point(x: right, y: 20),
                    bottomRight: Point(x: right, y: 220),
                    bottomLeft: Point(x: left, y: 220)
                )
                let text = String(repeating: "\(UnicodeScalar(UInt8(65 + number)))", count: 8)
                let line = RecognizedLine(text: text, confidence: 0.9, quad: quad)
                let reading = SpineReading(lines: [line], orientation: nil, timings: StageTimings())
                return ShelfSpine(row: 1, index: number + 1, outline: quad, reading: reading)
            }
        }
    }

    /// Returns the found books, by number, when the camera moves through places of a shelf.
    private func found(
        _ places: [Int],
        on shelf: DrawnShelf,
        width: Int = 320,
        tracker: inout ShelfTracker
    ) throws -> [Int] {
        var found: [Int] = []
        for (frame, x) in places.enumerated() {
            let image = try #require(shelf.image.cropped(x: x, y: 0, width: width, height: 240))
            guard let columns = tracker.columns(toReadOf: image) else { continue }
            let spines = shelf.spines(of: columns, at: x)
            found += tracker.take(spines, from: columns, width: width, at: .milliseconds(33) * frame) { _ in false }
                .map { $0.index - 1 }
        }
        return found
    }

    @Test(arguments: [4, 9, 17]) func aPanFindsEachBookOnceAndInOrder(step: Int) throws {
        let shelf = DrawnShelf(seed: UInt64(step))
        var tracker = ShelfTracker()
        let last = shelf.image.width - 320
        let places = Array(stride(from: 0, to: last, by: step)) + [last, last, last]
        #expect(try found(places, on: shelf, tracker: &tracker) == Array(shelf.books.indices))
        // Some at the side of the new view are read twice.
        #expect(tracker.counts.read < 2 * shelf.books.count)
    }

    @Test func theWayBackFindsNothingNew() throws {
        let shelf = DrawnShelf(seed: 3)
        var tracker = ShelfTracker()
        let places = Array(stride(from: 0, through: shelf.image.width - 320, by: 8))
        let all = try found(places, on: shelf, tracker: &tracker)
        let read = tracker.counts.read
        #expect(all.count >= shelf.books.count - 1)
        #expect(try found(places.reversed(), on: shelf, tracker: &tracker).count <= 1)
        // The camera turns round where it rests, and text there is read at most once more.
        #expect(tracker.counts.read - read <= 5)
    }

    @Test func aCameraThatRestsReadsOnce() throws {
        let shelf = DrawnShelf(seed: 5)
        var tracker = ShelfTracker()
        let first = try found([0], on: shelf, tracker: &tracker)
        #expect(first == shelf.whole(at: 0))
        let read = tracker.counts.read
        #expect(try found([0, 1, 0, 2, 1, 0], on: shelf, tracker: &tracker).isEmpty && tracker.counts.read == read)
    }

    /// A cut in between: another shelf, and back to the first, whose books are known by their text.
    @Test func whereThePathIsLostTheTextDecides() throws {
        let (shelf, other) = (DrawnShelf(seed: 5), DrawnShelf(seed: 77))
        var tracker = ShelfTracker()
        #expect(try found([0, 0], on: shelf, tracker: &tracker) == shelf.whole(at: 0))
        _ = try found([900, 900], on: other, tracker: &tracker)
        #expect(try found([0, 0], on: shelf, tracker: &tracker).isEmpty)
    }

    /// A picture of one row is thinner than the blocks that a wide frame is sampled in.
    @Test(arguments: [(3000, 1), (1, 3000), (3000, 2), (5, 9000), (1, 1), (480, 7), (481, 360)])
    func framesOfFewRowsOrColumnsAreSampledWithinTheirBytes(width: Int, height: Int) {
        for channels in [1, 3] {
            let luma = SampledLuma(of: RasterImage(width: width, height: height, channels: channels, filledWith: 90))
            #expect(luma.values.count == luma.width * luma.height && luma.values.allSatisfy { abs(Int($0) - 90) <= 1 })
        }
    }

    /// Moved by hand, and nothing like it.
    @Test(arguments: [-150, -40, -1, 0, 7, 100, 150]) func movesAreFound(by x: Int) throws {
        let shelf = DrawnShelf(seed: 9)
        func frame(_ left: Int) throws -> FrameMotion {
            FrameMotion(try #require(shelf.image.cropped(x: left, y: 0, width: 320, height: 240)))
        }
        let (first, second) = (try frame(300), try frame(300 + x))
        let shift = try #require(first.shift(to: second))
        #expect(abs(shift.x - Double(x)) < 1 && abs(shift.y) < 1)
        let elsewhere = try #require(DrawnShelf(seed: 10).image.cropped(x: 500, y: 0, width: 320, height: 240))
        #expect(first.shift(to: FrameMotion(elsewhere)) == nil)
    }
}
