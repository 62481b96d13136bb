package import Basics
import Foundation
import Harness
package import SpineDatasets

/// Program that prints what files of other tools hold, a JSON object a line.
package struct FormatProgram: Sendable, Equatable {
    package enum Job: String, Sendable { case labels, readings, list }

    /// Path of the program.
    package let path: String
    /// Seconds without a line after which it is killed.
    var patience = 120.0

    package init(_ path: String) { self.path = path }

    /// Name of the format: that of the program's file.
    package var name: String { URL(filePath: path).lastPathComponent }

    /// Object of a line, and its place in what the program reads.
    package struct Record {
        package var place: ImportPlace
        /// Its fields but those of the place; null is a missing field.
        package var fields: [String: JSONValue]

        /// Why the program refuses a part of its input; nil when it does not.
        package var fault: [String]? {
            fields["fault"].map { value in (value.list ?? [value]).compactMap(\.plainText) }
        }
    }

    /// Starts the program, and returns its records.
    func records(_ job: Job, of paths: [String], keys: Set<String>) throws(DatasetError) -> [Record] {
        var records: [Record] = []
        try run(job, paths, of: paths[0], keys: keys) { record in
            records.append(record)
            return true
        }
        return records
    }

    /// Starts the program, and calls `body` with its records until that is false.
    ///
    /// Records that name no file are of `source`; beside those of places, faults and remarks they may have the fields `keys`.
    ///
    /// - Throws: `DatasetError.operation` for a program that fails, stops to print, or prints anything else, with its last line of
    ///   standard error.
    package func run(
        _ job: Job,
        _ arguments: [String],
        of source: String,
        keys: Set<String>,
        _ body: (Record) -> Bool
    ) throws(DatasetError) {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw .operation(path: path, problem: "is not an executable program; see Docs/DATASETS.md, or run chmod +x")
        }
        let outputs = BlockingQueue<ChildProcess.Output>()
        let child = ChildProcess(
            WorkerLaunch(executable: path, arguments: [job.rawValue] + arguments),
            environment: ProcessInfo.processInfo.environment,
            file: FileHandle.nullDevice
        )
        do { try child.start { outputs.push($0) } } catch {
            throw .operation(path: path, problem: "cannot be started: \(error.systemReason)")
        }
        var number = 0
        while true {
            switch outputs.next(until: .now + .seconds(patience)) {
            case .line(let line):
                number += 1
                do throws(ImportFault) {
                    if let record = try Self.record(line, of: source, keys), !body(record) { return child.kill() }
                } catch {
                    throw failure(of: child, "line \(number) of its output \(error.messages.joined(separator: "; "))")
                }
            case .closed: break
            case .ended(let end) where end.cause == .exit(code: 0): return
            case .ended(let end): throw .operation(path: path, problem: "\(end)")
            case nil: throw failure(of: child, "printed nothing for \(NumberText.short(patience)) s, and was killed")
            }
        }
    }

    /// Kills the program, and returns the error with its last line of standard error.
    private func failure(of child: ChildProcess, _ problem: String) -> DatasetError {
        child.kill()
        let last = child.lastErrors.last.map { "; its last line of standard error: \($0)" } ?? ""
        return .operation(path: path, problem: problem + last)
    }

    private static func record(
        _ line: [UInt8],
        of source: String,
        _ keys: Set<String>
    ) throws(ImportFault) -> Record? {
        if line.allSatisfy({ $0 <= 0x20 }) { return nil }
        let value: JSONValue
        do { value = try JSONParser.parse(Array(line.withoutByteOrderMark)) } catch {
            let text = String(decoding: line.prefix(100), as: UTF8.self).withoutControls
            throw ImportFault("is not JSON (\(error)): \(text)")
        }
        guard let all = value.fields else { throw ImportFault("is \(value.kind); expected a JSON object") }
        let fields = all.filter { $0.value != .null }
        try check(fields, keys.union(["file", "line", "record", "fault", "remark"]))
        let place = ImportPlace(
            file: fields["file"]?.text ?? source,
            line: fields["line"]?.whole,
            record: fields["record"]?.plainText
        )
        return Record(place: place, fields: fields.filter { !["file", "line", "record"].contains($0.key) })
    }

    /// Refuses a field that means nothing: it may be a known one that is misspelt.
    static func check(_ fields: [String: JSONValue], _ known: Set<String>) throws(ImportFault) {
        guard let unknown = fields.keys.filter({ !known.contains($0) }).min() else { return }
        throw ImportFault("has the unknown field \"\(unknown)\"; expected \(known.sorted().joined(separator: ", "))")
    }
}
