/// The networks that OpenVINO can run for the reader.
package enum OpenVINOModelSet: String, Sendable, Codable, CaseIterable {
    case ppOCRv6Small = "ppocrv6-small"
    case ppOCRv4Mobile = "ppocrv4-mobile"

    package var title: String {
        switch self {
        case .ppOCRv6Small: "PP-OCRv6 small"
        case .ppOCRv4Mobile: "PP-OCRv4 mobile"
        }
    }

    /// The network that finds lines.
    package var detectionFile: String { "\(rawValue)-det.onnx" }
    /// The network that reads them.
    package var recognitionFile: String { "\(rawValue)-rec.onnx" }

    /// File of the classifier of upside-down lines; the same for all sets.
    package static let classifierFile = "ppocr-mobile-cls.onnx"

    package var files: [String] { [detectionFile, recognitionFile] }
}

package enum RecognitionAlphabet: String, Sendable, Codable, CaseIterable {
    /// Letters of the Latin scripts, digits, punctuation and common signs, as on spines in European languages. The
    /// other classes are cut out of the network, which makes it about a quarter faster. Of letters these are Greek,
    /// Chinese and Japanese ones, and phonetic signs.
    case latin
    case all

    func admits(_ text: String) -> Bool {
        switch self {
        case .all: true
        case .latin:
            text.unicodeScalars.allSatisfy { scalar in
                switch scalar.value {
                // Basic Latin to Latin Extended-B; Latin Extended Additional; dashes, quotation marks, bullet,
                // ellipsis.
                case 0x20..<0x250, 0x1E00..<0x1F00, 0x2010...0x2026: true
                // Small letters whose capitals are among these, as Azerbaijani's ə, and no other phonetic signs.
                case 0x250..<0x2B0: scalar.properties.uppercaseMapping.unicodeScalars.allSatisfy { $0.value < 0x250 }
                // Euro, numero, trade mark.
                case 0x20AC, 0x2116, 0x2122: true
                default: false
                }
            }
        }
    }
}

package enum InferencePrecision: String, Sendable, Codable, CaseIterable {
    /// Default precision of OpenVINO: bf16 if the processor supports it.
    case auto
    case f32
    case bf16
    case f16
    /// The quicker of f32 and bf16, timed once on a machine.
    case measured

    /// OpenVINO's word for it; nil where the choice is left to OpenVINO.
    var hint: String? { self == .auto || self == .measured ? nil : rawValue }
}

package struct OpenVINOOptions: Sendable, Hashable, Codable {
    package var threads: Int
    package var precision = InferencePrecision.auto
    package var alphabet = RecognitionAlphabet.latin
    /// Canvas sizes of the detector: multiples of 32, by which it shrinks its input.
    package var detectorCanvases: [NetworkShape]
    /// Widths of the recogniser in pixels: multiples of 8, its step.
    package var recognizerWidths: [Int]
}

extension OpenVINOOptions {
    package init(threads: Int, detectorCanvases: [NetworkShape], recognizerWidths: [Int]) {
        self.init(
            threads: threads,
            precision: .auto,
            detectorCanvases: detectorCanvases,
            recognizerWidths: recognizerWidths
        )
    }
}

package enum OpenVINOError: Error, Sendable, Equatable, CustomStringConvertible {
    /// OpenVINO's library cannot be opened: the reason and the remedy.
    case libraryMissing(String)
    case modelUnreadable(path: String, reason: String)
    case modelUnsuitable(path: String, expected: String, found: String)
    case canvasUnsuitable(NetworkShape)
    /// The processor does not compute in the precision asked for.
    case precisionUnknown(InferencePrecision, known: [InferencePrecision])
    case fileUnusable(path: String, reason: String)
    /// A call into OpenVINO failed: `status` is its `ov_status_e`, `message` its own words.
    case callFailed(operation: String, status: Int32, message: String)

    package var description: String {
        switch self {
        case .libraryMissing(let reason): "OpenVINO: \(reason)"
        case .modelUnreadable(let path, let reason):
            "cannot read the model \(path): \(reason); run 'make setup' to fetch it"
        case .modelUnsuitable(let path, let expected, let found):
            "invalid model \(path): expected \(expected), found \(found); run 'make setup' to fetch it again"
        case .canvasUnsuitable(let canvas):
            "a detector canvas has a width and a height that are multiples of 32, not \(canvas)"
        case .precisionUnknown(let precision, let known):
            "this processor does not compute in \(precision.rawValue), only in "
                + known.map(\.rawValue).joined(separator: ", ")
        case .fileUnusable(let path, let reason): "\(path) \(reason)"
        case .callFailed(let operation, let status, let message):
            "OpenVINO failed to \(operation) (status \(status)): \(message)"
        }
    }
}
