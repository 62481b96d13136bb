import Basics
import BookCatalogue
import CommandSupport
import DatasetExchange
import Foundation
import Imaging
import ScanningPipeline
import SpineDatasets
import Synchronization
import Systems
import TextRecognition

/// Reader of photos and of single outlines for labelling; keeps the photo that was used last in memory.
final class SpineProposer: Sendable {
    let reader: String
    private let pipeline: SpinePipeline
    private let last = Mutex<(path: String, image: RasterImage)?>(nil)

    init(_ pipeline: SpinePipeline, reader: String) { (self.pipeline, self.reader) = (pipeline, reader) }

    /// Parts of a photo.
    enum Depth { case header, pixels, text }

    /// Reads a photo down to its text, or less of it; one that cannot be read is a proposal with the error.
    func photo(_ photo: LabelPhoto, to depth: Depth = .text) -> PhotoProposal {
        var proposal = PhotoProposal(photo: photo.name, reader: reader)
        do {
            let bytes = try photo.bytes()
            _ = try ImageCodec.header(of: bytes, name: photo.name)
            if depth == .header { return proposal }
            proposal.digest = SHA256.hex(of: bytes)
            // A photo that does not decode at its full size has no crops.
            let image = try image(of: photo)
            if depth == .pixels { return proposal }
            let found = try pipeline.books(of: .file(bytes), name: photo.name)
            (proposal.width, proposal.height) = (image.width, image.height)
            proposal.isOneSpine = found.kind != .shelf
            proposal.spines = try found.books.map { book in
                let outline = book.spine.outline.inside(image)
                let onShelf = ProposedSpine(outline, book.spine.reading, book.named)
                return found.kind == .shelf ? try alone(outline, on: image, or: book, onShelf) : onShelf
            }
            if found.kind == .spine, proposal.spines.isEmpty {
                proposal.spines = [ProposedSpine(blank: .whole(image))]
            }
        } catch {
            let reason = error.systemReason
            proposal.error = reason.hasPrefix(photo.name) ? reason : "\(photo.name): \(reason)"
        }
        return proposal
    }

    /// Returns the better of the readings of a spine, alone or on its shelf: on a shelf, small letters are read worse.
    private func alone(
        _ outline: Quad,
        on image: RasterImage,
        or book: PictureBooks.Book,
        _ onShelf: ProposedSpine
    ) throws -> ProposedSpine {
        let (alone, named) = try read(outline, on: image)
        if named.naming.answer != nil { return alone }
        let isShort = 2 * alone.lines.joined().count < onShelf.lines.joined().count
        return isShort || book.named.naming.answer != nil ? onShelf : alone
    }

    /// Reads an outline that a person drew.
    func spine(_ outline: Quad, on photo: LabelPhoto) throws -> ProposedSpine {
        try read(outline, on: image(of: photo)).spine
    }

    private func read(_ outline: Quad, on image: RasterImage) throws -> (spine: ProposedSpine, named: NamedText) {
        let reading = try pipeline.reader.reader.read(crop(outline, of: image))
        let named = try NamedText(reading.lines, on: .shelf, by: pipeline.matcher)
        return (ProposedSpine(outline, reading, named), named)
    }

    /// Returns the inside of an outline, straightened, at the photo's resolution.
    func crop(_ outline: Quad, of photo: LabelPhoto) throws -> RasterImage { try crop(outline, of: image(of: photo)) }

    private func crop(_ outline: Quad, of image: RasterImage) throws -> RasterImage {
        if outline == .whole(image) { return image }
        guard let crop = image.straightened(outline) else {
            throw InputError("the outline is outside the photo, or not convex; draw its corners again")
        }
        return crop
    }

    /// Returns the photo for a page, its long side 2,600 pixels at most.
    func picture(_ photo: LabelPhoto) throws -> [UInt8] {
        let image = try image(of: photo)
        return try ImageCodec.encodeJPEG(image.fitted(to: 2_600), quality: 85)
    }

    func image(of photo: LabelPhoto) throws -> RasterImage {
        try last.withLock { last in
            if let last, last.path == photo.path { return last.image }
            let image = try ImageCodec.decode(photo.bytes(), name: photo.name).image
            last = (photo.path, image)
            return image
        }
    }
}

extension Quad {
    static func whole(_ image: RasterImage) -> Quad {
        Quad(left: 0, top: 0, right: Double(image.width), bottom: Double(image.height))
    }

    /// Returns the quad with all corners moved into the picture.
    func inside(_ image: RasterImage) -> Quad {
        mapped { corner in
            Point(
                x: min(max(corner.x, 0), Double(image.width)).roundedToTenths,
                y: min(max(corner.y, 0), Double(image.height)).roundedToTenths
            )
        }
    }
}

extension Double {
    fileprivate var roundedToTenths: Double { (self * 10).rounded() / 10 }
}
