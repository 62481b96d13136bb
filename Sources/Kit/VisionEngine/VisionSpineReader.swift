#if canImport(Vision)
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
    /// Whether Vision corrects its text with its language model.
    private let usesLanguageCorrection: Bool

    /// Creates a reader.
    public init(usesLanguageCorrection: Bool) { self.usesLanguageCorrection = usesLanguageCorrection }

    /// Reads one spine.
    ///
    /// - Parameter image: Any size; one with a side under 8 pixels contains no text.
    /// - Returns: Its lines along the spine. In the timings `recognitionInference` is all of Vision, which does not
    ///   separate detection from recognition.
    /// - Throws: Vision's error, with the image's size.
    public func read(_ image: RasterImage) throws -> SpineReading {
        let clock = ContinuousClock()
        let start = clock.now
        var reading = SpineReading()
        // Vision refuses images of a few pixels.
        if min(image.width, image.height) >= 8 {
            guard let picture = image.cgImage() else {
                throw VisionError(
                    description: "cannot hand an image of \(image.width)×\(image.height) pixels to Vision; give it a "
                        + "smaller crop"
                )
            }
            reading = try SpineReading(bothWaysUp: image) { turn in
                let asked = clock.now
                let lines = try recognize(picture, turned: turn)
                return (lines, asked.duration(to: clock.now))
            }
        }
        reading.timings.total = start.duration(to: clock.now)
        return reading
    }

    /// Returns the lines that Vision reads in an image taken as if it were turned, in the pixels of the unturned
    /// image.
    private func recognize(_ image: CGImage, turned turn: QuarterTurn) throws(VisionError) -> [RecognizedLine] {
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
