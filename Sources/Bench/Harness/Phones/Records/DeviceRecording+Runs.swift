import Evaluation
import ScanningPolicies

extension DeviceRecording {
    /// Returns the readings on devices in runs that `score` made, by the measurement whose model they take the place of:
    /// the one of the variant of the same name over the same dataset.
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` for a run of this machine, a device that is none of `profiles`, a
    ///   variant or dataset that `configuration` lacks, a file without latencies, and two recordings of one device.
    package static func load(
        _ paths: [String],
        for configuration: RunConfiguration,
        on profiles: [DeviceProfile]
    ) throws -> [String: [DeviceRecording]] {
        var found: [String: [DeviceRecording]] = [:]
        for path in paths {
            let run = try RunFolder.contents(path)
            for scored in run.configuration.measurements {
                let name = scored.variant.name
                func fault(_ problem: String) -> HarnessError { .configuration("\(path): \(name) \(problem)") }
                guard let origin = scored.variant.origin else {
                    throw fault("was read on this machine; a recording is a run that 'spinebench score' made")
                }
                let device = origin.device ?? "an unknown device"
                guard let profile = profiles.first(where: { $0.isDevice(device) }) else {
                    throw fault(
                        "was read on \(device), which is none of the run's devices (\(profiles.map(\.name).joined(separator: ", "))); "
                            + "run again with --devices"
                    )
                }
                let same = configuration.measurements.first {
                    ($0.variant.name, $0.dataset.digest) == (name, scored.dataset.digest) && $0.scenario.kind == .single
                }
                guard let same, same.variant.tier != nil else {
                    let names = configuration.variants.filter { $0.tier != nil }.map(\.name).joined(separator: ", ")
                    throw fault(
                        "takes the place of no measurement; score the readings of the run's dataset again, as NAME=FILE, with "
                            + "the name of one of its variants: \(names)"
                    )
                }
                let own = run.records.filter { record in
                    let isCool = (record.stated?.thermal ?? .nominal) == .nominal
                    return record.measurement == scored.id && record.milliseconds != nil && isCool
                }
                let read = own.filter { $0.outcome == .read }
                guard !read.isEmpty else { throw fault("has no latency of a reading in the thermal state nominal") }
                guard found[same.id]?.contains(where: { $0.device == profile.name }) != true else {
                    throw fault("is a second recording of \(name) on \(profile.name); give one of them")
                }
                var recording = DeviceRecording(
                    device: profile.name,
                    origin: [origin.system, device].compactMap(\.self).joined(separator: " on "),
                    evidence: scored.variant.evidence ?? .reported,
                    milliseconds: read.compactMap(\.milliseconds),
                    samples: Set(own.map(\.id)).count
                )
                recording.unanswered = own.count - read.count
                found[same.id, default: []].append(recording)
            }
        }
        return found
    }
}
