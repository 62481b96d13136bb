import Composition
import Harness
import Reports
import SpineDatasets

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

extension Dataset {
    var files: [String] {
        let pictures = (samples.map(\.image) + shelves.map(\.image)).map { store.source(of: $0).path }
        let others = ["samples.jsonl", "shelves.jsonl", "shards.json", "dataset.json", "croissant.json", "CARD.md"]
        return Set(pictures).sorted() + others.map { "\(path)/\($0)" }
    }
}
