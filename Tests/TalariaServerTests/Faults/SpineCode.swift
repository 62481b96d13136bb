import BookCatalogue
import Foundation
import Imaging
import ScanningPipeline
import ScanningPolicies
import Talaria
import TextRecognition

/// Picture that is readable without an engine: black or white squares that encode a number.
struct SpineCode: Sendable, Hashable {
    var number: UInt32

    private static let side = 8
    private static let columns = 8
    private static let bits = 32

    init(_ number: Int) { self.number = UInt32(number) }

    /// Reads a picture, independent of its encodings in between.
    init?(_ image: RasterImage) {
        let (side, columns) = (Self.side, Self.columns)
        guard image.width == columns * side, image.height == Self.bits / columns * side else { return nil }
        number = (0..<Self.bits).reduce(0) { code, bit in
            let (x, y) = (bit % columns * side + side / 2, bit / columns * side + side / 2)
            return image.pixels[(y * image.width + x) * image.channels] > 127 ? code | 1 << UInt32(bit) : code
        }
    }

    func picture() throws -> [UInt8] {
        let (side, columns) = (Self.side, Self.columns)
        let (width, height) = (columns * side, Self.bits / columns * side)
        let pixels = (0..<height * width).map { index -> UInt8 in
            let bit = index / width / side * columns + index % width / side
            return number >> UInt32(bit) & 1 == 1 ? 255 : 0
        }
        return try ImageCodec.encodePNG(RasterImage(width: width, height: height, channels: 1, pixels: pixels))
    }
}

/// The reader on the device.
struct SpineCodeReader: SpineTextReader {
    func read(_ image: RasterImage) throws -> SpineReading {
        guard let lines = SpineCode(image).flatMap(FaultCode.init)?.lines else {
            throw FaultFinding("the picture is not one of these tests'")
        }
        let corner = Point(x: 0, y: 0)
        let quad = Quad(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner)
        return SpineReading(
            lines: lines.map { RecognizedLine(text: $0, confidence: 0.9, quad: quad) },
            orientation: lines.isEmpty ? nil : .clockwise,
            timings: StageTimings()
        )
    }
}

extension ScanSession {
    /// Returns a session that reads ``SpineCode``s, and its ledger contains its client's transfers.
    ///
    /// `patience` is the client's clock, `clock` the session's own; the calendar is a number of hours fast, so that
    /// the queue's waits are over.
    static func ofSpineCodes(
        strategy: ScanStrategy,
        client: ClientConfiguration,
        transport: any HTTPTransport,
        store: LibraryStore,
        ledger: EgressLedger = EgressLedger(),
        matcher: Matcher? = nil,
        patience: any Clock<Duration> = ContinuousClock(),
        clock: any Clock<Duration> = ContinuousClock(),
        hours: Double
    ) throws -> ScanSession {
        try ScanSession(
            strategy: strategy,
            reader: LocalReader(SpineCodeReader()),
            matcher: matcher,
            backEnd: TalariaClient(configuration: client, transport: transport, clock: patience) { ledger.note($0) },
            store: store,
            ledger: ledger,
            deviceID: client.deviceID,
            clock: clock,
            now: { Date().addingTimeInterval(hours * 3_600) }
        )
    }
}
