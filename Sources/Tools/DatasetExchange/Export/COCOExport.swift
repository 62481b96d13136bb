import Basics
import Foundation
import Imaging
import SpineDatasets

/// Writer of `annotations.json` in the COCO format.
///
/// Outlines and lines with a quad are annotations: the corners as `segmentation`, the box around them as `bbox`, the
/// text in `attributes`. All else is under `spinebench`, which COCO's tools leave alone.
enum COCOExport {
    fileprivate struct File: Encodable {
        var info: Info
        var licenses: [License]
        var images: [Image]
        var annotations: [Annotation]
        var categories: [Category]
    }

    fileprivate struct Info: Encodable {
        var description: String
        var version: String
        var spinebench: DatasetManifest
    }

    fileprivate struct License: Encodable {
        var id: Int
        var name: String
        var url: String
    }

    fileprivate struct Category: Encodable {
        var id: Int
        var name: String
        var supercategory: String
    }

    fileprivate struct Image: Encodable {
        var id: Int
        var fileName: String
        var width: Int
        var height: Int
        var license: Int?
        var spinebench: ExportedLabels

        enum CodingKeys: String, CodingKey {
            case id, width, height, license, spinebench
            case fileName = "file_name"
        }
    }

    fileprivate struct Annotation: Encodable {
        struct Attributes: Encodable {
            var text: String?
        }

        struct Extras: Encodable {
            var line: Int?
            var book: Int?
            var font: String?
            var size: Double?
        }

        var id: Int
        var imageID: Int
        var categoryID: Int
        var bbox: [Double]
        var segmentation: [[Double]]
        var area: Double
        var iscrowd = 0
        var attributes: Attributes
        var spinebench: Extras

        enum CodingKeys: String, CodingKey {
            case id, bbox, segmentation, area, iscrowd, attributes, spinebench
            case imageID = "image_id"
            case categoryID = "category_id"
        }
    }

    private static let categories: [Category] = {
        let names = ["spine"] + LineRole.allCases.map(\.rawValue) + ["text"]
        return names.enumerated().map { index, name in
            Category(id: index + 1, name: name, supercategory: index == 0 ? "book" : "text")
        }
    }()

    static func write(
        _ dataset: Dataset,
        _ pictures: PictureExport,
        to output: OutputFolder
    ) throws(DatasetError) -> String {
        var pictures = pictures
        let manifest = dataset.manifest
        let license = manifest.licence.map { License(id: 1, name: $0, url: "") }
        var file = File(
            info: Info(
                description: manifest.description ?? manifest.name,
                version: manifest.version ?? "",
                spinebench: manifest
            ),
            licenses: [license].compactMap { $0 },
            images: [],
            annotations: [],
            categories: Self.categories
        )
        for sample in dataset.samples {
            let parts = ExportedLabels.taken(from: sample, outlines: true)
            file.add(try pictures.copy(sample.image), parts)
        }
        for shelf in dataset.shelves {
            let parts = ExportedLabels.taken(from: shelf, outlines: true)
            file.add(try pictures.copy(shelf.image), parts)
        }
        do {
            try output.write(Array(JSONLine.encode(file)), to: "annotations.json")
        } catch let error as DatasetError {
            throw error
        } catch {
            throw .operation(path: dataset.path, problem: "its labels cannot be written: \(error.systemReason)")
        }
        return "annotations.json"
    }
}

extension COCOExport.File {
    fileprivate mutating func add(_ picture: PictureExport.Picture, _ parts: ExportedLabels.Parts) {
        let image = images.count + 1
        images.append(
            COCOExport.Image(
                id: image,
                fileName: picture.path,
                width: picture.size.width,
                height: picture.size.height,
                license: licenses.first?.id,
                spinebench: parts.labels
            )
        )
        for outline in parts.outlines { add(outline.quad, to: image, as: "spine", extras: .init(book: outline.book)) }
        for line in parts.lines {
            guard let quad = line.value.quad else { continue }
            let extras = COCOExport.Annotation.Extras(
                line: line.line,
                book: line.book,
                font: line.value.font,
                size: line.value.size
            )
            add(quad, to: image, as: line.value.role?.rawValue ?? "text", text: line.value.text, extras: extras)
        }
    }

    private mutating func add(
        _ quad: Quad,
        to image: Int,
        as category: String,
        text: String? = nil,
        extras: COCOExport.Annotation.Extras
    ) {
        let (x, y) = (quad.corners.map(\.x), quad.corners.map(\.y))
        let (left, top) = (x.min() ?? 0, y.min() ?? 0)
        annotations.append(
            COCOExport.Annotation(
                id: annotations.count + 1,
                imageID: image,
                categoryID: categories.first { $0.name == category }?.id ?? categories.count,
                bbox: [left, top, (x.max() ?? 0) - left, (y.max() ?? 0) - top],
                segmentation: [quad.corners.flatMap { [$0.x, $0.y] }],
                area: abs(quad.signedArea),
                attributes: COCOExport.Annotation.Attributes(text: text),
                spinebench: extras
            )
        )
    }
}
