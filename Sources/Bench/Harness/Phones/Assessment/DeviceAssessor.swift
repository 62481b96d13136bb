import Basics
package import Evaluation
import Statistics

/// Models every measurement of a run on every device.
package struct DeviceAssessor: Sendable {
    package var calibration: HostCalibration
    /// Seed that the plausible phones are drawn with.
    package var seed: UInt64
    /// Lengths of the two sessions; their use of the battery is always reported for a minute and for half an hour.
    package var minutes: Minutes

    package struct Minutes: Sendable {
        package var short = 10.0
        package var long = 30.0

        package init() {}
    }

    package init(calibration: HostCalibration, seed: UInt64 = 1, minutes: Minutes = Minutes()) {
        (self.calibration, self.seed, self.minutes) = (calibration, seed, minutes)
    }

    /// Returns the assessment of measurements on devices, independent of the number of processors.
    ///
    /// `subjects`: Measurements, in display order. `progress`: Receives the number of finished rows, and their total.
    ///
    /// - Returns: a row for each measurement on each device.
    /// - Throws: ``HarnessError`` when a figure of a plan or a device is out of its range.
    package func assess(
        _ subjects: [AssessmentSubject],
        on profiles: [DeviceProfile],
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> DeviceAssessment {
        let usable = subjects.filter { !$0.readings.isEmpty }
        let pairs = usable.flatMap { subject in profiles.map { (subject, $0) } }
        let rows = try await withThrowingTaskGroup(of: (place: Int, row: DeviceRow).self) { group in
            for (place, (subject, profile)) in pairs.enumerated() {
                group.addTask {
                    let model = DeviceModel(subject, on: profile, by: self)
                    let plain = model.recording.map { _ in
                        DeviceModel(subject, on: profile, by: self, isRecorded: false)
                    }
                    return (place, try model.row(beside: plain))
                }
            }
            var rows = [DeviceRow?](repeating: nil, count: pairs.count)
            var done = 0
            for try await finished in group {
                rows[finished.place] = finished.row
                done += 1
                progress(done, pairs.count)
            }
            return rows.compactMap(\.self)
        }
        return DeviceAssessment(
            seed: seed,
            coverage: profiles.map(DeviceAssessment.Coverage.init),
            rows: rows,
            omitted: subjects.filter { $0.readings.isEmpty }.map { "\($0.name): no reading finished" }
                + subjects.compactMap(\.unaccountedNote)
        )
    }
}

/// Assessment of every tier of a run on every device that was asked for.
package struct DeviceAssessment: Sendable, Equatable, Codable {
    /// Device of the matrix, and its purpose.
    package struct Coverage: Sendable, Equatable, Codable {
        package var device: String
        package var chip: String
        package var tier: DeviceProfile.Tier
        package var systems: ClosedRange<Int>
        package var intelligence: DeviceProfile.Intelligence
        /// Focus of the project documents' tests of it (S3-19); nil for another device.
        package var focus: String?
        package var notes: [String]
    }

    /// Seed of the draws.
    package var seed: UInt64
    package var coverage: [Coverage]
    /// Measurement by measurement, and device by device.
    package var rows: [DeviceRow]
    /// Subjects that nothing could be modelled from, and why.
    package var omitted: [String]

    /// Devices that the project documents test, in their order, with their purposes (S3-19).
    package static let seedMatrix = [
        (device: "iPhone 15 Pro", focus: "all models at highest quality"),
        (device: "iPhone 13", focus: "battery over 30 minutes"),
        (device: "iPhone 12", focus: "quality degradation"),
        (device: "iPhone 11", focus: "fallback behaviour"),
        (device: "iPhone SE 2", focus: "minimum requirements"),
    ]

    /// Returns the name of the figure of a row that decides an outcome in the draws most; nil when none does.
    package func mostDeciding(_ outcome: [Double], of row: DeviceRow) -> String? {
        Draws.mostDeciding(
            outcome,
            row.sensitivity.map { ($0.name, RankCorrelation.ranks(Draws.places($0.key, seed))) }
        )
    }

    /// Verdict of the rows that gate; nil when none does.
    package var verdict: Verdict? { Verdict.overall(rows.compactMap(\.verdict)) }
}

extension DeviceAssessment.Coverage {
    init(_ profile: DeviceProfile) {
        device = profile.name
        chip = profile.chip
        tier = profile.tier
        systems = profile.systems
        intelligence = profile.appleIntelligence
        focus = DeviceAssessment.seedMatrix.first { $0.device == profile.name }?.focus
        notes = profile.notes
    }
}
