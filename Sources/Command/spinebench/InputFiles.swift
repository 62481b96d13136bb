import Composition
import Harness
import Reports

extension OutputFile {
    /// Returns the files of a stored run, a folder or report.json, that other commands read, whether they exist or not.
    static func files(ofRun run: String) -> [String] {
        let names = [
            RunFolder.Name.configuration, RunFolder.Name.samples, RunFolder.Name.events, RunFolder.Name.devices,
            RunReports.Name.json,
        ]
        return [run] + names.map { "\(run)/\($0)" }
    }
}
