import Foundation

/// One kind of labelled picture in a dataset's folder: a file of labels, a line for each picture, and how they are drawn.
struct PictureSeries: Sendable {
    /// A picture and its label.
    struct Item: Sendable {
        /// A line of JSON with its end.
        var label: Data
        /// The bytes of a JPEG file.
        var picture: [UInt8]
    }

    /// Noun for one of them: "spine".
    var noun: String
    /// The file of labels: "samples.jsonl".
    var file: String
    /// The folder of the pictures.
    var images: String
    var count: Int
    /// Draws the one with this number, from 0.
    var draw: @Sendable (Int) throws -> Item

    /// "spine-00001", whatever the count: a larger dataset begins with the same ones.
    func id(_ index: Int) -> String { Self.id(noun, index) }

    static func id(_ noun: String, _ index: Int) -> String { noun + "-" + String(format: "%05d", index + 1) }

    /// The picture's path in the dataset.
    func image(_ index: Int) -> String { "\(images)/\(id(index)).jpg" }
}
