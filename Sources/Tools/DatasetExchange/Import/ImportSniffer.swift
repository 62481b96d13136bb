import Basics
import Foundation
import SpineDatasets

/// Detector of the labels in a source, and of their format.
struct ImportSniffer {
    /// Labels that were found.
    struct Candidate: Equatable {
        var format: ImportFormat
        /// Files: one, or for ICDAR all of them, sorted by number.
        var files: [String]
    }

    /// Returns the labels to import of a folder or a file, and the folder of the pictures.
    ///
    /// `format`: The caller's choice; nil for any.
    ///
    /// - Throws: `DatasetError.operation` when nothing fits, or several things do.
    static func find(
        _ source: String,
        format: ImportFormat?
    ) throws(DatasetError) -> (candidate: Candidate, folder: String) {
        guard FileManager.default.fileExists(atPath: source) else {
            throw .operation(path: source, problem: "does not exist; expected a folder or a file with labels")
        }
        guard isFolder(source) else {
            let folder = URL(filePath: source).deletingLastPathComponent().path
            guard let found = format ?? self.format(of: source) else {
                throw .operation(path: source, problem: "has an unknown label format; specify --format")
            }
            return (Candidate(format: found, files: [source]), folder)
        }
        let all = candidates(in: source)
        let fitting = all.filter { format == nil || $0.format == format }
        guard let first = fitting.first else {
            let wanted = format.map { "no \($0.label)" } ?? "no known labels"
            let found = all.isEmpty ? "" : ", only \(list(all))"
            throw .operation(
                path: source,
                problem: "\(wanted) in it or in the folders in it\(found); specify the labels' file"
            )
        }
        guard fitting.count == 1 else {
            throw .operation(
                path: source,
                problem:
                    "has \(fitting.count) sets of labels: \(list(fitting)); choose one by its file or with --format"
            )
        }
        return (first, source)
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
    private static func list(_ candidates: [Candidate]) -> String {
        candidates.map { candidate in
            let name = URL(filePath: candidate.files[0]).lastPathComponent
            return candidate.files.count == 1
                ? "\(name) (\(candidate.format.label))"
                : "\(candidate.files.count) files like \(name) (\(candidate.format.label))"
        }.joined(separator: ", ")
    }

    /// Returns everything in a folder and the folders in it that looks like labels.
    private static func candidates(in folder: String) -> [Candidate] {
        func files(_ folder: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix(".") }
                .sorted()
                .map { folder + "/" + $0 }
        }
        let top = files(folder)
        let below = top.filter(isFolder).flatMap(files)
        var single: [Candidate] = []
        var pages: [String] = []
        for path in top + below {
            if isPage(path) {
                pages.append(path)
            } else if let format = format(of: path) {
                single.append(Candidate(format: format, files: [path]))
            }
        }
        if !pages.isEmpty {
            let sorted = pages.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
            single.append(Candidate(format: .icdar2015, files: sorted))
        }
        return single
    }

    private static func isPage(_ path: String) -> Bool {
        let name = URL(filePath: path).lastPathComponent
        return name.hasPrefix("gt_") && name.hasSuffix(".txt")
    }

    /// Returns the format of one file by its ending and its beginning; nil when it is none.
    private static func format(of path: String) -> ImportFormat? {
        let url = URL(filePath: path)
        guard url.lastPathComponent != PaddleOCRExtras.name else { return nil }
        switch url.pathExtension.lowercased() {
        case "csv", "tsv": return .csv
        case "jsonl", "ndjson": return .jsonl
        case "txt":
            if isPage(path) { return .icdar2015 }
            guard let start = beginning(of: path) else { return nil }
            // A path, a tab and a list; the list may be longer than the read part.
            let line = start.split(separator: 0x0A).first { !Array($0).isBlank } ?? []
            guard let tab = line.firstIndex(of: 0x09) else { return nil }
            return line[(tab + 1)...].first == UInt8(ascii: "[") ? .paddleocr : nil
        case "json":
            guard let start = beginning(of: path) else { return nil }
            let text = start.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
            if text.first == UInt8(ascii: "[") {
                // JSON-MIN has the second, and is refused by its name.
                return has(path, "\"data\"") || has(path, "\"annotation_id\"") ? .labelstudio : nil
            }
            guard text.first == UInt8(ascii: "{") else { return nil }
            return has(path, "\"annotations\"") && has(path, "\"images\"") || has(path, "\"anns\"") ? .coco : nil
        default: return nil
        }
    }

    private static func beginning(of path: String) -> [UInt8]? {
        (try? LineReader.data(path)).map { Array($0.prefix(1 << 16)) }
    }

    private static func has(_ path: String, _ text: String) -> Bool {
        (try? LineReader.data(path))?.range(of: Data(text.utf8)) != nil
    }
}
