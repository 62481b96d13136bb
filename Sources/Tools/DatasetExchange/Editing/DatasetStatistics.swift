import Basics
import Foundation
import Imaging
package import SpineDatasets

package struct DatasetStatistics: Sendable, Equatable, Codable {
    /// Spread of values between the least and the greatest; percentiles by nearest rank.
    package struct Spread: Sendable, Equatable, Codable {
        package var count: Int
        package var minimum: Double
        package var p10: Double
        package var median: Double
        package var p90: Double
        package var maximum: Double

        package init?(_ values: [Double]) {
            let sorted = values.sorted()
            guard let first = sorted.first, let last = sorted.last else { return nil }
            count = sorted.count
            minimum = first
            p10 = Percentile.nearestRank(10, of: sorted)
            median = Percentile.nearestRank(50, of: sorted)
            p90 = Percentile.nearestRank(90, of: sorted)
            maximum = last
        }
    }

    package var name: String
    package var version: String?
    package var digest: String
    package var samples: Int
    package var legible: Int
    package var shelves: Int
    package var books: Int
    /// Number of photos, or other groups of samples; a sample without a group counts for itself.
    package var groups: Int
    package var largestGroup: Int
    /// Spines by category, orientation, language, split, and printed lines by role.
    ///
    /// Those on shelves are in all but split. Missing values are under "–".
    package var counts: [String: [String: Int]]
    /// Sides of the pictures and height of the lettering in pixels, lengths in characters, books a shelf; a measure
    /// that nothing has is missing.
    package var spreads: [String: Spread]

    package static let measures = [
        "picture width", "picture height", "picture short side", "shelf picture width", "shelf picture height",
        "title length", "transcription length", "text height", "books a shelf",
    ]
    package static let traits = ["category", "orientation", "language", "split", "role"]

    /// Reads the pictures' headers again: a dataset does not keep its pictures' sizes.
    package init(_ dataset: Dataset) {
        let books = dataset.shelves.flatMap(\.books)
        name = dataset.manifest.name
        version = dataset.manifest.version
        digest = dataset.digest
        samples = dataset.samples.count
        legible = dataset.samples.count(where: \.legible) + books.count(where: \.legible)
        shelves = dataset.shelves.count
        self.books = books.count
        let groupSizes = Dictionary(grouping: dataset.samples.enumerated()) { index, sample in
            sample.group ?? "\u{0}\(index)"
        }.values.map(\.count)
        groups = groupSizes.count
        largestGroup = groupSizes.max() ?? 0
        let lines = dataset.samples.flatMap { $0.lines ?? [] } + books.flatMap { $0.lines ?? [] }
        counts = [
            "category": Self.counts(dataset.samples.map(\.category.rawValue) + books.map(\.category?.rawValue)),
            "orientation": Self.counts(
                dataset.samples.map(\.orientation.rawValue) + books.map(\.orientation?.rawValue)
            ),
            "language": Self.counts(dataset.samples.map(\.language) + books.map(\.language)),
            "split": Self.counts(dataset.samples.map(\.split)),
            "role": Self.counts(lines.map(\.role?.rawValue)),
        ]
        let sizes = Self.sizes(of: dataset.samples.map(\.image), in: dataset.store)
        let shelfSizes = Self.sizes(of: dataset.shelves.map(\.image), in: dataset.store)
        let titles = dataset.samples.compactMap(\.title) + books.compactMap(\.title)
        let transcriptions = dataset.samples.map(\.transcription) + books.compactMap(\.transcription)
        let values: [String: [Double]] = [
            "picture width": sizes.map { Double($0.width) }, "picture height": sizes.map { Double($0.height) },
            "picture short side": sizes.map { Double(min($0.width, $0.height)) },
            "shelf picture width": shelfSizes.map { Double($0.width) },
            "shelf picture height": shelfSizes.map { Double($0.height) },
            "title length": titles.map { Double($0.count) },
            "transcription length": transcriptions.filter { !$0.isEmpty }.map { Double($0.count) },
            "text height": lines.compactMap(\.height),
            "books a shelf": dataset.shelves.map { Double($0.books.count) },
        ]
        spreads = values.compactMapValues(Spread.init)
    }

    private static func counts(_ values: [String?]) -> [String: Int] {
        Dictionary(values.map { ($0 ?? "–", 1) }, uniquingKeysWith: +)
    }

    private static func sizes(of images: [String], in store: PictureStore) -> [(width: Int, height: Int)] {
        concurrentMap(images.count) { index -> (width: Int, height: Int)? in
            guard let bytes = try? store.contents(of: images[index]),
                let header = try? ImageCodec.header(of: bytes, name: images[index])
            else { return nil }
            return (header.orientedWidth, header.orientedHeight)
        }.compactMap(\.self)
    }
}
