package import DeviceSimulation
import Foundation
import Harness
import SpineDatasets

/// Devices of a run, as its folder has them: all that their figures rest on, and the figures.
///
/// With it the reports are written again anywhere, without the profiles, and to the byte.
package struct DeviceRecord: Sendable, Equatable, Codable {
    /// Version of this structure.
    package var format = 1
    /// Complete profiles.
    package var profiles: [DeviceProfile]
    /// Calibration of the run's host; nil when no devices were requested.
    package var calibration: HostCalibration?
    /// Assumed figures of the A15.
    package var reference: [ScalingFigure: Estimate]
    package var assessment: DeviceAssessment?

    package init(
        profiles: [DeviceProfile] = [],
        calibration: HostCalibration? = nil,
        assessment: DeviceAssessment? = nil
    ) {
        (self.profiles, self.calibration) = (profiles, calibration)
        self.assessment = assessment
        reference = calibration == nil ? [:] : A15Reference.figures
    }

    /// Keeps it in a run's folder.
    ///
    /// - Throws: ``HarnessError`` when the disk cannot be written; when a figure is not finite.
    package func write(to folder: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        try RunFolder.write(try encoder.encode(self) + [0x0A], RunFolder.Name.devices, folder)
    }

    /// Loads the record from a run's folder; nil when it has none.
    ///
    /// - Throws: ``HarnessError/runFolder(path:problem:)`` when the file is broken.
    package static func load(from folder: String) throws -> DeviceRecord? {
        let path = "\(folder)/\(RunFolder.Name.devices)"
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        do {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(DeviceRecord.self, from: data)
        } catch {
            throw HarnessError.runFolder(
                path: path,
                problem: "\(JSONLine.reason(of: error)); delete it to report the run without devices"
            )
        }
    }
}

extension DeviceAssessment {
    /// Returns both assessments as one, a device of both listed once.
    func merged(with other: DeviceAssessment?) -> DeviceAssessment {
        guard let other else { return self }
        var whole = self
        whole.rows += other.rows
        whole.omitted += other.omitted
        whole.coverage += other.coverage.filter { !coverage.contains($0) }
        return whole
    }
}
