public import Imaging
internal import Synchronization
public import TextRecognition

/// Scripted detector, which records its requests.
public final class ScriptedDetector: TextDetector {
    private let script: @Sendable (RasterImage) throws -> [Quad]
    private let images = Mutex<[RasterImage]>([])

    /// - Parameter script: the boxes found in an image; it may throw, to play a failing engine.
    public init(_ script: @escaping @Sendable (RasterImage) throws -> [Quad]) {
        self.script = script
    }

    /// A detector that finds the same lines in every image.
    public convenience init(lines: [Quad]) {
        self.init { _ in lines }
    }

    /// Images searched so far, in order.
    public var received: [RasterImage] { images.withLock { $0 } }

    /// Returns the result of the script for the image.
    public func detect(in image: RasterImage) throws -> (lines: [Quad], inferenceTime: Duration) {
        images.withLock { $0.append(image) }
        return (try script(image), .zero)
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
