import Evaluation
package import ScanningPolicies

/// Outcome of a session; every figure of it is modelled.
///
/// Figures are rounded to a millionth of their unit, so that the last bits of a platform's mathematics do not show.
package struct SessionOutcome: Sendable, Equatable, Codable {
    /// One minute, or what there was of the last one.
    package struct Minute: Sendable, Equatable, Codable {
        /// Of the session, less than 60 at its end.
        package var seconds = 0.0
        package var reads = 0
        package var books = 0
        /// From a frame to its first result, in ms; nil without any.
        package var p50: Double?
        package var p95: Double?
        /// In J.
        package var energy = 0.0
        /// °C at its end.
        package var skin = 0.0
        package var chip = 0.0
        package var stateSeconds = StateSeconds()
    }

    /// Time that the device was in each state.
    package struct StateSeconds: Sendable, Equatable, Codable {
        package var nominal = 0.0
        package var fair = 0.0
        package var serious = 0.0
        package var critical = 0.0
    }

    package struct Point: Sendable, Equatable, Codable {
        package var second: Double
        /// °C.
        package var chip: Double
        package var skin: Double
        package var state: ThermalState
        /// Of the battery, used so far, by the energy model.
        package var percent: Double
        /// Frames that were due so far.
        package var offered: Int
        /// Of them, those that were not read: dropped, or with any reason.
        package var skipped: Int
        package var read: Int
        package var books: Int
        package var isPaused: Bool
    }

    package struct Scans: Sendable, Equatable, Codable {
        /// Readings that brought something new, or pictures that were sent.
        package var news = 0
        package var requests = 0
        package var queued = 0
        /// Of them, those that still wait at the end.
        package var waiting = 0
        package var refused = 0
        /// Times that the camera paused as nobody used it.
        package var pauses = 0
    }

    package var plan: SessionPlan
    package var seed: UInt64
    /// Less than planned when the battery was empty before.
    package var seconds: Double
    package var counts: FrameTriage.Counts
    /// Frames that were due while the reader was busy.
    package var dropped: Int
    package var scans: Scans
    /// Different spines that were identified.
    package var books: Int
    package var energy: EnergyUse
    /// In J; what the air took and what chip and skin have kept.
    package var heat: Double
    /// Time that the CPU and the plan's unit worked, in s; two threads count twice.
    package var cpuSeconds: Double
    package var unitSeconds: Double
    /// Of the battery, by the energy model.
    package var percent: Double
    /// Of the battery, by the seed's formula, of the time that the units worked.
    package var seedPercent: Double
    package var minutes: [Minute]
    package var timeline: [Point]
    package var stateSeconds: StateSeconds
    package var worstState: ThermalState
    package var chip: Double
    package var skin: Double
    /// From a frame to its first result in ms, in the order in which they came.
    package var latencies: [Double]
    /// From a frame to the back end's answer in ms, in the order in which they came; without those that waited in the queue.
    package var answers: [Double]

    package var percentPerMinute: Double { seconds > 0 ? percent * 60 / seconds : 0 }
    package var seedPercentPerMinute: Double { seconds > 0 ? seedPercent * 60 / seconds : 0 }
    /// Energy in J that reading adds to the same session without it.
    ///
    /// That of the compute units and the radio, less the plan's background load; base, display and camera take theirs whether
    /// anything is read or not.
    package var readingJoules: Double {
        max(0, energy.cpu + energy.gpu + energy.neuralEngine + energy.radio - plan.backgroundLoad * seconds)
    }
    /// The same in percent of the battery, by the energy model.
    package var readingPercent: Double { energy.total > 0 ? percent * readingJoules / energy.total : 0 }
    /// The same for half an hour at this rate.
    package var readingPercentPerHalfHour: Double { seconds > 0 ? readingPercent * 1_800 / seconds : 0 }
    /// The same in J for each book; nil when none was identified.
    package var joulesPerBook: Double? { books > 0 ? readingJoules / Double(books) : nil }
    package var percentPerHalfHour: Double { percentPerMinute * 30 }
    package var booksPerPercent: Double? { percent > 0 ? Double(books) / percent : nil }
    /// Frames that were due while the camera ran.
    package var offered: Int { counts.arrived + dropped }
    /// Whether what the battery gave is in the device or in the air, to a billionth.
    package var isBalanced: Bool
}

extension SessionOutcome {
    /// The timeline as a table: RFC 4180, a header, and a row for each point.
    ///
    /// Lines end in CR LF; the device is a first column when it is given.
    package func csv(device: String? = nil, hasHeader: Bool = true) -> String {
        let header = "second,chip_c,skin_c,state,battery_percent,offered,skipped,read,books,camera_paused,evidence"
        let lead = device.map { "\"\($0.replacing("\"", with: "\"\""))\"," } ?? ""
        var lines = hasHeader ? [(device == nil ? "" : "device,") + header] : []
        for point in timeline {
            let cells = [
                "\(point.second)", "\(point.chip)", "\(point.skin)", point.state.rawValue, "\(point.percent)",
                "\(point.offered)", "\(point.skipped)", "\(point.read)", "\(point.books)", point.isPaused ? "1" : "0",
                EvidenceClass.modelled.rawValue,
            ]
            lines.append(lead + cells.joined(separator: ","))
        }
        return lines.map { $0 + "\r\n" }.joined()
    }
}

extension SessionOutcome {
    init(_ run: SessionRun) {
        let (meter, values) = (run.meter, run.simulator.values)
        let energy = meter.energy
        let seconds = VirtualTime.seconds(meter.now)
        let (cpu, unit) = (VirtualTime.seconds(meter.busy.cpu), VirtualTime.seconds(meter.busy.unit))
        let seedPercent =
            SeedBattery.percent(busySeconds: cpu, on: .cpu) + SeedBattery.percent(busySeconds: unit, on: meter.unit)
        self.init(
            plan: run.plan,
            seed: run.seed,
            seconds: seconds.rounded(toDigits: 6),
            counts: run.triage.counts,
            dropped: run.camera.dropped,
            scans: run.scans,
            books: run.books,
            energy: energy.map { $0.rounded(toDigits: 6) },
            heat: meter.heat.rounded(toDigits: 6),
            cpuSeconds: cpu.rounded(toDigits: 6),
            unitSeconds: unit.rounded(toDigits: 6),
            percent: energy.percent(of: values).rounded(toDigits: 6),
            seedPercent: seedPercent.rounded(toDigits: 6),
            minutes: run.recorder.minutes,
            timeline: run.recorder.timeline,
            stateSeconds: StateSeconds(run.recorder.stateTimes),
            worstState: ThermalStates.rising[run.recorder.worst],
            chip: meter.temperatures.chip.rounded(toDigits: 6),
            skin: meter.temperatures.skin.rounded(toDigits: 6),
            latencies: run.recorder.latencies,
            answers: run.recorder.answers,
            isBalanced: meter.isBalanced
        )
    }
}
