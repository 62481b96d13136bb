public import Imaging
internal import Synchronization
public import TextRecognition

/// Scripted detector, which records its requests.
public final class ScriptedDetector: TextDetector {
    private let missed: Double
    private let script: @Sendable (RasterImage) throws -> [Quad]
    private let images = Mutex<[RasterImage]>([])

    /// - Parameters:
    ///   - missed: its signs of text outside the lines.
    ///   - script: the boxes found in an image; it may throw, to play a failing engine.
    public init(missed: Double = 0, _ script: @escaping @Sendable (RasterImage) throws -> [Quad]) {
        (self.missed, self.script) = (missed, script)
    }

    /// A detector that finds the same lines in every image.
    public convenience init(lines: [Quad], missed: Double = 0) {
        self.init(missed: missed) { _ in lines }
    }

    /// Images searched so far, in order.
    public var received: [RasterImage] { images.withLock { $0 } }

    /// Returns the result of the script for the image.
    public func detect(in image: RasterImage) throws -> (lines: [Quad], missed: Double, inferenceTime: Duration) {
        images.withLock { $0.append(image) }
        return (try script(image), missed, .zero)
    }
}

/// Scripted recogniser, which records its requests.
public final class ScriptedRecognizer: LineRecognizer {
    /// Images as given.
    public let lineHeight: Int
    private let script: @Sendable (RasterImage) throws -> LineRecognition
    private let calls = Mutex<[[RasterImage]]>([])

    /// - Parameters:
    ///   - lineHeight: the height in pixels of the line images it asks for.
    ///   - script: the text read from one line image; it may throw, to play a failing engine.
    public init(lineHeight: Int = 48, _ script: @escaping @Sendable (RasterImage) throws -> LineRecognition) {
        self.lineHeight = lineHeight
        self.script = script
    }

    /// A recogniser that reads the same from every line.
    public convenience init(lineHeight: Int = 48, text: String, confidence: Double = 1) {
        self.init(lineHeight: lineHeight) { _ in LineRecognition(text: text, confidence: confidence) }
    }

    /// The images of every call so far, in order.
    public var received: [[RasterImage]] { calls.withLock { $0 } }

    /// Returns the result of the script for each line.
    public func recognize(_ lines: [RasterImage]) throws -> (lines: [LineRecognition], inferenceTime: Duration) {
        calls.withLock { $0.append(lines) }
        return (try lines.map(script), .zero)
    }
}

/// A photo of books side by side, of 60 columns and a grey of their own each, and a reader that reads a text off each.
public struct ScriptedShelf: Sendable {
    /// The photo, 400 rows high.
    public let picture: RasterImage
    /// Reader of the photo; a book that is read alone has no text.
    public let reader: ShelfReader

    /// - Parameters:
    ///   - texts: a text for each book, from the left.
    ///   - alone: called before a book is read alone, with its place from 0.
    public init(_ texts: [String], alone: @escaping @Sendable (Int) -> Void = { _ in }) {
        let width = 200 + 60 * texts.count
        func book(at x: Int) -> Int? { x >= 100 && x < width - 100 ? (x - 100) / 60 : nil }
        picture = RasterImage(
            width: width,
            height: 400,
            channels: 1,
            pixels: (0..<width * 400).map { pixel in
                let book = (50..<350).contains(pixel / width) ? book(at: pixel % width) : nil
                return book.map { UInt8(40 + 30 * ($0 % 6)) } ?? 255
            }
        )
        // The photo is searched turned to the left: columns become rows, from the bottom.
        let lines = texts.indices.map { book in
            Quad(left: 80, top: Double(width - 140 - 60 * book), right: 280, bottom: Double(width - 120 - 60 * book))
        }
        let detector = ScriptedDetector { image in
            if image.width == 400 && image.height == width { return lines }
            let grey = image.pixels[image.pixels.count / 2]
            if min(image.width, image.height) < 200, grey < 255 { alone((Int(grey) - 25) / 30) }
            return []
        }
        let recognizer = ScriptedRecognizer { line in
            LineRecognition(text: texts[(Int(line.pixels[line.pixels.count / 2]) - 25) / 30], confidence: 0.95)
        }
        let look = Look(frame: .turned, shortSide: 96, longSide: 1024)
        let configuration = SpineReaderConfiguration(firstLook: look)
        let reader = SpineReader(detector: detector, recognizer: recognizer, configuration: configuration)
        self.reader = ShelfReader(detector: detector, reader: reader)
    }
}
