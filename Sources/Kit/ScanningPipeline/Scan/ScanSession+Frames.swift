import BookCatalogue
import Foundation
import Imaging
import ScanningPolicies
import Talaria
import TextRecognition

extension ScanSession {
    var readsFirst: Bool { strategy.readsFirst }

    /// Time during which captures are useless, as the back end accepts none and the strategy has nothing else; nil
    /// otherwise.
    public var shutterClosedFor: Duration? { strategy == .talariaOnly ? backEnd?.rateLimit?.remaining : nil }

    /// Runs the first tier for a frame, without a draft yet: reads it if the strategy reads first.
    func look(at frame: Frame, milestone: Milestone.Handler) async throws -> PhotoScan {
        var scans = [PhotoScan(id: frame.id, name: "frame \(frame.number)", strategy: strategy)]
        scans[0].frame = frame.number
        if readsFirst { try await read(.pixels(frame.aimed), into: &scans, milestone) }
        return scans[0]
    }

    /// Returns whether a frame is read as one of shelves: no single spine is aimed at, and the first reader reads
    /// shelves.
    func readsShelf(on frame: Frame) -> Bool {
        readsFirst && reader?.shelf != nil && frame.guide == nil
            && ShelfReader.isLikely(width: frame.image.width, height: frame.image.height)
    }

    /// Reads all spines of a picture of shelves.
    ///
    /// - Precondition: the session has a reader of shelves.
    func spines(on image: RasterImage) async throws -> ShelfReading {
        guard let shelf = reader?.shelf else { throw ScanningError.noReader(strategy) }
        let judge = matcher.map(ShelfReader.judge)
        return try await ReaderQueue.run { try shelf.read(image, judge: judge) }
    }

    /// Returns the scan of a spine that was read on a picture of that name, without a draft yet.
    func scan(of spine: ShelfSpine, on name: String, after time: Duration) -> PhotoScan {
        var scan = PhotoScan(id: UUID(), name: name + spine.place, strategy: strategy)
        scan.note(spine.reading, in: time, by: reader?.tier ?? .fast, on: .shelf)
        return scan
    }

    /// Returns the book that the catalogue names for certain by the text; nil without one.
    func sureBook(of lines: [RecognizedLine]) throws -> BookRecord? {
        let named = try NamedText(lines, on: .spine, by: matcher)
        return named.naming.isSure ? named.candidates.first?.book : nil
    }
}
