import Foundation

/// Manifest of a dataset, its `dataset.json`; a folder without one is named after itself.
package struct DatasetManifest: Sendable, Equatable, Codable {
    package var name: String
    package var version: String?
    package var licence: String?
    package var description: String?
    /// Number of spines, those on shelves included.
    package var count: Int?
    /// Options that a synthetic dataset is drawn from.
    package var synthesis: SynthesisOptions?
    /// The font families that a synthetic dataset's text was drawn with.
    package var fonts: [String]?
    /// Digest that `Dataset.digest` has to be.
    package var contentDigest: String?
    /// Why the dataset must not be used yet, and what completes it; nil when it is complete.
    package var unfinished: String?

    package init(
        name: String,
        version: String? = nil,
        licence: String? = nil,
        description: String? = nil,
        count: Int? = nil,
        synthesis: SynthesisOptions? = nil,
        fonts: [String]? = nil,
        contentDigest: String? = nil,
        unfinished: String? = nil
    ) {
        self.name = name
        self.version = version
        self.licence = licence
        self.description = description
        self.count = count
        self.synthesis = synthesis
        self.fonts = fonts
        self.contentDigest = contentDigest
        self.unfinished = unfinished
    }

    /// That of a folder without a `dataset.json`: called as the folder is.
    init(named folder: String) {
        self.init(name: URL(filePath: folder).standardizedFileURL.lastPathComponent)
    }

    /// Manifest in a folder: its `dataset.json`.
    ///
    /// - Throws: `DatasetError.faults` when there is one that does not fit.
    package static func read(from folder: String) throws(DatasetError) -> DatasetManifest {
        let path = "\(folder)/dataset.json"
        guard FileManager.default.fileExists(atPath: path) else { return DatasetManifest(named: folder) }
        do {
            return try JSONDecoder().decode(DatasetManifest.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            let problem =
                "\(JSONLine.reason(of: error)); expected an object with \"name\" and, if known, version, licence, "
                + "description, contentDigest"
            throw .faults(path: folder, faults: [DatasetFault(file: path, message: problem)])
        }
    }
}
