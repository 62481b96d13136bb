import Harness
import Reports

/// The files of stored runs that other commands read.
enum RunFiles {
    /// - Parameter run: a run's folder, or its report.json.
    /// - Returns: paths, whether there are such files or not.
    static func all(of run: String) -> [String] {
        let names = [
            RunFolder.Name.configuration, RunFolder.Name.samples, RunFolder.Name.events, RunFolder.Name.devices,
            RunReports.Name.json,
        ]
        return [run] + names.map { "\(run)/\($0)" }
    }
}
