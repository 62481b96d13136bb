package import Foundation
import Imaging
package import SpineDatasets

/// Exporter of a dataset in other tools' formats; importing it again gives the same dataset.
package enum DatasetExporter {
    /// Writes labels and pictures into a folder, which is made or empty; nothing is left of it when the export fails.
    package static func run(
        _ dataset: Dataset,
        as format: ExportFormat,
        to folder: URL
    ) throws(DatasetError) -> String {
        let output = try OutputFolder(folder)
        do {
            let pictures = PictureExport(dataset: dataset, output: output)
            let name =
                switch format {
                case .coco: try COCOExport.write(dataset, pictures, to: output)
                case .paddleocr: try PaddleOCRExport.write(dataset, pictures, to: output)
                }
            let card = URL(filePath: dataset.path).appending(path: "CARD.md")
            if let data = FileManager.default.contents(atPath: card.path) {
                try output.write(Array(data), to: "CARD.md")
            }
            return output.url.appending(path: name).path
        } catch {
            output.discard()
            throw error
        }
    }
}

struct PictureExport {
    struct Picture {
        var path: String
        var size: PixelSize
    }

    private let dataset: Dataset
    private let output: OutputFolder
    private var written: [String: Picture] = [:]
    private var paths: Set<String>

    init(dataset: Dataset, output: OutputFolder) {
        self.dataset = dataset
        self.output = output
        paths = Set(dataset.samples.map(\.image) + dataset.shelves.map(\.image))
    }

    /// Copies a picture, the first time that it is asked for.
    ///
    /// HEIC, which none of the other tools reads, becomes JPEG.
    mutating func copy(_ image: String) throws(DatasetError) -> Picture {
        if let known = written[image] { return known }
        let data = try dataset.store.contents(of: image)
        let (bytes, path, size) = try converted(data, image)
        var unique = path
        var number = 2
        while path != image, !paths.insert(unique).inserted {
            unique = "\(number)-\(path)"
            number += 1
        }
        try output.write(bytes, to: unique)
        let picture = Picture(path: unique, size: size)
        written[image] = picture
        return picture
    }

    private func converted(_ bytes: [UInt8], _ image: String) throws(DatasetError) -> ([UInt8], String, PixelSize) {
        do throws(ImageCodecError) {
            let header = try ImageCodec.header(of: bytes, name: image)
            let size = PixelSize(width: header.orientedWidth, height: header.orientedHeight)
            guard header.format == .heic else { return (bytes, image, size) }
            let decoded = try ImageCodec.decode(bytes, name: image)
            return (try ImageCodec.encodeJPEG(decoded.image, quality: 95), image + ".jpg", size)
        } catch {
            throw .operation(path: dataset.path, problem: "\(error)")
        }
    }
}

package enum ExportFormat: String, Sendable, CaseIterable {
    /// `annotations.json` and the pictures.
    case coco
    /// `Label.txt` and the pictures.
    case paddleocr
}
