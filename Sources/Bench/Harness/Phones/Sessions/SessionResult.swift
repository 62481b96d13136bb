import Basics
import Evaluation
package import ScanningPolicies

/// Result of a session; every figure is modelled, and counts are expected ones.
package struct SessionResult: Sendable, Equatable, Codable {
    /// One minute, or what there was of the last one.
    package struct Minute: Sendable, Equatable, Codable {
        package var seconds, readings, books: Double
        /// From a frame to its first result, in ms; nil without any.
        package var p50, p95: Double?
        /// In J.
        package var energy: Double
        /// °C at its end.
        package var skin, chip: Double
        /// Seconds in a state above nominal.
        package var throttled: Double
    }

    package struct Point: Sendable, Equatable, Codable {
        package var second: Double
        /// °C.
        package var chip, skin: Double
        package var state: ThermalState
        /// Of the battery, used so far, by the energy model.
        package var percent: Double
        /// Frames, readings and books so far.
        package var frames, readings, books: Double
    }

    /// Less than planned when the battery was empty before.
    package var seconds = 0.0
    /// Frames that were due while the camera ran, and those that the reader got.
    package var frames = 0.0, readings = 0.0
    /// Spines that were read for the first time, or pictures that were sent.
    package var scans = 0.0
    package var requests = 0.0
    /// Scans that had to wait for the network, and those that still wait at the end.
    package var queued = 0.0, waiting = 0.0
    /// Different spines that were identified.
    package var books = 0.0
    package var energy = EnergyUse()
    /// Energy in J that reading adds to the same session without it: that of the compute units and the radio, less the
    /// plan's background load.
    package var readingJoules = 0.0
    /// Time that the CPU and the plan's unit worked, in s; two threads count twice.
    package var cpuSeconds = 0.0, unitSeconds = 0.0
    /// Of the battery, by the energy model, and by the seed's formula of the time that the units worked.
    package var percent = 0.0, seedPercent = 0.0
    /// By the place in `ThermalStates.rising`.
    package var stateSeconds = [0.0, 0, 0, 0]
    /// °C at the end.
    package var chip = 0.0, skin = 0.0
    /// From a frame to its first result, in ms; nil without any, and without a timeline.
    package var p50, p95: Double?
    package var minutes: [Minute] = []
    package var timeline: [Point] = []

    package var worstState: ThermalState { ThermalStates.rising[stateSeconds.lastIndex { $0 > 0 } ?? 0] }
    package var throttled: Double { stateSeconds.dropFirst().reduce(0, +) }
    package var percentPerMinute: Double { seconds > 0 ? percent * 60 / seconds : 0 }
    package var seedPercentPerMinute: Double { seconds > 0 ? seedPercent * 60 / seconds : 0 }
    /// Percent of the battery that reading adds in half an hour at this rate.
    package var readingPercentPerHalfHour: Double {
        energy.total > 0 ? percent * readingJoules / energy.total * 1_800 / seconds : 0
    }
    /// nil when no book was identified.
    package var joulesPerBook: Double? { books > 0 ? readingJoules / books : nil }
    package var booksPerPercent: Double? { percent > 0 ? books / percent : nil }
}

extension SessionResult {
    mutating func addPoint(_ heat: ThermalNetwork.State, _ state: Int) {
        timeline.append(
            Point(
                second: seconds,
                chip: heat.chip.rounded(toDigits: 3),
                skin: heat.skin.rounded(toDigits: 3),
                state: ThermalStates.rising[state],
                percent: percent.rounded(toDigits: 5),
                frames: frames.rounded(toDigits: 2),
                readings: readings.rounded(toDigits: 2),
                books: books.rounded(toDigits: 2)
            )
        )
    }

    mutating func addMinute(since start: SessionResult, p50: Double?, p95: Double?) {
        minutes.append(
            Minute(
                seconds: seconds - start.seconds,
                readings: (readings - start.readings).rounded(toDigits: 2),
                books: (books - start.books).rounded(toDigits: 2),
                p50: p50?.rounded(toDigits: 3),
                p95: p95?.rounded(toDigits: 3),
                energy: (energy.total - start.energy.total).rounded(toDigits: 3),
                skin: skin.rounded(toDigits: 3),
                chip: chip.rounded(toDigits: 3),
                throttled: throttled - start.throttled
            )
        )
    }

    /// Returns the timeline as a table: RFC 4180, a header, and a row for each point; lines end in CR LF.
    package func csv(device: String, hasHeader: Bool = true) -> String {
        let header = "device,second,chip_c,skin_c,state,battery_percent,frames,read,books,evidence"
        let name = "\"\(device.replacing("\"", with: "\"\""))\""
        let rows = timeline.map { point in
            let cells =
                [point.second, point.chip, point.skin].map { "\($0)" } + [point.state.rawValue]
                + [point.percent, point.frames, point.readings, point.books].map { "\($0)" }
            return ([name] + cells + [EvidenceClass.modelled.rawValue]).joined(separator: ",")
        }
        return ((hasHeader ? [header] : []) + rows).map { $0 + "\r\n" }.joined()
    }
}

extension Double {
    /// The nearest decimal number with `digits` after the point.
    func rounded(toDigits digits: Int) -> Double {
        let scale = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6][digits]
        return (self * scale).rounded() / scale
    }
}
