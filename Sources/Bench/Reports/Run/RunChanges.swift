import Basics
import Evaluation
import Foundation
import Harness
package import Results
import SpineDatasets

/// Changes of a run since the last one of the same settings on the same machine, and since the committed baselines: a
/// line each, of figures alone; `spinebench compare` and `gate` judge them.
package struct RunChanges: Sendable {
    /// Folder of the last run; nil without one.
    package let last: String?
    /// Whether a baseline covers a measurement of the run.
    package let hasBaseline: Bool
    package let lines: [String]

    /// Finds the last run among the siblings of a run's folder; `baselines` are paths of files.
    package init(_ contents: RunContents, in folder: String, baselines: [String]) {
        let sets = contents.comparable.map { (measurement: $0, readings: contents.readings($0, name: "")) }
        let machine = contents.result.host.fingerprint
        let earlier = Self.last(before: folder, like: contents.result)
        last = earlier?.path
        let lastLine: String
        if let earlier {
            var before = contents
            (before.records, before.events) = (earlier.contents.records, earlier.contents.events)
            let texts = sets.map {
                Self.text($0.measurement.id, before.readings($0.measurement, name: ""), $0.readings)
            }
            lastLine = "\(texts.joined(separator: "; ")) (\(earlier.path))"
        } else {
            lastLine = "no earlier run of these settings on this machine in \(Self.parent(of: folder))"
        }
        var covered: [String] = []
        for path in baselines {
            guard let baseline = try? Baseline.load(path) else { continue }
            let texts = sets.compactMap { set -> String? in
                guard let part = baseline.measurements.first(where: { $0.id == set.measurement.id }),
                    part.datasetDigest == set.measurement.dataset.digest
                else { return nil }
                return Self.text(part.id, part.readings(name: ""), set.readings, times: baseline.host == machine)
            }
            if texts.isEmpty { continue }
            let other = baseline.host == machine ? "" : ", of another machine"
            let runs = "\(NumberText.count(baseline.runs, "run")) of \(baseline.date.prefix(10))\(other)"
            covered.append("\(texts.joined(separator: "; ")) (\(baseline.name), \(runs))")
        }
        hasBaseline = !covered.isEmpty
        let baseline = hasBaseline ? covered.joined(separator: "; ") : "no baseline covers this run"
        lines = ["Last run: \(lastLine)", "Baseline: \(baseline)"]
    }

    /// Returns the folder that `path` is in.
    private static func parent(of path: String) -> String {
        // Not by NSString, which traps on Linux for a name of one letter.
        URL(filePath: path).deletingLastPathComponent().relativePath
    }

    /// Returns the latest finished run beside a folder whose settings and machine are the same, whichever build it is of.
    private static func last(
        before folder: String,
        like result: RunResult
    ) -> (path: String, contents: RunFolder.Contents)? {
        guard let settings = try? result.configuration.settingsDigest else { return nil }
        let own = URL(filePath: folder).standardizedFileURL
        let parent = Self.parent(of: folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        let runs = names.filter { $0 != own.lastPathComponent }.compactMap { name -> (path: String, date: Date)? in
            let path = parent == "." ? name : "\(parent)/\(name)"
            let file = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(RunFolder.Name.report)")
            return (file?[.modificationDate] as? Date).map { (path, $0) }
        }
        // Older runs are not searched: each one costs a file to read.
        for run in runs.sorted(by: { $0.date > $1.date }).prefix(30) {
            guard let other = try? RunFolder.configuration(in: run.path), (try? other.settingsDigest) == settings,
                let start = RunFolder.events(in: run.path).first(where: { $0.kind == .runStarted }),
                start.host?.fingerprint == result.host.fingerprint,
                let contents = try? RunFolder.contents(run.path),
                contents.events.contains(where: { $0.kind == .runFinished })
            else { continue }
            return (run.path, contents)
        }
        return nil
    }

    /// "fast title read 87.0 % (1 lost, 2 gained), P50 21.2 ms (−1.0 %), P95 43.7 ms (+0.4 %)": percentiles are of the
    /// samples' medians.
    private static func text(_ name: String, _ a: ReadingSet, _ b: ReadingSet, times: Bool = true) -> String {
        let pairs = SamplePairs(a, b).pairs
        var parts = [Metric.titleRead, .bookTitleRead].compactMap { metric -> String? in
            let scored = pairs.compactMap { pair in
                pair.a.outcomes[metric].flatMap { a in pair.b.outcomes[metric].map { (id: pair.a.id, a: a, b: $0) } }
            }
            if scored.isEmpty { return nil }
            let share = NumberText.percent(Double(scored.count { $0.b }) / Double(scored.count))
            let lost = scored.filter { $0.a && !$0.b }.map(\.id)
            let named = lost.isEmpty || lost.count > 3 ? "" : ": \(lost.joined(separator: ", "))"
            let change = "\(lost.count) lost\(named), \(scored.count { !$0.a && $0.b }) gained"
            return "\(metric.meaning.name) \(share) (\(scored.allSatisfy { $0.a == $0.b } ? "unchanged" : change))"
        }
        let timed = pairs.compactMap { pair in pair.a.milliseconds.flatMap { a in pair.b.milliseconds.map { (a, $0) } }
        }
        for percent in [50, 95] where times && timed.count >= Percentile.minimumCount(for: percent) {
            let (before, after) = (
                Percentile.nearestRank(percent, of: timed.map(\.0).sorted()),
                Percentile.nearestRank(percent, of: timed.map(\.1).sorted())
            )
            guard before.isFinite, after.isFinite, before > 0 else { continue }
            let change = after / before - 1
            let sign = change < 0 ? "−" : "+"
            let text = "P\(percent) \(NumberText.milliseconds(after)) (\(sign)\(NumberText.percent(abs(change))))"
            parts.append(text)
        }
        return "\(name) \(parts.isEmpty ? "has no figure on both sides" : parts.joined(separator: ", "))"
    }
}
