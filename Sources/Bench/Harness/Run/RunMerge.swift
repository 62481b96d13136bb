import Basics
import Evaluation
import Foundation
package import SpineDatasets

/// The parts of one run, from whose records the run is put together.
package struct RunMerge: Sendable {
    private struct Piece: Sendable {
        var folder: String
        var part: Part
        var contents: RunFolder.Contents
    }

    /// In the order of the parts; all are there, and finished.
    private let pieces: [Piece]
    package let configuration: RunConfiguration

    /// Reads the folders of the parts, in any order.
    ///
    /// - Throws: ``HarnessError`` in one line that names the folder of a part that is unfinished, of another run or
    ///   there twice, or the number of one that is missing.
    package init(_ folders: [String]) throws {
        let all = try folders.map { folder in
            let contents = try RunFolder.contents(folder)
            guard let part = contents.part else {
                throw HarnessError.runFolder(
                    path: folder,
                    problem: "holds no part of a run: it was not read with --part"
                )
            }
            return Piece(folder: folder, part: part, contents: contents)
        }
        let model = try Self.model(all)
        configuration = model.contents.configuration
        let byPart = Dictionary(grouping: all, by: \.part)
        if let twins = byPart.values.first(where: { $0.count > 1 }) {
            let problem = "is part \(twins[1].part), as \(twins[0].folder) is; name one of them"
            throw HarnessError.runFolder(path: twins[1].folder, problem: problem)
        }
        pieces = try Part.all(of: model.part.count).map { part in
            guard let piece = byPart[part]?.first else {
                let given =
                    folders.count == 1
                    ? "\(folders[0]) is another one" : "none of the \(folders.count) folders holds it"
                throw HarnessError.configuration("part \(part) is missing: \(given)")
            }
            if piece.contents.events.last?.kind != .runFinished {
                let problem = "part \(part) was not finished; repeat the command that began it"
                throw HarnessError.runFolder(path: piece.folder, problem: problem)
            }
            return piece
        }
        try checkLoaded()
    }

    /// Checks that all are of one run, and returns one of the majority.
    private static func model(_ all: [Piece]) throws -> Piece {
        let kinds = try all.map { "\(try $0.contents.configuration.digest) \($0.part.count)" }
        let counts = kinds.map { kind in kinds.count { $0 == kind } }
        guard let most = counts.max(), let first = counts.firstIndex(of: most) else {
            throw HarnessError.configuration("no parts to merge; name their folders")
        }
        if let place = kinds.firstIndex(where: { $0 != kinds[first] }) {
            let (stray, model) = (all[place], all[first])
            let differences = stray.contents.configuration.differences(from: model.contents.configuration)
            let parts = stray.part.count == model.part.count ? [] : ["it is part \(stray.part), that is \(model.part)"]
            throw HarnessError.runFolder(
                path: stray.folder,
                problem: "is not of the run of \(model.folder): \((parts + differences).joined(separator: "; "))"
            )
        }
        return all[first]
    }

    /// Checks that every worker of a variant has loaded the same.
    private func checkLoaded() throws {
        var known: [String: (description: [String: String], folder: String)] = [:]
        for piece in pieces {
            for event in piece.contents.events where event.kind == .ready {
                guard let id = event.measurement, let description = event.description else { continue }
                let first = known[id] ?? (description, piece.folder)
                known[id] = first
                let keys = Set(description.keys).union(first.description.keys).sorted()
                guard let key = keys.first(where: { description[$0] != first.description[$0] }) else { continue }
                throw HarnessError.runFolder(
                    path: piece.folder,
                    problem: "\(id) had loaded another \(key) (\(description[key] ?? "none")) than in \(first.folder) "
                        + "(\(first.description[key] ?? "none"))"
                )
            }
        }
    }

    /// Writes the run into a new folder, its readings in the order of a run in one piece; `datasets` are those of the
    /// configuration.
    ///
    /// - Throws: ``HarnessError`` in one line that names the folder which lacks a reading, or has one of another part.
    package func write(over datasets: [Dataset], to path: String) throws {
        var rest = pieces.map { piece in
            let attempts = piece.contents.records.filter { $0.outcome != .notAttempted }
            return Dictionary(attempts.map { ($0.key, $0) }) { $1 }
        }
        var records: [SampleRecord] = []
        var planned: [String: Int] = [:]
        var configuration = configuration
        for (place, dataset) in datasets.enumerated() { configuration.datasets[place].path = dataset.path }
        let byName = Dictionary(zip(configuration.datasets.map(\.name), datasets)) { first, _ in first }
        for measurement in configuration.measurements {
            guard let dataset = byName[measurement.dataset.name],
                case .listed(let steps) = configuration.plan(measurement, dataset).steps
            else { continue }
            planned[measurement.id] = steps.count
            for step in steps {
                let number = Part.number(ofGroup: step.sample.indivisibleGroup, count: pieces.count) - 1
                let key = SampleRecord.Key(measurement: measurement.id, repetition: step.repetition, id: step.sample.id)
                guard let record = rest[number].removeValue(forKey: key) else {
                    throw Self.fault(pieces[number], "lacks", key, "; repeat the command that read it")
                }
                records.append(record)
            }
        }
        for (piece, rest) in zip(pieces, rest) {
            if let key = rest.keys.min(by: { $0.id < $1.id }) {
                throw Self.fault(piece, "has", key, ", which is not of part \(piece.part)")
            }
        }
        let folder = try RunFolder.create(path, configuration)
        for event in events(planned) { try folder.append(event) }
        for record in records { try folder.append(record) }
    }

    private static func fault(
        _ piece: Piece,
        _ verb: String,
        _ key: SampleRecord.Key,
        _ end: String
    ) -> HarnessError {
        let reading = "\(key.id) in repetition \(key.repetition) of \(key.measurement)"
        return .runFolder(
            path: piece.folder,
            problem: "\(RunFolder.Name.samples) \(verb) the reading of \(reading)\(end)"
        )
    }

    /// Starts by time, then what belongs to each measurement part by part, then ends by time.
    private func events(_ planned: [String: Int]) -> [RunEvent] {
        let ranks = Dictionary(zip(configuration.measurements.map(\.id), 2...)) { first, _ in first }
        let all = pieces.flatMap(\.contents.events)
        // Each part may have found what another one had compiled: the first counts that compiled, or else the first.
        let fills = Dictionary(grouping: all.filter { $0.cacheFill != nil }) { $0.cacheFill?.measurements }
            .mapValues { alike in alike.first { $0.cacheFill?.firstStart.value != nil } ?? alike.first }
        let ranked = all.compactMap { event -> (rank: Int, time: String, event: RunEvent)? in
            switch event.kind {
            case .runStarted, .runResumed:
                var start = event
                // A part's own numbers of readings are not those of the run.
                start.planned = planned
                return (0, event.time, start)
            case .cacheFilled: return fills[event.cacheFill?.measurements] == event ? (1, "", event) : nil
            case .runFinished: return (ranks.count + 2, event.time, event)
            default: return (event.measurement.flatMap { ranks[$0] } ?? 1, "", event)
            }
        }
        return ranked.enumerated().sorted {
            ($0.element.rank, $0.element.time, $0.offset) < ($1.element.rank, $1.element.time, $1.offset)
        }.map(\.element.event)
    }
}
