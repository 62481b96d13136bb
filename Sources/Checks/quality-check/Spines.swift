import Evaluation
import Foundation
import ImageCodec
import Raster
import TextRecognition

/// Labelled spines that a check reads over and over.
struct Spines {
    /// One of them.
    struct Spine: Sendable {
        var image: RasterImage
        var title: String
    }

    private struct Line: Decodable {
        var image: String
        var title: String?
    }

    var all: [Spine]

    /// - Parameters:
    ///   - folder: of a dataset, with `samples.jsonl`.
    ///   - limit: the first so many that have a title.
    /// - Throws: when the dataset or a picture cannot be read.
    init(folder: String, limit: Int) throws {
        let text = try String(contentsOfFile: "\(folder)/samples.jsonl", encoding: .utf8)
        let lines = try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        let options = DecodingOptions(minimumShortSide: SpineScanner.sufficientShortSide)
        all = try lines.lazy.filter { $0.title != nil }.prefix(limit).map { line in
            let data = try Data(contentsOf: URL(filePath: "\(folder)/\(line.image)"))
            let image = try ImageCodec.decode([UInt8](data), name: line.image, options: options).image
            return Spine(image: image, title: line.title ?? "")
        }
    }

    /// Whether the whole title is in what was read; nil when it has no words to look for.
    static func isRead(_ title: String, in reading: SpineReading) -> Bool? {
        FieldRead(field: title, in: reading.lines.map(\.text).joined(separator: " ")).isRead
    }
}
