package import Basics

/// Model of a network's effect on a message; its times are never measured ones.
package struct NetworkProfile: Sendable, Equatable, Codable {
    package var name: String
    /// Round trip without content, in milliseconds.
    package var roundTripMilliseconds: Double
    /// The most that one way takes longer or less, evenly spread, in milliseconds.
    package var jitterMilliseconds: Double
    /// Rate from the device, in megabits (1,000,000 bits) a second.
    package var upMegabits: Double
    package var downMegabits: Double
    /// Share of packets that are lost, 0…1.
    package var lossShare: Double
    /// Source of the figures: `[S]` read in its source, `[D]` derived, `[assumed]` chosen as plausible.
    package var source: String

    /// Name, round trip and jitter in milliseconds, megabits a second up and down, loss, and source of each network.
    private static let table: [(String, Double, Double, Double, Double, Double, String)] = [
        ("wifi", 20, 3, 20, 50, 0.001, "[assumed] a home's access point behind a cable connection"),
        ("5g", 30, 5, 20, 150, 0.001, "[assumed] mid-band 5G outdoors"),
        (
            "lte", 70, 15, 6, 13, 0.005,
            "[S] medians of 13 and 6 Mbit/s: Huang et al., MobiSys 2012, abstract; "
                + "[assumed] round trip, jitter and loss"
        ),
        ("poor", 300, 80, 0.5, 1, 0.03, "[assumed] the edge of a cell, or a crowded access point"),
    ]

    package static let all = table.map { name, roundTrip, jitter, up, down, loss, source in
        NetworkProfile(
            name: name,
            roundTripMilliseconds: roundTrip,
            jitterMilliseconds: jitter,
            upMegabits: up,
            downMegabits: down,
            lossShare: loss,
            source: source
        )
    }

    package static func named(_ name: String) -> NetworkProfile? { all.first { $0.name == name } }

    package enum Direction: Sendable {
        case up
        case down
    }

    /// Content of a packet in bytes: Ethernet's 1,500 less the headers of IP and TCP.
    package static let packetBytes = 1_460
    /// Packets that are sent before the first is acknowledged (RFC 6928).
    package static let initialWindow = 10

    /// Returns bytes a second that one way carries for one connection.
    ///
    /// Where packets are lost, TCP cannot use all of the bandwidth: it has no more than √(3/2) / √loss packets in
    /// flight. Source: Mathis, Semke, Mahdavi, Ott, "The macroscopic behavior of the TCP congestion avoidance
    /// algorithm", ACM CCR 27 (1997), equation 3, with every packet acknowledged.
    package func bytesPerSecond(_ direction: Direction) -> Double {
        let bandwidth = (direction == .up ? upMegabits : downMegabits) * 1e6 / 8
        guard lossShare > 0, roundTripMilliseconds > 0 else { return bandwidth }
        let inFlight = Double(Self.packetBytes) * (1.5 / lossShare).squareRoot()
        return min(bandwidth, inFlight / (roundTripMilliseconds / 1_000))
    }

    /// Opening a connection before the first message: a round trip for TCP and one for TLS 1.3, in milliseconds.
    package var setUpMilliseconds: Double { 2 * roundTripMilliseconds }

    /// Returns the milliseconds from a message's first sent byte to its last received byte, without jitter and loss.
    ///
    /// One way's delay, the rounds in which the window doubles until it fills the line (RFC 5681, slow start), and
    /// the rest at the line's rate.
    package func transferMilliseconds(bytes: Int, _ direction: Direction) -> Double {
        let rate = bytesPerSecond(direction) / 1_000
        var left = Double(max(0, bytes))
        var window = Double(Self.initialWindow * Self.packetBytes)
        var milliseconds = roundTripMilliseconds / 2
        // A window that is not acknowledged before it is sent leaves the line idle until it is.
        while left > window, window < rate * roundTripMilliseconds {
            milliseconds += roundTripMilliseconds
            left -= window
            window *= 2
        }
        return milliseconds + left / rate
    }

    /// Returns the milliseconds of a message with jitter, and a round trip for each round of sending lost packets
    /// again.
    package func delayMilliseconds(bytes: Int, _ direction: Direction, random: inout SplitMix64) -> Double {
        let jitter = (2 * random.nextDouble() - 1) * jitterMilliseconds
        var milliseconds = max(0, transferMilliseconds(bytes: bytes, direction) + jitter)
        // A message without content is a packet all the same.
        var packets = max(1, (bytes + Self.packetBytes - 1) / Self.packetBytes)
        while lossShare > 0, lossShare < 1 {
            packets = (0..<packets).count { _ in random.nextDouble() < lossShare }
            if packets == 0 { break }
            milliseconds +=
                roundTripMilliseconds
                + Double(packets * Self.packetBytes) / bytesPerSecond(direction) * 1_000
        }
        return milliseconds
    }
}
