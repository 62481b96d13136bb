import BookCatalogue
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
    func look(at frame: Frame, milestone: @escaping @Sendable (Milestone) -> Void) async throws -> PhotoScan {
        var scan = PhotoScan(id: frame.id, name: "frame \(frame.number)", strategy: strategy)
        scan.frame = frame.number
        if readsFirst { try await read(.frame(frame.aimed), into: &scan, milestone) }
        return scan
    }

    /// Returns whether a frame is read as one of shelves: no single spine is aimed at, and the first reader reads
    /// shelves.
    func readsShelf(on frame: Frame) -> Bool {
        readsFirst && reader?.shelf != nil && frame.guide == nil
            && ShelfReader.isLikely(width: frame.image.width, height: frame.image.height)
    }

    /// Returns the book that the catalogue names for certain by the text; nil without one.
    func sureBook(of lines: [RecognizedLine]) throws -> BookRecord? {
        let named = try named(lines, on: .spine)
        return named.naming.isSure ? named.candidates.first?.book : nil
    }

    /// Names the book of a frame, the rest of its scan.
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
