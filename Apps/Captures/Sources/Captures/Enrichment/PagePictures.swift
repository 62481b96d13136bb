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

    /// Fetches the pictures; one that fails is missing.
    func pictures(image: String?, icon: String?) async -> [PictureRole: NewPicture] {
        async let preview = fetched(image)
        async let icon = fetched(icon)
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
        guard let answer = try? await fetch.get(url), answer.status == 200,
            !answer.isCut
        else { return nil }
        return try? await ReaderQueue.run { try Self.decoded(answer.body) }
    }

    /// Returns the picture of a file: PNG, JPEG, HEIC, or the largest one of an icon file.
    static func decoded(_ bytes: [UInt8]) throws -> RasterImage {
        if let image = icon(bytes) { return image }
        let options = DecodingOptions(
            maximumBytes: mostBytes,
            maximumPixels: mostPixels,
            minimumShortSide: previewSide
        )
        return try ImageCodec.decode(bytes, name: "a page's picture", options: options).image
    }

    /// Returns the largest PNG of an icon file (.ico); nil for another file, and for bitmaps.
    ///
    /// Source: Microsoft's documentation of ICONDIR and ICONDIRENTRY.
    static func icon(_ bytes: [UInt8]) -> RasterImage? {
        func number(_ place: Int, _ count: Int) -> Int {
            guard place + count <= bytes.count else { return 0 }
            return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.starts(with: [0, 0, 1, 0]) else { return nil }
        let entries = (0..<min(number(4, 2), 32)).map { 6 + 16 * $0 }.sorted { number($0 + 8, 4) > number($1 + 8, 4) }
        let options = DecodingOptions(maximumBytes: mostBytes, maximumPixels: 1 << 20)
        return entries.lazy.compactMap { entry in
            let (size, start) = (number(entry + 8, 4), number(entry + 12, 4))
            guard start <= bytes.count - size, bytes[start...].starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
                return nil
            }
            return try? ImageCodec.decode(Array(bytes[start..<start + size]), name: "icon", options: options).image
        }.first
    }
}

extension LinkProvider {
    /// Fetches the pictures of a page that was read, once: those that an item has of the same addresses are not
    /// fetched again.
    func pictures(of page: Facts, for item: CapturedItem) async -> [PictureRole: NewPicture] {
        guard let web = page.webContext, let url = web.url.flatMap({ URL(string: $0) }) else { return [:] }
        let old = item.answers[.link]
        let icon = web.faviconURL ?? URL(string: "/favicon.ico", relativeTo: url)?.absoluteString
        let hasImage = item.pictures[.preview] != nil && old?.image == page.image
        let hasIcon = item.pictures[.icon] != nil && old?.webContext?.faviconURL == web.faviconURL
        return await pictures.pictures(image: hasImage ? nil : page.image, icon: hasIcon ? nil : icon)
    }
}
