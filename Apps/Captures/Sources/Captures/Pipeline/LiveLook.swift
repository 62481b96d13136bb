import CaptureReading
import Foundation
import Imaging
import ScanningPipeline
import Synchronization
import TextRecognition
package import VisualSearch

/// What a camera sees at one moment.
package struct LiveFrame: Codable, Sendable, Equatable {
    package struct Subject: Codable, Sendable, Equatable {
        package var corners: Corners
        /// What it is; nil where that is not sure enough, and without the network.
        package var label: String?
        /// How sure the label is, 0 to 1.
        package var confidence: Double?
    }

    /// Places of codes.
    package var codes: [Corners] = []
    /// Places of lines of text, which are not read.
    package var text: [Corners] = []
    /// The thing in the foreground; nil for none.
    package var subject: Subject?
}

/// A look at a camera's frames for codes, text and the subject at once.
///
/// Codes are sought on every frame; text and subject in turns, as far as the time of a frame allows, so that a slow machine sees
/// them later and none waits. What was seen is held for some frames, and a place is new only when it was seen twice: nothing
/// flickers. One camera has one of these.
package final class LiveLook: Sendable {
    /// Time of a frame after which no further part is begun.
    private static let budget = Duration.milliseconds(60)
    /// Long side of a frame in pixels; larger ones are shrunk first.
    static let side = 640
    /// Long side at which lines are sought: letters of a fortieth of the frame are found.
    private static let textSide = 480

    private struct State {
        /// By their contents.
        var codes: [String: Held<Corners>] = [:]
        var text: [Held<Corners>] = []
        var subject: Held<LiveFrame.Subject>?
        var isTextNext = true
        /// Frames that were looked at.
        var count = 0
    }

    private let detector: (any TextDetector)?
    private let things: ThingNamer?
    private let state = Mutex(State())

    /// Creates a look with what is there: text is found by the detector of the search's reader, and things are named by the network.
    package init(search: EntitySearch?, things: ThingNamer?) {
        let reader = search?.pipeline.reader.reader
        detector = (reader as? StagedReader)?.first.detector ?? (reader as? SpineReader)?.detector
        self.things = things
    }

    /// Looks at the bytes of a JPEG or PNG file.
    ///
    /// - Throws: `ImageCodecError` for anything else; the errors of the networks.
    package func look(_ bytes: [UInt8]) throws -> LiveFrame {
        let start = ContinuousClock.now
        let options = DecodingOptions(maximumBytes: 8 << 20, maximumPixels: 40_000_000, minimumShortSide: Self.side)
        return try look(at: ImageCodec.decode(bytes, name: "the frame", options: options).image, since: start)
    }

    /// Looks at a frame, whose time began at `start`.
    func look(at image: RasterImage, since start: ContinuousClock.Instant = .now) throws -> LiveFrame {
        let frame = image.rgb().fitted(to: Self.side)
        return try state.withLock { state in
            see(codes: CodeFinder.codes(in: frame, turn: state.count), on: frame, &state)
            state.count += 1
            for _ in 0..<2 {
                if state.isTextNext { try seekText(frame, &state) } else { try seekSubject(frame, &state) }
                state.isTextNext.toggle()
                if start.duration(to: .now) > Self.budget { break }
            }
            var sight = LiveFrame()
            sight.codes = state.codes.values.map(\.value)
            sight.text = state.text.filter(\.isShown).map(\.value)
            sight.subject = state.subject.flatMap { $0.isShown ? $0.value : nil }
            return sight
        }
    }

    private func see(codes: [FoundCode], on frame: RasterImage, _ state: inout State) {
        for key in state.codes.keys { state.codes[key]?.miss() }
        for code in codes {
            let seen = Corners(code.box.quad, width: frame.width, height: frame.height)
            state.codes[code.payload, default: Held(seen)].see(seen)
        }
        state.codes = state.codes.filter { !$0.value.isGone }
    }

    private func seekText(_ frame: RasterImage, _ state: inout State) throws {
        guard let detector else { return }
        let small = frame.fitted(to: Self.textSide)
        var found = try detector.detect(in: small).lines.map { Corners($0, width: small.width, height: small.height) }
        for index in state.text.indices {
            let old = state.text[index].value
            if let next = found.firstIndex(where: { $0.overlap(with: old) > 0.3 }) {
                state.text[index].see(found.remove(at: next))
            } else {
                state.text[index].miss()
            }
        }
        state.text = state.text.filter { !$0.isGone } + found.map { Held($0) }
    }

    private func seekSubject(_ frame: RasterImage, _ state: inout State) throws {
        let (subject, thing) = try ThingNamer.sift(frame, things)
        let box = subject.map { PixelBox($0, on: frame) }
        guard box != nil || thing?.label != nil else {
            state.subject?.miss()
            if state.subject?.isGone == true { state.subject = nil }
            return
        }
        let place = box ?? thing.flatMap { PixelBox(heat: $0.map, on: frame) } ?? PixelBox(whole: frame)
        let seen = LiveFrame.Subject(
            corners: Corners(place.quad, width: frame.width, height: frame.height),
            label: thing?.label?.name,
            confidence: thing?.label?.confidence
        )
        guard var held = state.subject else {
            state.subject = Held(seen)
            return
        }
        // Another name has to be seen twice, or be surer; none at all is a miss.
        let isSame = held.value.label == seen.label
        if isSame || !held.isFresh || (seen.confidence ?? 0) > (held.value.confidence ?? 0) {
            held.see(seen)
        } else {
            held.miss()
            held.value.corners = seen.corners
        }
        state.subject = held
    }
}

/// Something that is seen on frames, and held over some on which it is not.
private struct Held<Value> {
    var value: Value
    private var sights = 0
    private var misses = 0

    init(_ value: Value) {
        self.value = value
        sights = 1
    }

    /// Whether it was seen twice.
    var isShown: Bool { sights > 1 }
    /// Whether it was seen at the last look.
    var isFresh: Bool { misses == 0 }
    /// Whether it was missed three times in a row.
    var isGone: Bool { misses > 2 }

    mutating func see(_ value: Value) {
        (self.value, misses) = (value, 0)
        sights += 1
    }

    mutating func miss() { misses += 1 }
}

extension Corners {
    /// Creates the corners of a part of a picture of that size, in pixels.
    init(_ quad: Quad, width: Int, height: Int) {
        let points = [quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft]
        self.init(points.map { ($0.x, $0.y) }, width: width, height: height)
    }

    /// Returns the intersection over union of the bounding boxes, 0 to 1.
    fileprivate func overlap(with other: Corners) -> Double {
        func bounds(_ corners: Corners, _ axis: Int) -> (low: Double, high: Double) {
            let values = stride(from: axis, to: corners.values.count, by: 2).map { corners.values[$0] }
            return (values.min() ?? 0, values.max() ?? 0)
        }
        func size(_ low: Double, _ high: Double) -> Double { max(0, high - low) }
        let (x, y) = (bounds(self, 0), bounds(self, 1))
        let (otherX, otherY) = (bounds(other, 0), bounds(other, 1))
        let both =
            size(max(x.low, otherX.low), min(x.high, otherX.high))
            * size(max(y.low, otherY.low), min(y.high, otherY.high))
        let all =
            size(x.low, x.high) * size(y.low, y.high) + size(otherX.low, otherX.high) * size(otherY.low, otherY.high)
            - both
        return all > 0 ? both / all : 0
    }
}
