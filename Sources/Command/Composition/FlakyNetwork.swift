import Foundation
import SpineDatasets
import Talaria

/// A network that is not there during a share of the scans, the same ones in every variant.
final class FlakyNetwork: HTTPTransport {
    private let base: any HTTPTransport
    private let share: Double
    private let seed: Int

    /// - Parameters:
    ///   - base: carries the requests while the network is there.
    ///   - share: of the scans during which it is not, 0…1.
    ///   - seed: decides which scans these are.
    init(_ base: any HTTPTransport, share: Double, seed: Int) {
        self.base = base
        self.share = share
        self.seed = seed
    }

    /// Whether the network is out while a picture is scanned, whatever was scanned before.
    func isOut(during name: String) -> Bool {
        let digits = SHA256.hex(of: Array("\(seed) \(name)".utf8)).prefix(8)
        return Double(UInt32(digits, radix: 16) ?? 0) / 0x1p32 < share
    }

    func send(_ request: TransportRequest, meter: TransferMeter) async throws -> TransportResponse {
        if MeasuredScan.current?.isOffline == true {
            let host = request.url.host() ?? ""
            throw TalariaError.unreachable(host: host, reason: "there is no network during this scan")
        }
        return try await base.send(request, meter: meter)
    }
}
