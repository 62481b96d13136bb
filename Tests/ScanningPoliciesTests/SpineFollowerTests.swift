import Testing

@testable import ScanningPolicies

/// Expected values by hand: likeness is the share of letters at the same place, and each letter weighs one.
@Suite struct SpineFollowerTests {
    private typealias Follower = SpineFollower<String>

    /// Readings in capitals are sure.
    private struct Camera {
        var follower = Follower { one, other in
            let (one, other) = (one.uppercased(), other.uppercased())
            return Double(zip(one, other).count { $0 == $1 }) / Double(max(one.count, other.count))
        }

        /// Returns the scan of a text that is read on a frame of a resting camera.
        mutating func read(
            _ text: String,
            at milliseconds: Int,
            path: Int = 1,
            across: Double = 0.5,
            moved: Double? = 0
        ) -> [String] {
            follower.noteFrame(at: .milliseconds(milliseconds), moved: moved)
            let place = Follower.Place(path: path, across: across, along: 0.5)
            return follower.take(
                text,
                weight: Double(text.count),
                isSure: text == text.uppercased(),
                at: place,
                time: .milliseconds(milliseconds)
            ).map { found in found.earlier.map { "\($0)>\(found.reading)" } ?? found.reading }
        }

        /// Returns the scan of the spine in view when another one comes.
        mutating func leave() -> [String] { follower.leave().map { [$0.reading] } ?? [] }
    }

    @Test func aSureSpineIsScannedOnceWhenTwoReadingsAgree() {
        var camera = Camera()
        let scans = (0..<20).map { camera.read("DUNE HERBERT", at: 33 * $0) }
        #expect(scans[1] == ["DUNE HERBERT"] && scans.flatMap(\.self).count == 1)
        #expect(camera.leave().isEmpty)
    }

    @Test func anUnsureSpineIsScannedWhenItsReadingsGetNoBetter() {
        var camera = Camera()
        let scans = (0..<8).map { camera.read("dune herbert", at: 100 * $0) }
        // The second reading is better, as it agrees with the first: 500 ms after it.
        #expect(scans.firstIndex { !$0.isEmpty } == 6)
    }

    /// A moment, a look away, and a path that is lost; and a minute later.
    @Test(arguments: [(100, 0), (2_000, 0), (59_000, 0), (61_000, 1)])
    func aSpineThatIsSeenAgainIsKnownForAMinute(pause: Int, more: Int) {
        var camera = Camera()
        _ = camera.read("DUNE HERBERT", at: 0)
        #expect(camera.read("DUNE HERBERT", at: 33) == ["DUNE HERBERT"])
        if pause > 300 { #expect(camera.leave().isEmpty) }
        let again = [33, 66, 99].map { camera.read("DUNE HERBERT", at: pause + $0, path: 2) }
        #expect(again.flatMap(\.self).count == more)
    }

    /// A spine that is badly read first, when it comes back: it becomes known by its better readings, or at its end.
    @Test(arguments: [
        ["dxxx hxxxxxt", "dune herbert", "dune herbert", "dune herbert"], ["dxxx hxxxxxt", "dune herbert"],
    ])
    func aSpineThatComesBackBadlyReadIsKnown(readings: [String]) {
        var camera = Camera()
        let first = (0..<8).flatMap { camera.read("dune herbert", at: 100 * $0) }
        #expect(first == ["dune herbert"])
        #expect(camera.leave().isEmpty)
        let again = readings.enumerated().flatMap { camera.read($1, at: 20_000 + 400 * $0, path: 2) }
        #expect(again.isEmpty && camera.leave().isEmpty)
        // A sure reading still replaces the draft.
        let sure = (0..<2).flatMap { camera.read("DUNE HERBERT", at: 30_000 + 100 * $0, path: 3) }
        #expect(sure == ["dune herbert>DUNE HERBERT"])
    }

    /// Distance of the second copy, in shares of the strip that the owner aims with.
    @Test(arguments: [(0.1, 1), (0.3, 1), (0.5, 2), (1.5, 2)])
    func copiesSideBySideAreToldByTheirPlace(distance: Double, count: Int) {
        var camera = Camera()
        let scans = (0..<6).map {
            camera.read("DUNE HERBERT", at: 33 * $0, across: $0 < 3 ? 0.5 : 0.5 + distance)
        }
        #expect(scans.flatMap(\.self).count == count)
        // Back to the first one.
        #expect((6..<9).allSatisfy { camera.read("DUNE HERBERT", at: 33 * $0).isEmpty })
    }

    @Test func theBestReadingWins() {
        var camera = Camera()
        let texts = ["du", "du", "dun herb", "dune herbxxt", "DUNE HERBERT", "DUNE HERBERT", "du"]
        let scans = texts.enumerated().map { camera.read($1, at: 50 * $0) }
        #expect(scans.flatMap(\.self) == ["DUNE HERBERT"])
    }

    /// Readings of one spine until it leaves: whether it is scanned.
    @Test(
        arguments: [
            (["dune herbert"], 0.0, true), (["dune herbert"], nil, false), (["DUNE HERBERT"], nil, true),
            // Two that differ may be of a slow reader, three are noise.
            (["dune herbert", "qwertyuiop"], 0, true), (["dune herbert", "qwertyuiop", "asdfghjkl"], 0, false),
            (["qwertyuiop", "dune herbert", "dune herbert"], 0, true),
        ] as [([String], Double?, Bool)]
    )
    func aSpineThatLeavesIsScannedByWhatThereIs(texts: [String], moved: Double?, isScanned: Bool) {
        var camera = Camera()
        camera.follower.noteFrame(at: .zero, moved: nil)
        let scans = texts.enumerated().flatMap { camera.read($1, at: 33 + 33 * $0, moved: moved) }
        #expect(scans.isEmpty)
        #expect(
            camera.leave()
                == (isScanned ? ["dune herbert"] : []).map { texts == ["DUNE HERBERT"] ? texts[0] : $0 }
        )
    }

    @Test func anotherBookBeforeTheSameWallIsAnotherScan() {
        var camera = Camera()
        var scans = (0..<5).flatMap { camera.read("DUNE HERBERT", at: 33 * $0) }
        // A single sure reading of something else is none.
        scans += camera.read("QWERTYUIOPQW", at: 200) + camera.read("DUNE HERBERT", at: 233)
        scans += (8..<12).flatMap { camera.read("EMMA JANE AUSTEN", at: 33 * $0) }
        #expect(scans == ["DUNE HERBERT", "EMMA JANE AUSTEN"])
    }

    /// The time since the frame before, and how far the camera moved meanwhile.
    @Test(
        arguments: [
            (33, 0, true), (33, 0.009, true), (33, 0.02, false), (100, 0.02, true), (100, nil, true), (400, nil, false),
            (400, 0, true), (400, 0.2, false),
        ] as [(Int, Double?, Bool)]
    )
    func steadyFramesAreRead(milliseconds: Int, moved: Double?, isRead: Bool) {
        var follower = Camera().follower
        follower.noteFrame(at: .zero, moved: nil)
        #expect(follower.isWorthReading)
        follower.noteFrame(at: .milliseconds(milliseconds), moved: moved)
        #expect(follower.isWorthReading == isRead)
    }

    /// Positions of pictures that are sent unread: frames 100 ms apart, on which path, at which place.
    @Test(arguments: [
        // Held; and moved on to the next one, and back.
        ([1, 1, 1, 1], [0.5, 0.5, 0.5, 0.5], [1]), ([1, 1, 1, 1, 1], [0.5, 0.5, 1, 1, 0.5], [1, 3]),
        // Out of focus for 200 ms, and then again the same; and another one.
        ([1, 1, 2, 2, 1, 1], [0.5, 0.5, 0.5, 0.5, 0.5, 0.5], [1]),
        ([1, 1, 2, 2, 2, 2, 2], [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5], [1, 5]),
    ])
    func aPictureOfASpineIsSentOnce(paths: [Int], places: [Double], sent: [Int]) {
        var follower = Camera().follower
        let taken = zip(paths, places).enumerated().filter { number, frame in
            let isCut = number == 0 || paths[number - 1] != frame.0
            let isMoving = number > 0 && abs(places[number - 1] - frame.1) > 0.1
            follower.noteFrame(at: .milliseconds(100 * number), moved: isCut ? nil : isMoving ? 0.2 : 0)
            let place = Follower.Place(path: frame.0, across: frame.1, along: 0.5)
            return follower.takeUnread("", at: place, time: .milliseconds(100 * number))
        }.map(\.offset)
        #expect(taken == sent)
    }
}
