import Foundation
import Testing

@testable import SpineSynthesis

@Suite("Shelf arrangement")
struct ShelfArrangementTests {
    private typealias Item = ShelfArrangement.Item

    @Test("books stand on the board, side by side")
    func standing() {
        let row = ShelfArrangement([Item(thickness: 0.1, length: 1), Item(thickness: 0.2, length: 0.6, gap: 0.05)])
        #expect(row.places.map(\.y) == [0.5, 0.3] && row.places.map(\.turn) == [0, 0])
        // A seam of 0.003, half of 0.1; then 0.103 + 0.05 + half of 0.2.
        #expect(abs(row.places[0].x - 0.053) < 1e-9)
        #expect(abs(row.places[1].x - 0.253) < 1e-9)
        #expect(abs(row.width - 0.353) < 1e-9)
    }

    @Test("an empty row has no width")
    func empty() {
        let row = ShelfArrangement([])
        #expect(row.places.isEmpty && row.width == 0)
    }

    @Test("a leaning book's head touches the side of a higher book, its side the corner of a lower one")
    func footDistance() {
        // 30°: sin 0.5, cos 0.8660, tan 0.5774.
        let angle = Double.pi / 6
        #expect(abs(ShelfArrangement.footDistance(length: 1, angle: angle, height: 0.9) - 0.5) < 1e-9)
        #expect(abs(ShelfArrangement.footDistance(length: 1, angle: angle, height: 0.5) - 0.28868) < 1e-5)
        #expect(ShelfArrangement.footDistance(length: 1, angle: angle, height: 0) == 0)
    }

    @Test("a book leans between its neighbours and rests on the board", arguments: [0.05, 0.12, 0.2])
    func leaning(_ angle: Double) {
        var items = [0.8, 1, 0.7].map { Item(thickness: 0.12, length: $0) }
        for lean in [-angle, angle] {
            items[1].lean = lean
            let row = ShelfArrangement(items)
            let corners = corners(of: row.places[1], items[1])
            #expect(abs((corners.map(\.y).min() ?? 1) - 0) < 1e-9)
            let (left, right) = (row.places[0].x + 0.06, row.places[2].x - 0.06)
            // Above a lower neighbour's corner, it may lean over that.
            for corner in corners where corner.y < 0.7 {
                #expect(corner.x >= left - 1e-9 && corner.x <= right + 1e-9)
            }
        }
    }

    @Test("a pile lies on the board, the longest book holding the others")
    func pile() {
        let items = [0.6, 0.8, 1].map { Item(thickness: 0.1, length: $0, lies: true, gap: 0.2) }
        let row = ShelfArrangement(items)
        #expect(row.places.allSatisfy { $0.turn == -.pi / 2 })
        // Offsets from the top: three seams and 2.5 thicknesses, two and 1.5, one and 0.5.
        for (place, y) in zip(row.places, [0.259, 0.156, 0.053]) { #expect(abs(place.y - y) < 1e-9) }
        #expect(abs(row.width - 1.2) < 1e-9)
        for (place, size) in zip(row.places, items) {
            #expect(place.x - size.length / 2 >= 0.2 - 1e-9 && place.x + size.length / 2 <= 1.2 + 1e-9)
        }
    }

    /// Returns a book's corners, y up from the board.
    private func corners(of place: ShelfArrangement.Place, _ size: Item) -> [(x: Double, y: Double)] {
        let (half, tall) = (size.thickness / 2, size.length / 2)
        return [(-half, tall), (half, tall), (half, -tall), (-half, -tall)].map { x, y in
            (place.x + x * cos(place.turn) + y * sin(place.turn), place.y - x * sin(place.turn) + y * cos(place.turn))
        }
    }
}
