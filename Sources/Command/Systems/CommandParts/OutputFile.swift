import Basics
import CommandSupport
import Foundation
package import Harness
package import SpineDatasets

/// An output file of a command, which is never one of its inputs.
package struct OutputFile {
    package let path: String

    package init(_ path: String, option: String, over inputs: [String]) throws(HarnessError) {
        if let place = Place(path), let input = inputs.first(where: { Place($0) == place }) {
            let name = input == path ? "" : ", by another name: \(input)"
            throw .configuration("\(option) \(path) is also an input file\(name); specify another output file")
        }
        if Self.isDatabaseToKeep(path) {
            throw .configuration(
                "\(option) \(path) is a database, such as a library of scanned books, and would be overwritten; specify another file"
            )
        }
        self.path = path
    }

    /// A file, or a name in a folder where none is yet.
    private struct Place: Equatable {
        var file: FileIdentity
        var name: String?

        init?(_ path: String) {
            let url = URL(filePath: path)
            if let file = FileIdentity(path) {
                self.file = file
            } else if let folder = FileIdentity(url.deletingLastPathComponent().path) {
                (file, name) = (folder, url.lastPathComponent)
            } else {
                return nil
            }
        }
    }

    /// Returns whether a path is an SQLite database; not for catalogues, which are rebuilt from their lists.
    private static func isDatabaseToKeep(_ path: String) -> Bool {
        guard FileIdentity(path) != nil, !FileIdentity.isSpecial(path),
            let header = try? FileHandle(forReadingFrom: URL(filePath: path)).read(upToCount: 72)
        else { return false }
        return header.starts(with: Data("SQLite format 3\0".utf8)) && header.dropFirst(68) != Data("BkCt".utf8)
    }

    /// Writes the whole file, and the folders on the way to it.
    package func write(_ bytes: [UInt8]) throws(HarnessError) {
        let url = URL(filePath: path)
        do {
            let folder = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // A special file, such as /dev/stdout, is written to and not replaced.
            try Data(bytes).write(to: url, options: FileIdentity.isSpecial(path) ? [] : .atomic)
        } catch {
            let problem = error.systemReason
            switch error.systemErrorNumber {
            case ENOSPC?, EDQUOT?, EIO?, EROFS?:
                throw .unwritable(path: path, problem: problem)
            default:
                throw .configuration(
                    "cannot write \(path): \(problem); specify a file in a writable folder"
                )
            }
        }
    }
}

extension OutputFile {
    /// Returns the files of a stored run, a folder or report.json, that other commands read, whether they exist or not.
    package static func files(ofRun run: String) -> [String] {
        let names = [
            RunFolder.Name.configuration, RunFolder.Name.samples, RunFolder.Name.events, RunFolder.Name.devices,
            RunFolder.Name.report,
        ]
        return [run] + names.map { "\(run)/\($0)" }
    }
}

extension Dataset {
    /// Its files, whether they exist or not.
    package var files: [String] {
        let pictures = (samples.map(\.image) + shelves.map(\.image)).map { store.source(of: $0).path }
        let others = ["samples.jsonl", "shelves.jsonl", "shards.json", "dataset.json", "CARD.md"]
        return Set(pictures).sorted() + others.map { "\(path)/\($0)" }
    }
}
