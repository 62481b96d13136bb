public import Foundation

/// Labelled pictures in a folder of an app: `samples.jsonl` and the files that it names.
///
/// Add the dataset's folder to the test's or the app's target as a folder reference, so that its paths stay.
public struct DatasetBundle: Sendable {
    /// A labelled picture.
    public struct Sample: Sendable, Equatable, Codable, Identifiable {
        /// Unique in the dataset.
        public var id: String
        /// Path below the folder.
        public var image: String
        /// "vertical", "inverted", "stylized", "horizontal" or "mixed".
        public var category: String?
        /// As printed; nil for a picture without a title.
        public var title: String?
        /// As printed; nil when the spine names none.
        public var author: String?
        /// All text that can be read with certainty.
        public var transcription: String?
        /// Part of the dataset: "test".
        public var split: String?
    }

    /// Where the dataset is.
    public let folder: URL
    /// In the order of the file.
    public let samples: [Sample]

    /// Reads the labels in a folder, and checks that its pictures are there.
    ///
    /// - Throws: `DatasetBundleError` for a missing file, an invalid line or an id that occurs twice.
    public init(folder: URL) throws {
        let file = folder.appending(path: "samples.jsonl")
        guard let text = FileManager.default.contents(atPath: file.path) else {
            throw DatasetBundleError(
                "\(file.path) is missing; add the dataset's folder to the target as a folder reference"
            )
        }
        var (samples, ids): ([Sample], Set<String>) = ([], [])
        for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
        where line.contains(where: { $0 > 0x20 }) {
            let place = "samples.jsonl, line \(index + 1)"
            let sample: Sample
            do { sample = try JSONDecoder().decode(Sample.self, from: line) } catch {
                throw DatasetBundleError(
                    "\(place): expected JSON with \"id\" and \"image\"; 'spinebench dataset validate' says more"
                )
            }
            guard ids.insert(sample.id).inserted else {
                throw DatasetBundleError("\(place): the id \(sample.id) occurs twice")
            }
            guard FileManager.default.fileExists(atPath: folder.appending(path: sample.image).path) else {
                throw DatasetBundleError("\(place): the picture \(sample.image) is missing")
            }
            samples.append(sample)
        }
        guard !samples.isEmpty else { throw DatasetBundleError("\(file.path) has no samples") }
        (self.folder, self.samples) = (folder, samples)
    }

    /// Reads a dataset that is a folder of a bundle: `DatasetBundle(named: "spines-1", in: Bundle(for: Self.self))`.
    ///
    /// - Throws: `DatasetBundleError` as `init(folder:)` does.
    public init(named name: String, in bundle: Bundle) throws {
        try self.init(folder: (bundle.resourceURL ?? bundle.bundleURL).appending(path: name))
    }

    /// Returns the place of a sample's picture.
    public func url(of sample: Sample) -> URL { folder.appending(path: sample.image) }
}

/// Fault of a dataset in a bundle.
public struct DatasetBundleError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Message with the file, the line and the fault.
    public let description: String

    init(_ description: String) { self.description = description }
}
