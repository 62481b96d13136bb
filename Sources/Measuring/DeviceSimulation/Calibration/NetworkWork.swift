/// Work of a reader's networks on the inputs that calibration gives them.
package struct NetworkWork: Sendable, Equatable, Codable {
    /// As their set is called.
    package var name: String
    /// Of the detector on 640 × 96 pixels, in 10⁹ floating-point operations.
    package var detectionGigaOperations: Double
    /// Of the recogniser on a line of 320 × 48 pixels.
    package var recognitionGigaOperations: Double

    /// Width and height in pixels.
    package static let detectorInput = (width: 640, height: 96)
    package static let recognizerInput = (width: 320, height: 48)

    /// Those that are known: two operations for each multiplication of a Conv, ConvTranspose, MatMul or Gemm node, counted
    /// in the ONNX graphs with the shapes that ONNX Runtime gives them.
    package static let all = [
        NetworkWork(name: "ppocrv6-small", detectionGigaOperations: 1.300, recognitionGigaOperations: 2.184),
        NetworkWork(name: "ppocrv4-mobile", detectionGigaOperations: 0.691, recognitionGigaOperations: 1.405),
    ]

    /// - Parameters:
    ///   - name: as their set is called.
    ///   - detectionGigaOperations: of the detector.
    ///   - recognitionGigaOperations: of the recogniser.
    package init(name: String, detectionGigaOperations: Double, recognitionGigaOperations: Double) {
        self.name = name
        self.detectionGigaOperations = detectionGigaOperations
        self.recognitionGigaOperations = recognitionGigaOperations
    }
}
