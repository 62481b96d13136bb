import DeviceSimulation
import Foundation
import Harness
import Imaging
import TestSupport
import Testing

@testable import Composition
@testable import checks

@Suite struct ScenePlanTests {
    private static let frame = FrameSize(width: 180, height: 240)

    /// Returns the project's own spines.
    private static func folder() throws -> PictureFolder {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Datasets/spines-1")
        return try PictureFolder(path.standardizedFileURL.path, .spines)
    }

    private static func held(seed: UInt64) throws -> ScenePlan {
        let spine = try #require(try folder().spines.first)
        return ScenePlan(kind: "held", scene: spine.name, content: .held(spine), seed: seed)
    }

    @Test(arguments: [1, 2, 3, 4, 5])
    func aHeldSpineComesIntoViewStaysAndLeaves(seed: UInt64) throws {
        let clip = try #require(try Self.held(seed: seed).clip(frame: Self.frame) { _ in true })
        let truths = clip.frames.map(\.truth)
        #expect(truths.first == GateClip.Truth.none && truths.last == GateClip.Truth.none)
        // None, part, spine, part, none, and nothing between.
        let runs = truths.reduce(into: [GateClip.Truth]()) { if $0.last != $1 { $0.append($1) } }
        #expect(runs == [.none, .part, .spine, .part, .none])
        #expect(truths.count { $0 == .spine } >= 20)
        #expect(clip.frames.contains { $0.condition != .still })
    }

    @Test func theSameSeedGivesTheSameFramesAndAnotherGivesOthers() throws {
        func frames(_ seed: UInt64) throws -> [[UInt8]] {
            var pixels: [[UInt8]] = []
            _ = try Self.held(seed: seed).clip(frame: Self.frame) { frame in
                pixels.append(frame.pixels)
                return true
            }
            return pixels
        }
        let first = try frames(1)
        #expect(try frames(1) == first)
        #expect(try frames(2) != first)
    }

    @Test func theGatesAnswerIsThatOfTheFrame() throws {
        var number = 0
        let clip = try #require(
            try Self.held(seed: 1).clip(frame: Self.frame) { frame in
                #expect((frame.width, frame.height) == (180, 240) || (frame.width, frame.height) == (240, 180))
                number += 1
                return number % 3 == 0
            }
        )
        #expect(clip.frames.count == number)
        #expect(clip.frames.enumerated().allSatisfy { $1.isPassed == (($0 + 1) % 3 == 0) })
    }

    @Test(arguments: SceneMaker.Place.allCases)
    func aDrawnPlaceHasNoSpine(_ place: SceneMaker.Place) throws {
        let plan = ScenePlan(kind: "drawn", scene: place.rawValue, content: .drawn(place), seed: 1)
        let clip = try #require(try plan.clip(frame: Self.frame) { _ in false })
        #expect(!clip.frames.isEmpty && clip.frames.allSatisfy { $0.truth == .none })
    }

    @Test func aPhotographThatWouldBeEnlargedTooMuchIsLeftOut() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        // 1440 / 640 is 2.25, and 1440 / 600 more.
        for (width, isMade) in [(700, true), (600, false)] {
            let picture = RasterImage(width: width, height: width * 4 / 3, channels: 1, filledWith: 90)
            try Data(try ImageCodec.encodePNG(picture)).write(to: URL(filePath: path))
            let plan = ScenePlan(kind: "photo", scene: path, content: .empty(path), seed: 4)
            let clip = try plan.clip { _ in false }
            if !isMade { #expect(clip == nil) }
            if isMade, let clip { #expect(clip.frames.allSatisfy { $0.truth == .none }) }
        }
    }

    /// Twenty held, ten rows of six others, and four of each of eight places.
    @Test func plansTakeEachSpineOnce() throws {
        let plans = ScenePlan.plans([try Self.folder()], clips: 20, seed: 1)
        #expect(plans.count == 20 + 10 + 8 * 4)
        let spines = plans.flatMap { plan -> [LiveRequest.Spine] in
            switch plan.content {
            case .held(let spine): [spine]
            case .row(let spines): spines
            default: []
            }
        }
        #expect(Set(spines.map(\.path)).count == 20 + 60)
        #expect(Set(plans.map(\.seed)).count == plans.count)
    }
}
