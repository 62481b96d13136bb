import Basics
import Foundation

/// A dataset's description in MLCommons' Croissant 1.0, by which other tools find and load it.
///
/// Source: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html
enum CroissantDescription {
    /// Writes the description of a dataset that is in the folder of `file`.
    static func write(_ dataset: Dataset, to file: URL) throws(DatasetError) {
        try DatasetError.writing(file.path) {
            let description = try description(of: dataset, in: file.deletingLastPathComponent().path)
            let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try (JSONSerialization.data(withJSONObject: description, options: options) + Data("\n".utf8))
                .write(to: file, options: .atomic)
        }
    }

    private static func description(of dataset: Dataset, in folder: String) throws -> [String: Any] {
        let manifest = dataset.manifest
        var description: [String: Any] = [
            "@context": try JSONSerialization.jsonObject(with: Data(PackageResources.croissant_context_json)),
            "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.0", "name": manifest.name,
            "description": manifest.description ?? "Labelled pictures of book spines.",
            "version": manifest.version ?? "0",
        ]
        if let licence = manifest.licence { description["license"] = licenceAddress(licence) }
        var distribution: [[String: Any]] = []
        var records: [[String: Any]] = []
        if !dataset.samples.isEmpty {
            distribution.append(try labels(Labels.samplesFile, in: folder))
            records.append(recordSet("samples", sampleFields(dataset.samples)))
        }
        if !dataset.shelves.isEmpty {
            distribution.append(try labels(Labels.shelvesFile, in: folder))
            records.append(recordSet("shelves", shelfFields))
        }
        distribution += dataset.store.shards.map(shard)
        distribution.append(pictures(dataset, Set(dataset.samples.map(\.image) + dataset.shelves.map(\.image))))
        records.append(recordSet("pictures", pictureFields))
        description["distribution"] = distribution
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

    private static func shard(_ shard: ShardIndex.Shard) -> [String: Any] {
        [
            "@type": "cr:FileObject", "@id": shard.file, "name": shard.file, "contentUrl": shard.file,
            "contentSize": "\(shard.bytes) B", "encodingFormat": "application/x-tar", "sha256": shard.sha256,
        ]
    }

    private static func pictures(_ dataset: Dataset, _ images: Set<String>) -> [String: Any] {
        let patterns = Set(images.map(pattern)).sorted()
        let formats = Set(patterns.map { $0.lowercased().hasSuffix("png") ? "image/png" : "image/jpeg" })
        var set: [String: Any] = [
            "@type": "cr:FileSet", "@id": "picture-files", "name": "picture-files", "includes": patterns,
            "encodingFormat": formats.sorted(),
        ]
        if let index = dataset.store.index { set["containedIn"] = index.shards.map { ["@id": $0.file] } }
        return set
    }

    /// Returns the pattern of an image's path: "images/*.jpg" for "images/a.jpg".
    private static func pattern(_ image: String) -> String {
        let name = image.split(separator: "/").last ?? ""
        return image.dropLast(name.count) + "*" + (name.lastIndex(of: ".").map { String(name[$0...]) } ?? "")
    }

    private static func recordSet(_ name: String, _ fields: [[String: Any]]) -> [String: Any] {
        [
            "@type": "cr:RecordSet", "@id": name, "name": name,
            "field": fields.map { field -> [String: Any] in
                let id = "\(name)/\(field["name"] ?? "")"
                return field.merging(["@type": "cr:Field", "@id": id, "name": id]) { $1 }
            },
        ]
    }

    private static func column(_ name: String, of file: String = Labels.samplesFile, _ meaning: String) -> [String: Any]
    {
        [
            "name": name, "dataType": "sc:Text", "description": meaning,
            "source": ["fileObject": ["@id": file], "extract": ["column": name]],
        ]
    }

    private static func imageColumn(of file: String) -> [String: Any] {
        column("image", of: file, "Path of the picture in the dataset's folder.")
            .merging(["references": ["field": ["@id": "pictures/path"]]]) { $1 }
    }

    /// Returns the fields of samples; those that no sample has are omitted, as an empty column cannot be read.
    private static func sampleFields(_ samples: [Sample]) -> [[String: Any]] {
        var fields = [
            column("id", "Unique in the dataset."), imageColumn(of: Labels.samplesFile),
            column("category", "Kind of challenge of the spine."),
            column("title", "As printed; null when not labelled."),
            column("transcription", "All text that can be read with certainty, in reading order."),
            column("orientation", "Direction of the title: upright, cw (top to bottom), ccw or inverted."),
        ]
        let optional: [(String, KeyPath<Sample, String?>, String)] = [
            ("author", \.author, "As printed; missing when the spine has none."),
            ("group", \.group, "Common origin of samples, such as their photo."),
            ("language", \.language, "ISO 639 code of the title's language."),
            ("style", \.style, "Style of the lettering or the surface."),
            ("split", \.split, "Intended use of the sample."),
            ("source", \.source, "Where the picture is from."),
            ("licence", \.licence, "The picture's licence."),
        ]
        for (name, field, meaning) in optional where samples.contains(where: { $0[keyPath: field] != nil }) {
            fields.append(column(name, meaning))
        }
        return fields
    }

    private static var shelfFields: [[String: Any]] {
        let titles: [String: Any] = [
            "name": "titles", "dataType": "sc:Text", "repeated": true,
            "description": "Titles of the legible spines from left to right.",
            "source": [
                "fileObject": ["@id": Labels.shelvesFile], "extract": ["column": "books"],
                "transform": ["jsonPath": "$[*].title"],
            ],
        ]
        return [imageColumn(of: Labels.shelvesFile), titles]
    }

    private static var pictureFields: [[String: Any]] {
        [("path", "sc:Text", "fullpath"), ("content", "sc:ImageObject", "content")].map { name, type, property in
            [
                "name": name, "dataType": type,
                "source": ["fileSet": ["@id": "picture-files"], "extract": ["fileProperty": property]],
            ]
        }
    }

    /// Returns the address of a licence that SPDX knows by its name, and other words as they are.
    private static func licenceAddress(_ licence: String) -> String {
        switch licence {
        case "CC0-1.0", "CC0": "https://creativecommons.org/publicdomain/zero/1.0/"
        case _
        where licence.wholeMatch(of: /[A-Za-z0-9.+-]+-[0-9][0-9.]*(-only|-or-later)?|MIT|ISC|Zlib|Unlicense/) != nil:
            "https://spdx.org/licenses/\(licence).html"
        default: licence
        }
    }
}
