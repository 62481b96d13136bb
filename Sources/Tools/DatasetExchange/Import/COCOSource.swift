import Basics
import Foundation
import Imaging
import SpineDatasets

/// COCO's `images`, `annotations` and `categories`, and COCO-Text's `imgs` and `anns`.
///
/// Annotations of a category named book or spine are spines: a picture with several of them is a shelf.
///
/// Source: the COCO data format (cocodataset.org, "Format data"): boxes are `[x, y, width, height]`, y down, polygons
/// `[x1, y1, x2, y2, …]`.
enum COCOSource {
    /// Information of our own exports about the dataset.
    private struct Info: Decodable {
        struct Extras: Decodable { var spinebench: DatasetManifest? }
        var info: Extras
    }

    static func read(_ path: String, into intake: inout RecordIntake) throws(DatasetError) {
        let data = try LineReader.data(path)
        let file = try COCOTables(JSONValue.parse(data, path: path), path: path)
        if file.isExport {
            // Read separately: a seed can be larger than the exact numbers in `JSONValue`.
            intake.manifest = (try? JSONDecoder().decode(Info.self, from: data))?.info.spinebench
        }
        for fault in file.faults { intake.refuse([fault]) }
        for image in file.images {
            let place = ImportPlace(file: path, record: "image \(image.key)")
            try take(image, file, at: place, &intake)
        }
    }

    private static func take(
        _ image: COCOTables.Image,
        _ file: COCOTables,
        at place: ImportPlace,
        _ intake: inout RecordIntake
    ) throws(DatasetError) {
        var faults: [DatasetFault] = []
        var annotations: [COCOAnnotation] = []
        for object in file.annotations[image.key, default: []] {
            do throws(ImportFault) {
                annotations.append(try COCOAnnotation(object, categories: file.categories))
            } catch {
                let id = object["id"]?.key.map { "annotation \($0)" } ?? "an annotation"
                faults += error.messages.map { place.fault("\(id): \($0)") }
            }
        }
        guard let picture = image.fields["file_name"]?.text, !picture.isEmpty else {
            return intake.refuse(faults + [place.fault("\"file_name\" is missing")])
        }
        var labels: ExportedLabels?
        if let extras = image.fields["spinebench"] {
            do {
                labels = try JSONDecoder().decode(ExportedLabels.self, from: JSONEncoder().encode(extras))
            } catch {
                faults.append(place.fault("\"spinebench\": \(JSONLine.reason(of: error))"))
            }
            if faults.isEmpty, let labels, (labels.sample == nil) == (labels.shelf == nil) {
                faults.append(place.fault("\"spinebench\" has neither a sample nor a shelf"))
            }
        }
        guard faults.isEmpty else { return intake.refuse(faults) }
        let content: ImportRecord.Content
        let stray: Int
        if var labels {
            labels.place(annotations.compactMap(\.placedOutline))
            stray = labels.place(annotations.compactMap(\.placedLine))
            content = .exported(labels)
        } else {
            let (lines, spines) = (annotations.compactMap(\.line), annotations.compactMap(\.spine))
            (content, stray) = ForeignSpine.arranged(lines: lines, spines: spines)
            intake.count(.otherAnnotation, annotations.count - lines.count - spines.count)
            intake.count(.polygonBoxed, annotations.count(where: \.isBoxed))
        }
        intake.count(.strayLine, stray)
        var record = ImportRecord(place: place, picture: picture, content: content)
        if let width = image.fields["width"]?.number, let height = image.fields["height"]?.number {
            record.statedSize = PixelSize(width, height)
        }
        let maskSizes = annotations.compactMap(\.maskSize)
        if let first = maskSizes.first, maskSizes.allSatisfy({ $0 == first }) { record.maskSize = first }
        try intake.take(record)
    }
}

extension ForeignSpine {
    /// Returns lines and spines that were drawn into one picture: a shelf, from left to right, when there are several
    /// spines, otherwise one spine; and the number of lines outside all of a shelf's spines.
    ///
    /// A line belongs to the smallest spine that contains its centre.
    static func arranged(
        lines: [ForeignLine],
        spines: [ForeignSpine]
    ) -> (content: ImportRecord.Content, stray: Int) {
        guard spines.count > 1 else {
            var spine = spines.first ?? ForeignSpine()
            spine.lines = lines
            return (.spine(spine), 0)
        }
        var books = spines.sorted { ($0.outline?.corners.centre.x ?? 0) < ($1.outline?.corners.centre.x ?? 0) }
        for index in books.indices { books[index].lines = [] }
        var stray = 0
        for line in lines {
            let centre = line.shape.corners.centre
            let owner = books.indices.filter { books[$0].outline?.corners.contains(centre) == true }.min {
                (books[$0].outline?.corners.signedArea ?? 0) < (books[$1].outline?.corners.signedArea ?? 0)
            }
            if let owner {
                books[owner].lines?.append(line)
            } else {
                stray += 1
            }
        }
        return (.shelf(books), stray)
    }
}

/// The lists of a COCO file, joined by their ids.
struct COCOTables {
    struct Image {
        var key: String
        var fields: [String: JSONValue]
    }

    private(set) var images: [Image] = []
    /// Annotations by the image's key, in the order of the file.
    private(set) var annotations: [String: [[String: JSONValue]]] = [:]
    private(set) var categories: [String: String] = [:]
    let isExport: Bool
    private(set) var faults: [DatasetFault] = []

    init(_ value: JSONValue, path: String) throws(DatasetError) {
        let place = ImportPlace(file: path)
        guard let root = value.fields else {
            throw .fault("expected an object with images and annotations, found \(value.kind)", in: path)
        }
        isExport = root["info"]?.fields?["spinebench"] != nil
        // COCO-Text has objects of records by id, where COCO has lists.
        let images = Self.records(root["images"] ?? root["imgs"])
        let annotations = Self.records(root["annotations"] ?? root["anns"])
        let categories = Self.records(root["categories"] ?? .array([]))
        guard let images, let annotations, let categories else {
            throw .fault("expected lists named images, annotations and categories", in: path)
        }
        for category in categories {
            guard let key = category.fields?["id"]?.key, let name = category.fields?["name"]?.text else {
                faults.append(place.fault("a category without id and name"))
                continue
            }
            self.categories[key] = name
        }
        var known: Set<String> = []
        for (index, image) in images.enumerated() {
            guard let fields = image.fields, let key = fields["id"]?.key else {
                faults.append(
                    place.fault("image \(index + 1) in the list has no id that is text or an exact whole number")
                )
                continue
            }
            guard known.insert(key).inserted else {
                faults.append(place.fault("image \(key): duplicate id"))
                continue
            }
            self.images.append(Image(key: key, fields: fields))
        }
        for (index, annotation) in annotations.enumerated() {
            let id = annotation.fields?["id"]?.key.map { "annotation \($0)" } ?? "annotation \(index + 1) in the list"
            guard let fields = annotation.fields, let key = fields["image_id"]?.key else {
                faults.append(place.fault("\(id) has no image_id that is text or an exact whole number"))
                continue
            }
            guard known.contains(key) else {
                faults.append(place.fault("\(id) belongs to image \(key), which is not in the list of images"))
                continue
            }
            self.annotations[key, default: []].append(fields)
        }
    }

    private static func records(_ value: JSONValue?) -> [JSONValue]? {
        if let list = value?.list { return list }
        return value?.fields?.sorted { a, b in
            (Int(a.key) ?? .max, a.key) < (Int(b.key) ?? .max, b.key)
        }.map(\.value)
    }
}
