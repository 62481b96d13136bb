import DeviceSimulation
import Evaluation
import Foundation
package import Harness
package import SpineDatasets

/// All that is known of a run: its result, every reading, and the labels that they were scored by.
package struct RunContents: Sendable {
    /// What tells it from other runs: its folder's name.
    package var name: String
    package var result: RunResult
    package var records: [SampleRecord]
    /// Those of the result's datasets that are at hand.
    package var datasets: [Dataset]
    /// What keeps a report from being whole, such as a dataset that is gone.
    package var warnings: [String] = []

    package init(name: String, result: RunResult, records: [SampleRecord], datasets: [Dataset]) {
        self.name = name
        self.result = result
        self.records = records
        self.datasets = datasets
    }

    /// Which sample of which dataset each record is of.
    package var samples: SampleIndex { SampleIndex(result.measurements, datasets: datasets) }

    /// The run in a folder, scored anew when its datasets are where they were and unchanged, and else as it was reported.
    ///
    /// Nothing in the folder is changed.
    ///
    /// - Parameter path: The folder, or its `report.json`.
    /// - Returns: The run.
    /// - Throws: ``HarnessError/runFolder(path:problem:)`` when there is no run, or neither datasets nor a report.
    package static func load(_ path: String) throws -> RunContents {
        let url = URL(filePath: path)
        let folder = url.pathExtension == "json" ? url.deletingLastPathComponent().path : path
        let name = URL(filePath: folder).standardizedFileURL.lastPathComponent
        let stored = try RunFolder.contents(folder)
        var datasets: [Dataset] = []
        var warnings: [String] = []
        for reference in stored.configuration.datasets {
            do {
                let dataset = try DatasetLoader().load(reference.path)
                if dataset.digest == reference.digest {
                    datasets.append(dataset)
                } else {
                    warnings.append("\(name): \(reference.path) has changed since it was read, and is left out")
                }
            } catch {
                warnings.append("\(name): \(reference.path) cannot be read, so its pictures and labels are left out")
            }
        }
        if warnings.isEmpty {
            var result = try RunResult(
                configuration: stored.configuration,
                datasets: datasets,
                records: stored.records,
                events: stored.events
            )
            if let record = try DeviceRecord.load(from: folder) { result.add(record) }
            return RunContents(name: name, result: result, records: stored.records, datasets: datasets)
        }
        var contents = RunContents(
            name: name,
            result: try reported(in: folder, because: warnings),
            records: stored.records,
            datasets: datasets
        )
        contents.warnings = warnings
        return contents
    }

    /// The result as `report.json` has it.
    private static func reported(in folder: String, because warnings: [String]) throws -> RunResult {
        let path = "\(folder)/\(RunFolder.Name.report)"
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HarnessError.runFolder(path: path, problem: "is missing, and \(warnings.joined(separator: "; "))")
        }
        do {
            return try JSONDecoder().decode(RunResult.self, from: data)
        } catch {
            throw HarnessError.runFolder(path: path, problem: JSONLine.reason(of: error))
        }
    }

    /// Several runs as one.
    ///
    /// Measurements that have the same id in two runs get their run's name in front.
    /// - Throws: ``HarnessError/configuration(_:)`` when two runs read different datasets of one name.
    package static func merged(_ runs: [RunContents]) throws -> RunContents {
        guard var whole = runs.first, runs.count > 1 else {
            guard let only = runs.first else {
                throw HarnessError.configuration("no runs to report; name one at least")
            }
            return only
        }
        let ids = Dictionary(grouping: runs.flatMap { $0.result.measurements.map(\.id) }, by: \.self)
        let renamed = runs.map { run in
            run.renamed { (ids[$0]?.count ?? 0) > 1 ? "\(run.name):\($0)" : $0 }
        }
        whole.name = runs.map(\.name).joined(separator: " + ")
        whole.result = renamed[0].result
        whole.result.merged = renamed.dropFirst().map { RunOrigin($0.result, name: $0.name) }
        for run in renamed.dropFirst() {
            whole.result.measurements += run.result.measurements
            whole.result.compliance += run.result.compliance
            whole.result.isPartial = whole.result.isPartial || run.result.isPartial
            let (devices, findings) = (run.result.devices, run.result.findings)
            whole.result.devices = whole.result.devices.map { $0.merged(with: devices) } ?? devices
            whole.result.findings = whole.result.findings.map { $0 + (findings ?? []) } ?? findings
            for dataset in run.result.datasets {
                guard let known = whole.result.datasets.first(where: { $0.name == dataset.name }) else {
                    whole.result.datasets.append(dataset)
                    continue
                }
                guard known.digest == dataset.digest else {
                    throw HarnessError.configuration(
                        "\(run.name) and \(runs[0].name) read different datasets named \(dataset.name) (\(dataset.digest) and "
                            + "\(known.digest)); report them apart"
                    )
                }
            }
        }
        whole.records = renamed.flatMap(\.records)
        whole.warnings = runs.flatMap(\.warnings)
        for dataset in runs.dropFirst().flatMap(\.datasets)
        where !whole.datasets.contains(where: { $0.manifest.name == dataset.manifest.name }) {
            whole.datasets.append(dataset)
        }
        whole.result.decide()
        return whole
    }

    private func renamed(_ name: (String) -> String) -> RunContents {
        var run = self
        for index in run.result.measurements.indices {
            run.result.measurements[index].id = name(run.result.measurements[index].id)
        }
        for index in run.result.compliance.indices {
            run.result.compliance[index].measurement = name(run.result.compliance[index].measurement)
        }
        for index in run.result.devices?.rows.indices ?? 0..<0 {
            guard let old = run.result.devices?.rows[index].measurement else { continue }
            run.result.devices?.rows[index].measurement = name(old)
        }
        for index in run.records.indices { run.records[index].measurement = name(run.records[index].measurement) }
        return run
    }
}

/// A further run that a result was merged with.
package struct RunOrigin: Sendable, Equatable, Codable {
    package var name: String
    package var startedAt: String
    package var finishedAt: String
    package var tool: String
    package var codeDigest: String?
    package var configurationDigest: String
    package var host: HostDescription

    init(_ result: RunResult, name: String) {
        self.name = name
        startedAt = result.startedAt
        finishedAt = result.finishedAt
        tool = result.configuration.tool
        codeDigest = result.configuration.codeDigest
        configurationDigest = result.configurationDigest
        host = result.host
    }
}
