import Foundation

/// A dataset's description in MLCommons' Croissant 1.0, by which other tools find and load it.
///
/// Source: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html
enum CroissantDescription {
    /// Writes the description of a dataset that is in the folder of `file`.
    ///
    /// - Throws: `DatasetError.operation` when a label file cannot be read or `file` cannot be written.
    static func write(_ dataset: Dataset, to file: URL) throws(DatasetError) {
        do {
            let description = try description(of: dataset, in: file.deletingLastPathComponent().path)
            let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try (JSONSerialization.data(withJSONObject: description, options: options) + Data("\n".utf8))
                .write(to: file, options: .atomic)
        } catch {
            throw .operation(path: file.path, problem: "cannot be written: \(error)")
        }
    }

    private static func description(of dataset: Dataset, in folder: String) throws -> [String: Any] {
        let manifest = dataset.manifest
        var description: [String: Any] = [
            "@context": context, "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.0",
            "name": manifest.name,
            "description": manifest.description ?? "Labelled pictures of book spines.",
            "version": manifest.version ?? "0",
        ]
        if let licence = manifest.licence { description["license"] = licenceAddress(licence) }
        var distribution: [[String: Any]] = []
        var records: [[String: Any]] = []
        if !dataset.samples.isEmpty {
            distribution.append(try labels(Labels.samplesFile, in: folder))
            records.append(recordSet("samples", from: Labels.samplesFile, fields: sampleFields))
        }
        if !dataset.shelves.isEmpty {
            distribution.append(try labels(Labels.shelvesFile, in: folder))
            records.append(recordSet("shelves", from: Labels.shelvesFile, fields: shelfFields))
        }
        let images = Set(dataset.samples.map(\.image) + dataset.shelves.map(\.image))
        description["distribution"] = distribution + pictures(images)
        description["recordSet"] = records
        return description
    }

    private static func labels(_ name: String, in folder: String) throws -> [String: Any] {
        let path = "\(folder)/\(name)"
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        return [
            "@type": "cr:FileObject", "@id": name, "name": name, "contentUrl": name, "contentSize": "\(size) B",
            "encodingFormat": "application/jsonlines", "sha256": try SHA256.hex(ofFile: path),
        ]
    }

    /// A set for each folder and kind of file.
    private static func pictures(_ images: Set<String>) -> [[String: Any]] {
        Set(images.map(pattern)).sorted().map { pattern in
            [
                "@type": "cr:FileSet", "@id": pattern, "name": pattern, "includes": pattern,
                "encodingFormat": pattern.lowercased().hasSuffix("png") ? "image/png" : "image/jpeg",
            ]
        }
    }

    /// "images/*.jpg" for "images/a.jpg".
    private static func pattern(_ image: String) -> String {
        let folder = image.lastIndex(of: "/").map { String(image[...$0]) } ?? ""
        let name = image[(image.lastIndex(of: "/").map { image.index(after: $0) } ?? image.startIndex)...]
        return folder + "*" + (name.lastIndex(of: ".").map { String(name[$0...]) } ?? "")
    }

    private static func recordSet(
        _ name: String,
        from file: String,
        fields: [(String, String, String)]
    ) -> [String: Any] {
        [
            "@type": "cr:RecordSet", "@id": name, "name": name, "key": ["@id": "\(name)/\(fields[0].0)"],
            "field": fields.map { field, type, meaning -> [String: Any] in
                [
                    "@type": "cr:Field", "@id": "\(name)/\(field)", "name": "\(name)/\(field)", "dataType": type,
                    "description": meaning,
                    "source": ["fileObject": ["@id": file], "extract": ["column": field]],
                ]
            },
        ]
    }

    /// Those that every sample has: a column that no line has cannot be read by name.
    private static let sampleFields = [
        ("id", "sc:Text", "Unique in the dataset."),
        ("image", "sc:Text", "Path of the picture in the dataset's folder."),
        ("category", "sc:Text", "What kind of challenge the spine is."),
        ("title", "sc:Text", "As printed; null when nobody labelled it."),
        ("transcription", "sc:Text", "All text that can be read with certainty, in reading order."),
        ("orientation", "sc:Text", "How the title runs: upright, cw, ccw or inverted."),
    ]

    private static let shelfFields = [
        ("image", "sc:Text", "Path of the picture in the dataset's folder."),
        ("books", "sc:Text", "The spines from left to right, as a list of JSON objects."),
    ]

    /// The address of a licence that SPDX knows by its name, and other words as they are.
    private static func licenceAddress(_ licence: String) -> String {
        switch licence {
        case "CC0-1.0", "CC0": "https://creativecommons.org/publicdomain/zero/1.0/"
        case _
        where licence.wholeMatch(of: /[A-Za-z0-9.+-]+-[0-9][0-9.]*(-only|-or-later)?|MIT|ISC|Zlib|Unlicense/) != nil:
            "https://spdx.org/licenses/\(licence).html"
        default: licence
        }
    }

    /// The one that the specification gives.
    private static var context: [String: Any] {
        [
            "@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs", "column": "cr:column",
            "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/",
            "rai": "http://mlcommons.org/croissant/RAI/",
            "data": ["@id": "cr:data", "@type": "@json"],
            "dataType": ["@id": "cr:dataType", "@type": "@vocab"], "dct": "http://purl.org/dc/terms/",
            "examples": ["@id": "cr:examples", "@type": "@json"], "extract": "cr:extract", "field": "cr:field",
            "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject", "fileSet": "cr:fileSet",
            "format": "cr:format", "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset",
            "jsonPath": "cr:jsonPath", "key": "cr:key", "md5": "cr:md5", "parentField": "cr:parentField",
            "path": "cr:path", "recordSet": "cr:recordSet", "references": "cr:references", "regex": "cr:regex",
            "repeated": "cr:repeated", "replace": "cr:replace", "sc": "https://schema.org/",
            "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField", "transform": "cr:transform",
        ]
    }
}
