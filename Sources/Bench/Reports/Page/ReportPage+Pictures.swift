import Foundation
import Imaging
import SpineDatasets

extension ReportPage {
    /// Number of pictures held in memory at a time.
    private static let batch = 256
    /// Number of samples for estimating the length of all of them.
    private static let sampled = 500

    /// Location of a sample's picture.
    struct Place {
        var store: PictureStore
        var image: String
        /// Whether it shows whole shelves, which need more pixels.
        var isShelf = false
    }

    /// Puts a picture beside each sample, as large as the page has room for; `places` are in the samples' order.
    ///
    /// - Returns: why pictures are missing, a line each; those samples are shown without.
    mutating func drawPictures(
        _ places: [Place],
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws -> [String] {
        precondition(places.count == samples.count, "there is one place for each sample")
        let shelves = ThumbnailBudget(shelves: places.count(where: \.isShelf))
        let spines = ThumbnailBudget(
            pictures: places.count { !$0.isShelf },
            otherBytes: try bytesWithoutPictures() + shelves.pageBytes
        )
        var problems: [String] = []
        for start in stride(from: 0, to: places.count, by: Self.batch) {
            let range = start..<min(start + Self.batch, places.count)
            let made = Parallel.map(range.count) { index in
                let place = places[start + index]
                let budget = place.isShelf ? shelves : spines
                return Result { try Thumbnail(place.image, in: place.store, budget: budget) }
            }
            for (index, result) in zip(range, made) {
                switch result {
                case .success(let thumbnail):
                    samples[index]["p"] = pictures.append(thumbnail.jpeg)
                    samples[index]["w"] = thumbnail.fullWidth
                    samples[index]["h"] = thumbnail.fullHeight
                case .failure(let error): problems.append("\(samples[index]["i"] ?? ""): image \(error)")
                }
            }
            progress(range.upperBound, places.count)
        }
        return problems
    }

    /// Estimates the page's length from a part of the samples: to encode all of ten thousand takes seconds.
    private func bytesWithoutPictures() throws -> Int {
        var page = self
        let step = max(1, samples.count / Self.sampled)
        page.samples = stride(from: 0, to: samples.count, by: step).map { samples[$0] }
        let some = try page.html().count
        let picked = page.samples.count
        guard picked > 0 else { return some }
        page.samples = []
        let none = try page.html().count
        return none + (some - none) * samples.count / picked
    }
}
