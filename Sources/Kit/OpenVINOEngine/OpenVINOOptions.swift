internal import Basics
internal import Foundation
internal import TextRecognition

/// PaddleOCR's networks that OpenVINO runs for the reader: a set that `make setup` fetches, or a user's folder.
package enum OpenVINOModelSet: Sendable, Hashable, RawRepresentable {
    case ppOCRv6Small
    case ppOCRv6Tiny
    case ppOCRv4Mobile
    /// Path of a folder with a detector, a recogniser, and its dictionary unless the recogniser has that itself.
    case folder(String)

    package static let fetched = [ppOCRv6Small, ppOCRv6Tiny, ppOCRv4Mobile]

    /// Reads a set's name, or the path of a folder: with a `/`, or a folder of the working folder.
    package init?(rawValue: String) {
        if let set = Self.fetched.first(where: { $0.rawValue == rawValue }) {
            self = set
        } else if rawValue.contains("/") {
            self = .folder(rawValue)
        } else if FileManager.default.isFolder(rawValue) {
            self = .folder("./\(rawValue)")
        } else {
            return nil
        }
    }

    package var rawValue: String { names.key }
    package var title: String { names.title }

    private var names: (key: String, title: String) {
        switch self {
        case .ppOCRv6Small: ("ppocrv6-small", "PP-OCRv6 small")
        case .ppOCRv6Tiny: ("ppocrv6-tiny", "PP-OCRv6 tiny")
        case .ppOCRv4Mobile: ("ppocrv4-mobile", "PP-OCRv4 mobile")
        case .folder(let path): (path, path)
        }
    }

    /// Name in those of cached files, and in readings.
    var name: String { Self.fetched.contains(self) ? rawValue : "own" }

    var calibration: LineCalibration? {
        switch self {
        case .ppOCRv6Small: .ppOCRv6Small
        case .ppOCRv6Tiny: .ppOCRv6Tiny
        default: nil
        }
    }

    /// File of the classifier of upside-down lines; the same for all sets.
    package static let classifierFile = "ppocr-mobile-cls.onnx"

    /// Returns the paths of its files; `directory` has the fetched sets.
    ///
    /// A folder's files are known by a word of their names that begins with `det`, `rec`, and `dict` or `keys`.
    ///
    /// - Throws: ``OpenVINOError/fileUnusable(path:reason:)`` for a folder that lacks one, or has several for one.
    package func files(in directory: String) throws(OpenVINOError) -> NetworkPaths {
        guard case .folder(let path) = self else {
            let start = "\(directory)/\(rawValue)"
            var paths = NetworkPaths(detection: "\(start)-det.onnx", recognition: "\(start)-rec.onnx")
            if self == .ppOCRv6Tiny { paths.dictionary = "\(start)-dict.txt" }
            return paths
        }
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: path).sorted() } catch {
            throw .fileUnusable(path: path, reason: "cannot be read as a folder of networks: \(error.systemReason)")
        }
        func file(_ beginnings: [String], _ ending: String) throws(OpenVINOError) -> String? {
            let found = names.filter { name in
                let words = name.lowercased().split { !$0.isLetter }
                return words.last == ending[...]
                    && words.contains { word in beginnings.contains(where: word.hasPrefix) }
            }
            if found.count < 2 { return found.first.map { "\(path)/\($0)" } }
            throw .fileUnusable(path: path, reason: "has \(found.joined(separator: " and ")); expected one of them")
        }
        func network(_ beginning: String, _ meaning: String) throws(OpenVINOError) -> String {
            if let file = try file([beginning], "onnx") { return file }
            throw .fileUnusable(
                path: path,
                reason: "has no \(meaning): expected a file such as \(beginning).onnx, found "
                    + (names.isEmpty ? "nothing" : names.prefix(10).joined(separator: ", "))
            )
        }
        return NetworkPaths(
            detection: try network("det", "detector"),
            recognition: try network("rec", "recogniser"),
            dictionary: try file(["dict", "keys"], "txt")
        )
    }
}

/// Paths of the files of a set of networks.
package struct NetworkPaths: Sendable {
    /// ONNX: the network that finds lines.
    package var detection: String
    /// ONNX: the network that reads them.
    package var recognition: String
    /// Characters of the recogniser, one a line; nil when its file has them as the metadata `character`.
    package var dictionary: String?

    package var all: [String] { [detection, recognition] + (dictionary.map { [$0] } ?? []) }
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

/// Number format of a network's arithmetic.
public enum InferencePrecision: String, Sendable, Codable, CaseIterable {
    /// Default precision of OpenVINO: bf16 if the processor supports it.
    case auto
    case f32
    case bf16
    case f16
    /// bf16 if the processor has instructions for it, and otherwise f32: what was measured to be quicker.
    case measured
}

/// A fault of OpenVINO or of a network.
public enum OpenVINOError: Error, Sendable, Equatable, CustomStringConvertible {
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

    /// Text for messages.
    public var description: String {
        switch self {
        case .libraryMissing(let reason): "OpenVINO: \(reason)"
        case .modelUnreadable(let path, let reason): "cannot read the model \(path): \(reason)\(Self.remedy(path))"
        case .modelUnsuitable(let path, let expected, let found):
            "invalid model \(path): expected \(expected), found \(found)\(Self.remedy(path))"
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

    private static func remedy(_ path: String) -> String {
        let sets = OpenVINOModelSet.fetched.map(\.rawValue) + ["ppocr-mobile"]
        let isFetched = sets.contains { URL(filePath: path).lastPathComponent.hasPrefix("\($0)-") }
        return isFetched ? "; run 'make setup' to fetch it again" : "; see \"Your own networks\" in Docs/YOUR-READER.md"
    }
}
