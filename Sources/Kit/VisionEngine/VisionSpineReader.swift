#if canImport(Vision)
internal import Basics
internal import CoreGraphics
internal import Foundation
internal import ImageIO
public import Imaging
public import TextRecognition
internal import Vision

/// Reads a whole spine with Apple Vision: turned so that its long side is horizontal, once each way up; the better
/// reading counts.
///
/// The image itself is not turned: Vision receives the orientation.
///
///     let scanner = SpineScanner(reader: VisionSpineReader(usesLanguageCorrection: true))
///     let lines = try scanner.scan(bytes, name: "spine.heic").reading.lines
public struct VisionSpineReader: SpineTextReader {
    private let request: VisionRequest

    /// Creates a reader; `usesLanguageCorrection`: whether Vision corrects its text with its language model.
    public init(usesLanguageCorrection: Bool) {
        request = VisionRequest(usesLanguageCorrection: usesLanguageCorrection)
    }

    /// Reads one spine.
    ///
    /// - Parameter image: Any size; one with a side under 8 pixels contains no text.
    /// - Returns: Its lines along the spine. In the timings `recognitionInference` is all of Vision, which does not
    ///   separate detection from recognition.
    /// - Throws: Vision's error, with the image's size.
    public func read(_ image: RasterImage) throws -> SpineReading {
        let clock = ContinuousClock()
        let start = clock.now
        var reading = try SpineReading(bothWaysUp: image) { turn in
            let asked = clock.now
            return (try request.lines(in: image, turned: [turn]), asked.duration(to: clock.now))
        }
        reading.timings.total = start.duration(to: clock.now)
        return reading
    }
}

extension ShelfReader {
    /// Returns a reader of photos of shelves whose lines Vision finds and reads; it has not run on a device.
    public static func vision(usesLanguageCorrection: Bool) -> ShelfReader {
        let lines = VisionLines(usesLanguageCorrection: usesLanguageCorrection)
        let look = Look(frame: .turned, shortSide: 96, longSide: 1_024)
        let configuration = SpineReaderConfiguration(firstLook: look)
        return ShelfReader(
            detector: lines,
            reader: SpineReader(detector: lines, recognizer: lines, configuration: configuration)
        )
    }
}

/// Finds lines with Apple Vision, and reads images of one line.
///
/// Vision finds level text: an image is searched as it is and turned to either side.
public struct VisionLines: TextDetector, LineRecognizer {
    /// The height of line images, in pixels.
    public let lineHeight = 48
    private let request: VisionRequest

    /// Creates both; `usesLanguageCorrection`: whether Vision corrects its text with its language model.
    public init(usesLanguageCorrection: Bool) {
        request = VisionRequest(usesLanguageCorrection: usesLanguageCorrection)
    }

    /// Finds the lines of an image; one that is found in several turns counts once, where most of its text was read.
    ///
    /// - Throws: Vision's error, with the image's size.
    public func detect(in image: RasterImage) throws -> (lines: [Quad], missed: Double, inferenceTime: Duration) {
        let start = ContinuousClock.now
        let found = try request.lines(in: image, turned: [.none, .clockwise, .counterclockwise])
            .map { (quad: $0.quad, weight: $0.confidence * Double($0.text.count)) }
            .sorted { $0.weight > $1.weight }.map(\.quad)
        let quads = found.reduce(into: [Quad]()) { quads, new in
            if !quads.contains(where: { $0.contains(new.centre) || new.contains($0.centre) }) { quads.append(new) }
        }
        return (quads, 0, start.duration(to: .now))
    }

    /// Reads each image; parts that Vision finds apart are one line, from the left, with their mean confidence.
    ///
    /// - Throws: Vision's error, with the image's size.
    public func recognize(_ lines: [RasterImage]) throws -> (lines: [LineRecognition], inferenceTime: Duration) {
        let start = ContinuousClock.now
        let read = try lines.map { image in
            let parts = try request.lines(in: image, turned: [.none]).sorted { $0.quad.centre.x < $1.quad.centre.x }
            let sum = parts.reduce(0) { $0 + $1.confidence }
            return LineRecognition(
                text: parts.map(\.text).joined(separator: " "),
                confidence: sum / Double(max(1, parts.count))
            )
        }
        return (read, start.duration(to: .now))
    }
}

/// A request for the text of an image.
struct VisionRequest: Sendable {
    /// Whether Vision corrects its text with its language model.
    var usesLanguageCorrection: Bool

    /// Returns the lines that Vision reads in an image taken as if it were turned, in the pixels of the unturned
    /// image; none in one with a side under 8 pixels, which Vision refuses.
    func lines(in image: RasterImage, turned turns: [QuarterTurn]) throws(VisionError) -> [RecognizedLine] {
        guard min(image.width, image.height) >= 8 else { return [] }
        guard let picture = image.cgImage() else {
            throw VisionError(
                description: "cannot hand an image of \(image.width)×\(image.height) pixels to Vision; give it a "
                    + "smaller crop"
            )
        }
        var lines: [RecognizedLine] = []
        for turn in turns { lines += try self.lines(in: picture, turned: turn) }
        return lines
    }

    private func lines(in image: CGImage, turned turn: QuarterTurn) throws(VisionError) -> [RecognizedLine] {
        WorkMeter.count(.recognitionCalls, 1, of: "vision")
        WorkMeter.count(.recognitionElements, image.width * image.height, of: "vision")
        let request = VNRecognizeTextRequest()
        request.recognitionLevel = .accurate
        request.recognitionLanguages = ["en-US"]
        request.usesLanguageCorrection = usesLanguageCorrection
        do {
            try VNImageRequestHandler(cgImage: image, orientation: turn.orientation, options: [:]).perform([request])
        } catch {
            let reason = error as NSError
            throw VisionError(
                description: "Vision failed on an image of \(image.width)×\(image.height) pixels (\(reason.domain) "
                    + "\(reason.code)): \(reason.localizedDescription); check that it supports the languages asked for"
            )
        }
        return (request.results ?? []).compactMap { observation in
            guard let candidate = observation.topCandidates(1).first else { return nil }
            let text = candidate.string.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !text.isEmpty else { return nil }
            return RecognizedLine(
                text: text,
                confidence: Double(candidate.confidence),
                quad: observation.quad(width: image.width, height: image.height, turned: turn)
            )
        }
    }
}

/// A fault of Vision: what it is, with the image's size, and what to do.
struct VisionError: Error, CustomStringConvertible {
    let description: String
}

extension VNRectangleObservation {
    /// Returns the corners in the pixels of the unturned image, of `width` × `height` pixels.
    ///
    /// Vision gives them as fractions of the turned image, with the origin at its bottom left.
    fileprivate func quad(width: Int, height: Int, turned turn: QuarterTurn) -> Quad {
        let (across, down) = turn.swapsSides ? (height, width) : (width, height)
        func pixels(_ corner: CGPoint) -> Point {
            let turned = Point(x: Double(corner.x) * Double(across), y: (1 - Double(corner.y)) * Double(down))
            return turn.mapBack(turned, width: width, height: height)
        }
        return Quad(
            topLeft: pixels(topLeft),
            topRight: pixels(topRight),
            bottomRight: pixels(bottomRight),
            bottomLeft: pixels(bottomLeft)
        )
    }
}

extension QuarterTurn {
    /// Orientation by which Vision turns an image before reading it: `right` is an image that is upright after a turn
    /// to the right.
    fileprivate var orientation: CGImagePropertyOrientation {
        switch self {
        case .none: .up
        case .clockwise: .right
        case .half: .down
        case .counterclockwise: .left
        }
    }
}

#endif
