import Harness
import Imaging
package import TextRecognition

/// Fixed work of a reading's networks, by whose times a host is calibrated.
package struct ReferenceWork {
    private let detector: any TextDetector
    private let recognizer: any LineRecognizer
    private let page: RasterImage
    private let line: RasterImage

    package init(_ detector: any TextDetector, _ recognizer: any LineRecognizer) {
        (self.detector, self.recognizer) = (detector, recognizer)
        // Any picture is suitable: the time does not depend on its content, except for numbers next to zero.
        func image(_ size: (width: Int, height: Int)) -> RasterImage {
            let pixels = (0..<size.width * size.height).map { UInt8(truncatingIfNeeded: $0 &* 7 % 251) }
            return RasterImage(width: size.width, height: size.height, channels: 1, pixels: pixels)
        }
        (page, line) = (image(NetworkWork.detectorInput), image(NetworkWork.recognizerInput))
    }

    /// Returns the time inside the detector's network.
    package func detection() throws -> Duration { try detector.detect(in: page).inferenceTime }

    /// Returns the time inside the recogniser's network for a line of a batch of `count`.
    package func recognition(ofLines count: Int = 1) throws -> Duration {
        try recognizer.recognize([RasterImage](repeating: line, count: count)).inferenceTime / count
    }
}

/// The work on pictures for the calibration of a host: a reader's work on a spine outside its networks.
package struct CalibrationPicture {
    private let file: [UInt8]
    private let emissions: CTCEmissions
    private let decoder: CTCDecoder

    /// Draws a spine of 320 × 1,400 pixels with four lines of dark strokes.
    package init() throws {
        let (width, height) = (320, 1_400)
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        for y in 0..<height {
            for x in 0..<width {
                let isStroke = x / 40 % 2 == 1 && (x * 7 + y * 13) / 48 % 3 == 0
                for channel in 0..<3 {
                    pixels[(y * width + x) * 3 + channel] = isStroke ? 30 : UInt8(150 + (x + y * 3 + channel * 20) % 64)
                }
            }
        }
        let picture = RasterImage(width: width, height: height, channels: 3, pixels: pixels)
        file = try ImageCodec.encodeJPEG(picture, quality: 90)
        // The recogniser's number of steps for a line of 320 pixels, and its number of Latin classes.
        let (steps, classes) = (40, 440)
        var probabilities = [Float](repeating: 0.001, count: steps * classes)
        for step in 0..<steps { probabilities[step * classes + step * 11 % classes] = 0.9 }
        emissions = CTCEmissions(
            classes: classes,
            probabilities: probabilities,
            positions: (0..<steps).map { Double($0) * 8 + 4 }
        )
        decoder = CTCDecoder(alphabet: [""] + (1..<classes).map { String(UnicodeScalar(UInt8(33 + $0 % 90))) })
    }

    /// Decodes, turns, shrinks, cuts four lines out, and reads four answers, on this thread.
    package func work() throws {
        let picture = try ImageCodec.decode(file, name: "calibration").image.rotated(.clockwise)
        _ = picture.resized(width: 1_024, height: 64)
        for line in 0..<4 {
            let top = Double(line) * 75 + 5
            let quad = Quad(
                topLeft: Point(x: 40, y: top),
                topRight: Point(x: 1_350, y: top + 3),
                bottomRight: Point(x: 1_350, y: top + 73),
                bottomLeft: Point(x: 40, y: top + 70)
            )
            _ = picture.cropped(to: quad, width: 320, height: 48)
            _ = decoder.decode(emissions)
        }
    }
}
