import Foundation
import Imaging
import Testing

@testable import SpineSynthesis

@Suite("Projection")
struct ProjectionTests {
    @Test("a bent spine keeps its edges and its middle, and is narrower towards its joints")
    func bend() {
        let bend = Projection.Bend(left: 0, right: 100, halfAngle: .pi / 3)
        #expect(bend.seen(0) == 0)
        #expect(bend.seen(50) == 50)
        #expect(bend.seen(100) == 100)
        // Half the way to the edge has turned by 30°: sin 30° / sin 60° = 0.57735 of the half width.
        #expect(abs(bend.seen(75) - 78.8675) < 0.0001)
        #expect(abs(bend.flat(78.8675) - 75) < 0.0001)
        // Pixels outside the spine stay.
        #expect(bend.seen(-3) == -3 && bend.flat(120) == 120)
    }

    @Test("a flat spine is not bent")
    func flat() {
        #expect(Projection.Bend(left: 0, right: 100, halfAngle: 0).seen(30) == 30)
    }

    @Test("a barrel lens moves points by the third power of their distance, and not the corners")
    func barrel() throws {
        let frame = Cameras.rectangle(0, 0, 100, 100)
        let projection = try #require(
            Projection(frame: frame, width: 100, height: 100, photo: (100, 100), barrel: 0.1, bends: [])
        )
        // 25 of the half diagonal's √5000: (1 + 0.1 × 625 / 5000) / 1.1 = 0.920455 of the distance.
        let seen = projection.flat(of: Point(x: 75, y: 50))
        #expect(abs(seen.x - (50 + 25 * 0.920_454_5)) < 0.0001 && abs(seen.y - 50) < 0.0001)
        #expect(projection.photo(of: Point(x: 0, y: 100)).distance(to: Point(x: 0, y: 100)) < 1e-9)
    }

    @Test("the frame fills the photograph, and every point comes back to where it was")
    func roundTrip() throws {
        let frame = Quad(
            topLeft: Point(x: 3, y: 5),
            topRight: Point(x: 90, y: 2),
            bottomRight: Point(x: 95, y: 410),
            bottomLeft: Point(x: 1, y: 400)
        )
        let bends = [
            Projection.Bend(left: 10, right: 40, halfAngle: 1.2), Projection.Bend(left: 40, right: 88, halfAngle: 0.4),
        ]
        let projection = try #require(
            Projection(frame: frame, width: 60, height: 270, photo: (90, 406), barrel: -0.08, bends: bends)
        )
        let corners = projection.photo(of: frame).corners
        let expected = Cameras.rectangle(0, 0, 90, 406).corners
        #expect(zip(corners, expected).allSatisfy { $0.distance(to: $1) < 1e-6 })
        for x in stride(from: 5.0, through: 88, by: 3.7) {
            for y in stride(from: 8.0, through: 395, by: 31.3) {
                let point = Point(x: x, y: y)
                #expect(projection.flat(of: projection.photo(of: point)).distance(to: point) < 1e-6)
            }
        }
    }

    @Test("corners that enclose nothing have no projection")
    func nothing() {
        let line = Cameras.rectangle(5, 0, 5, 100)
        #expect(Projection(frame: line, width: 1, height: 100, photo: (1, 100), barrel: 0, bends: []) == nil)
    }
}
