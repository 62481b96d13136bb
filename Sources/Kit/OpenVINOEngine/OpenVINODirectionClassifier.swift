internal import Basics
package import Imaging
internal import TextRecognition

/// PaddleOCR's 180° classifier of text lines, run by OpenVINO.
///
/// It sees a line at 192 × 48 pixels: a longer one is squeezed, a shorter one padded, as it was trained.
package struct OpenVINODirectionClassifier: LineDirectionClassifier {
    private let networks: NetworkPool
    private static let input = NetworkShape(width: 192, height: 48)

    /// Opens the model; the network is compiled when it is first needed.
    ///
    /// The folders are those of ``OpenVINOEngine``.
    ///
    /// - Throws: ``OpenVINOError`` when the model is missing.
    package init(
        threads: Int,
        precision: InferencePrecision,
        modelDirectory: String,
        cacheDirectory: String?
    ) throws {
        let source = NetworkSource(
            name: "ppocr-mobile-cls",
            file: try ModelFile(path: "\(modelDirectory)/\(OpenVINOModelSet.classifierFile)"),
            normalization: .symmetric,
            meaning: "a classifier, which answers with two values",
            counted: (.orientationCalls, .orientationElements, "ppocr-mobile-cls")
        )
        let loader = try NetworkLoader(threads: threads, precision: precision)
        networks = NetworkPool(source, loader: loader, cacheDirectory: cacheDirectory)
    }

    /// Compiles or loads the network before its first use.
    package func prepare() throws { try networks.load(Self.input) }

    /// Returns whether the line is more likely upside down than not.
    ///
    /// - Throws: ``OpenVINOError``.
    package func isUpsideDown(_ line: RasterImage) throws -> (answer: Bool, inferenceTime: Duration) {
        let height = Self.input.height
        let natural = (Double(line.width) * Double(height) / Double(line.height)).rounded()
        let scaled = line.resized(width: min(Self.input.width, max(1, Int(natural))), height: height)
        let result = try networks.infer(Self.input) { input in
            // 127 is as good as 0 to the network after normalisation: its padding in training.
            input.update(repeating: 127)
            scaled.draw(0..<scaled.width, into: input, of: Self.input, at: 0)
        } read: { dimensions, values in
            dimensions == [1, 2] ? values[1] > values[0] : nil
        }
        return (result.output, result.inferenceTime)
    }
}
