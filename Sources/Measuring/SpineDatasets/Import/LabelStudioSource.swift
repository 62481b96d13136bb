import Basics
import Foundation

/// Label Studio's JSON export: a list of tasks, each with a picture and what annotators drew and wrote.
///
/// Source: Label Studio's documentation, "Label Studio JSON format of annotated tasks" and the tags Rectangle, Polygon,
/// TextArea and Choices.
struct LabelStudioSource: ImportSource {
    let path: String

    mutating func read(_ take: (ImportItem) throws(DatasetError) -> Void) throws(DatasetError) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        } catch {
            throw .operation(path: path, problem: "cannot be read: \(error.systemReason)")
        }
        let root = try JSONValue.parse(data, path: path)
        guard let tasks = root.list ?? root.fields.map({ [.object($0)] }) else {
            let fault = DatasetFault(file: path, message: "expected a list of tasks, found \(root.kind)")
            throw .faults(path: path, faults: [fault])
        }
        for (index, task) in tasks.enumerated() {
            let id = task.fields?["id"]?.key.map { "task \($0)" } ?? "task \(index + 1) in the list"
            for item in Self.items(task, at: ImportPlace(file: path, record: id)) { try take(item) }
        }
    }

    private static func items(_ task: JSONValue, at place: ImportPlace) -> [ImportItem] {
        guard let fields = task.fields, let data = fields["data"]?.fields else {
            return [.bad([place.fault("has no \"data\"; export as JSON, not as JSON-MIN or another kind")])]
        }
        // Before version 1.0 annotations were called completions.
        let all = ((fields["annotations"] ?? fields["completions"])?.list ?? []).compactMap(\.fields)
        let valid = all.filter { $0["was_cancelled"] != .bool(true) && $0["skipped"] != .bool(true) }
        var notes: [ImportItem] = []
        if all.count > valid.count { notes.append(.note(.cancelledAnnotation, count: all.count - valid.count)) }
        guard let chosen = valid.first(where: { $0["ground_truth"] == .bool(true) }) ?? valid.first else {
            return notes + [.note(.unlabelledTask, count: 1)]
        }
        if valid.count > 1 { notes.append(.note(.furtherAnnotation, count: valid.count - 1)) }
        let picture: String
        switch picturePath(in: data) {
        case .success(let path): picture = path
        case .failure(let error): return notes + [.bad([place.fault(error.message)])]
        }
        do throws(LabelStudioFault) {
            let regions = try LabelStudioRegions(chosen["result"]?.list ?? [])
            var (content, stray) = ForeignSpine.arranged(lines: regions.lines, spines: regions.spines)
            if case .spine(var spine) = content {
                spine.stated.fill(from: regions.stated)
                content = .spine(spine)
            }
            let counted: [(ImportNote, Int)] = [
                (.strayLine, stray), (.otherAnnotation, regions.others), (.polygonBoxed, regions.boxed),
            ]
            return notes + counted.filter { $0.1 > 0 }.map { .note($0.0, count: $0.1) } + [
                .record(ImportRecord(place: place, picture: picture, statedSize: regions.size, content: content))
            ]
        } catch {
            return notes + [.bad(error.messages.map(place.fault))]
        }
    }

    private struct PathFault: Error { var message: String }

    /// The picture among a task's data, by its key or by its ending.
    private static func picturePath(in data: [String: JSONValue]) -> Result<String, PathFault> {
        for name in ["image", "ocr", "img", "picture", "photo"] {
            if let text = data[name]?.text, !text.isEmpty { return .success(decoded(text)) }
        }
        let endings = [".jpg", ".jpeg", ".png", ".heic", ".heif"]
        let candidates = data.sorted { $0.key < $1.key }.compactMap { _, value in value.text.map(decoded) }.filter {
            path in
            endings.contains { path.lowercased().hasSuffix($0) }
        }
        guard let first = candidates.first else { return .failure(PathFault(message: "\"data\" names no picture")) }
        guard candidates.count == 1 else {
            return .failure(
                PathFault(message: "\"data\" names \(candidates.count) pictures, none as \"image\" or \"ocr\"")
            )
        }
        return .success(first)
    }

    /// The path in what Label Studio calls a picture.
    ///
    /// Uploads are `/data/upload/PROJECT/HASH-name.jpg`, local files `/data/local-files/?d=path`; others are URLs.
    static func decoded(_ text: String) -> String {
        var path = text
        if let query = path.range(of: "?d=") {
            path = String(path[query.upperBound...].prefix { $0 != "&" })
        } else if let scheme = path.range(of: "://") {
            path = String(path[scheme.upperBound...].drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" })
        }
        path = path.removingPercentEncoding ?? path
        if path.hasPrefix("/data/upload/") { path = String(path.dropFirst("/data/upload/".count)) }
        return path.hasPrefix("/") ? String(path.dropFirst()) : path
    }
}

extension StatedLabels {
    /// Takes over from `other` what is not stated here.
    mutating func fill(from other: StatedLabels) {
        id = id ?? other.id
        title = title ?? other.title
        author = author ?? other.author
        transcription = transcription ?? other.transcription
        category = category ?? other.category
        orientation = orientation ?? other.orientation
        isbn = isbn ?? other.isbn
        group = group ?? other.group
        language = language ?? other.language
        style = style ?? other.style
        split = split ?? other.split
        source = source ?? other.source
        licence = licence ?? other.licence
        legible = legible ?? other.legible
    }
}
