import Basics
package import Documents
import Foundation
import ScanningPolicies

/// Sessions on one device: with nominal figures, and in each draw; all of it is modelled.
package struct DeviceSessions: Sendable, Encodable {
    package var device: String
    package var evidence = "modelled"
    package var draws = Draws.count
    package var seed: UInt64
    package var nominal: SessionResult
    /// The 5th to 95th percentile of the draws.
    package var energyPerMinute, seedPerMinute, skin, books: Spread
    package var plan: SessionPlan

    /// `sessions`: The nominal one first.
    package init(_ sessions: [Session], device: String, seed: UInt64) {
        let results = sessions.map { $0.run() }
        func spread(_ value: (SessionResult) -> Double) -> Spread { Drawn(results) { value($0) }.spread }
        (self.device, self.seed, plan) = (device, seed, sessions[0].plan)
        nominal = sessions[0].run(pointsEvery: 10)
        (energyPerMinute, seedPerMinute) = (spread(\.percentPerMinute), spread(\.seedPercentPerMinute))
        (skin, books) = (spread(\.skin), spread(\.books))
    }
}

/// Tables of sessions.
package enum SessionTables {
    package static func devices(_ sessions: [DeviceSessions]) -> Table {
        Table(
            "A session on each device (modelled)",
            note:
                "Nominal figures, and in brackets the 5th to 95th percentile of \(Draws.count) draws of the device's figures. "
                + "Latency is from a frame to its first result. \(batteries)",
            columns: [
                "device", "read", "books", "P50 ms", "P95 ms", "1st → last min P50", "%/min", "%/30 min",
                "seed %/min", "books per %", "skin °C", "worst state", "throttled s",
            ],
            rows: sessions.map { session in
                let nominal = session.nominal
                let ends = [nominal.minutes.first, nominal.minutes.last].map { text($0?.p50, 0) }
                return [
                    session.device, text(nominal.readings, 0), spread(session.books, 0), text(nominal.p50, 1),
                    text(nominal.p95, 1), "\(ends[0]) → \(ends[1])", spread(session.energyPerMinute, 2),
                    spread(session.energyPerMinute, 1, times: 30), spread(session.seedPerMinute, 2),
                    text(nominal.booksPerPercent, 1), spread(session.skin, 1), nominal.worstState.rawValue,
                    text(nominal.throttled, 0),
                ]
            }
        )
    }

    /// One session in detail: its frames, where the energy went, and minute by minute.
    package static func detail(_ session: DeviceSessions) -> [Table] {
        let (device, result) = (session.device, session.nominal)
        let energy = result.energy
        let parts: [(String, Double)] = [
            ("display", energy.display), ("camera", energy.camera), ("system", energy.base), ("CPU", energy.cpu),
            ("GPU", energy.gpu), ("Neural Engine", energy.neuralEngine), ("radio", energy.radio),
        ]
        let frames = [
            ("due while the camera ran", result.frames), ("read", result.readings), ("new spines", result.scans),
            ("requests", result.requests), ("queued", result.queued), ("waiting at the end", result.waiting),
        ]
        return [
            Table(
                "\(device): frames and scans (modelled)",
                columns: ["what", "expected number"],
                rows: frames.filter { $0.1 > 0 }.map { [$0.0, text($0.1, 0)] }
            ),
            Table(
                "\(device): energy (modelled)",
                note: batteries,
                columns: ["component", "J", "share"],
                rows: parts.map { [$0.0, text($0.1, 1), text(100 * $0.1 / max(energy.total, 1e-9), 1) + " %"] }
                    + [["all", text(energy.total, 1), "\(text(result.percent, 2)) % of the battery"]]
            ),
            Table(
                "\(device): minutes (modelled)",
                columns: ["minute", "read", "books", "P50 ms", "P95 ms", "J", "skin °C", "chip °C", "throttled s"],
                rows: result.minutes.enumerated().map { index, minute in
                    [
                        "\(index + 1)", text(minute.readings, 0), text(minute.books, 1), text(minute.p50, 1),
                        text(minute.p95, 1), text(minute.energy, 1), text(minute.skin, 1), text(minute.chip, 1),
                        text(minute.throttled, 0),
                    ]
                }
            ),
        ]
    }

    private static let batteries =
        "Battery by the energy model; the seed's formula counts only the units' busy time, and contradicts itself (K-4)."

    private static func spread(_ spread: Spread, _ digits: Int, times factor: Double = 1) -> String {
        let nominal = text(spread.nominal.value.map { $0 * factor }, digits)
        guard let range = spread.range else { return nominal }
        return "\(nominal) [\(text(range.lowerBound * factor, digits)) – \(text(range.upperBound * factor, digits))]"
    }

    private static func text(_ value: Double?, _ digits: Int) -> String {
        value.map { String(format: "%.\(digits)f", $0) } ?? "–"
    }
}
