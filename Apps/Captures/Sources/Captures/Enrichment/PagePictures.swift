import CaptureReading
import Foundation
import Imaging
import ScanningPipeline
import Talaria

/// Pictures of a stranger's page: the one that it names for itself, and its site's icon.
///
/// They are fetched within bounds, decoded within bounds, made small and encoded again: no byte of theirs is kept.
struct PagePictures: Sendable {
    let fetch: SafeFetch
    /// Time for both.
    static let limit = Duration.seconds(10)
    private static let mostBytes = 4 << 20
    /// Side of the largest picture that is decoded: for progressive files, 12 bytes a pixel are needed.
    private static let mostPixels = 24_000_000
    private static let previewSide = 1_024
    private static let iconSide = 64

    /// Fetches the pictures of a page that was read; one that fails is missing, and those that an item has of the same
    /// addresses are not fetched again.
    func pictures(of page: Facts, for item: CapturedItem) async -> [PictureRole: NewPicture] {
        let old = item.answers[.link]
        let address = page.webContext?.faviconURL
        let hasIcon = item.pictures[.icon] != nil && old?.webContext?.faviconURL == address
        let hasImage = item.pictures[.preview] != nil && old?.image == page.image
        async let preview = fetched(hasImage ? nil : page.image)
        async let icon = fetched(hasIcon ? nil : address)
        var pictures: [PictureRole: NewPicture] = [:]
        if let image = await preview, min(image.width, image.height) > 1 {
            pictures[.preview] = Self.jpeg(image, side: Self.previewSide)
            pictures[.thumbnail] = Self.jpeg(image, side: CapturePipeline.thumbnailSide)
        }
        if let icon = await icon, let file = try? ImageCodec.encodePNG(icon.fitted(to: Self.iconSide)) {
            pictures[.icon] = NewPicture(Data(file), ending: "png")
        }
        return pictures
    }

    static func jpeg(_ image: RasterImage, side: Int) -> NewPicture? {
        (try? ImageCodec.encodeJPEG(image.fitted(to: side), quality: 80)).map { NewPicture(Data($0), ending: "jpg") }
    }

    private func fetched(_ address: String?) async -> RasterImage? {
        guard let url = address.flatMap({ URL(string: $0) }) else { return nil }
        var fetch = fetch
        fetch.bytes = Self.mostBytes
        guard let answer = try? await fetch.get(url), answer.status == 200, !answer.isCut else { return nil }
        let options = DecodingOptions(
            maximumBytes: Self.mostBytes,
            maximumPixels: Self.mostPixels,
            minimumShortSide: Self.previewSide
        )
        return try? await ReaderQueue.run {
            try ImageCodec.decode(answer.body, name: "a page's picture", options: options).image
        }
    }
}
