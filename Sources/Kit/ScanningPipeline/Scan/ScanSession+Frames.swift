import BookCatalogue
import Imaging
import ScanningPolicies
import Talaria
import TextRecognition

extension ScanSession {
    var readsFirst: Bool { strategy.readsFirst }

    /// How long captures are of no use, as the back end takes none and the strategy has nothing else; nil for "not at all".
    public var shutterClosedFor: Duration? { strategy == .talariaOnly ? backEnd?.rateLimit?.remaining : nil }

    /// The first tier of a frame's way, without a draft yet: reads it where the strategy reads first.
    func look(at frame: Frame, milestone: @escaping @Sendable (Milestone) -> Void) async throws -> PhotoScan {
        var scan = PhotoScan(id: frame.id, name: "frame \(frame.number)", strategy: strategy)
        scan.frame = frame.number
        if readsFirst { try await read(.frame(frame.aimed), into: &scan, milestone) }
        return scan
    }

    /// Whether a frame is read as one of shelves: nobody aims at one spine, and what reads first reads shelves.
    func readsShelf(on frame: Frame) -> Bool {
        readsFirst && reader?.shelf != nil && frame.guide == nil
            && ShelfReader.isLikely(width: frame.image.width, height: frame.image.height)
    }

    /// The book that the catalogue names for certain by what was read; nil for none.
    func sureBook(of lines: [RecognizedLine]) throws -> BookRecord? {
        let named = try named(lines, on: .spine)
        return named.naming.isSure ? named.candidates.first?.book : nil
    }

    /// The rest of a frame's way: names the book.
    ///
    /// - Throws: as ``scan(photo:name:id:milestone:)``.
    public func finish(
        _ scan: PhotoScan,
        frame: Frame,
        milestone: @escaping @Sendable (Milestone) -> Void = { _ in }
    ) async throws -> PhotoScan {
        var scan = scan
        try await EgressLedger.$scan.withValue(scan.id) {
            switch strategy {
            case .onDeviceOnly, .hybrid: try await resolve(&scan, milestone)
            case .talariaOnly:
                _ = try await upload(.frame(frame.aimed), of: &scan, within: settings.patience, milestone)
            case .visionFallback: try await uploadOrRead(.frame(frame.aimed), of: &scan, milestone)
            }
        }
        scan.egress = ledger.totals(of: scan.id)
        return scan
    }
}
