import Basics

/// The lists of a COCO file, joined by their ids.
struct COCOTables {
    struct Image {
        var key: String
        var fields: [String: JSONValue]
    }

    private(set) var images: [Image] = []
    /// By the image's key, in the order of the file.
    private(set) var annotations: [String: [[String: JSONValue]]] = [:]
    /// Names by key.
    private(set) var categories: [String: String] = [:]
    /// Whether SpineBench wrote the file.
    let isExport: Bool
    /// Faults of records that belong to no image that is known.
    private(set) var faults: [DatasetFault] = []

    /// - Throws: `DatasetError.faults` when it is no COCO file at all.
    init(_ value: JSONValue, path: String) throws(DatasetError) {
        let place = ImportPlace(file: path)
        guard let root = value.fields else {
            throw .faults(
                path: path,
                faults: [place.fault("expected an object with images and annotations, found \(value.kind)")]
            )
        }
        isExport = root["info"]?.fields?["spinebench"] != nil
        // COCO-Text has objects of records by id, where COCO has lists.
        let images = Self.records(root["images"] ?? root["imgs"])
        let annotations = Self.records(root["annotations"] ?? root["anns"])
        let categories = Self.records(root["categories"] ?? .array([]))
        guard let images, let annotations, let categories else {
            throw .faults(
                path: path,
                faults: [place.fault("expected lists named images, annotations and categories")]
            )
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
                faults.append(place.fault("image \(key): the id stands there twice"))
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
