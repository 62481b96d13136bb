import Basics
import Foundation
import SpineDatasets

/// Label Studio's JSON export: a list of tasks, each with a picture and the annotators' regions and texts.
///
/// Source: Label Studio's documentation, "Label Studio JSON format of annotated tasks" and the tags Rectangle, Polygon,
/// TextArea and Choices.
enum LabelStudioSource {
    static func read(_ path: String, into intake: inout RecordIntake) throws(DatasetError) {
        let root = try JSONValue.parse(LineReader.data(path), path: path)
        guard let tasks = root.list ?? root.fields.map({ [.object($0)] }) else {
            throw .fault("expected a list of tasks, found \(root.kind)", in: path)
        }
        for (index, task) in tasks.enumerated() {
            let id = task.fields?["id"]?.key.map { "task \($0)" } ?? "task \(index + 1) in the list"
            try take(task, at: ImportPlace(file: path, record: id), &intake)
        }
    }

    private static func take(
        _ task: JSONValue,
        at place: ImportPlace,
        _ intake: inout RecordIntake
    ) throws(DatasetError) {
        guard let fields = task.fields, let data = fields["data"]?.fields else {
            return intake.refuse([place.fault("has no \"data\"; export as JSON, not as JSON-MIN or another kind")])
        }
        // Annotations were called completions before version 1.0.
        let all = ((fields["annotations"] ?? fields["completions"])?.list ?? []).compactMap(\.fields)
        let valid = all.filter { $0["was_cancelled"] != .bool(true) && $0["skipped"] != .bool(true) }
        intake.count(.cancelledAnnotation, all.count - valid.count)
        guard let chosen = valid.first(where: { $0["ground_truth"] == .bool(true) }) ?? valid.first else {
            return intake.count(.unlabelledTask, 1)
        }
        intake.count(.furtherAnnotation, valid.count - 1)
        let record: ImportRecord
        do throws(ImportFault) {
            let picture = try picturePath(in: data)
            let regions = try LabelStudioRegions(chosen["result"]?.list ?? [])
            var (content, stray) = ForeignSpine.arranged(lines: regions.lines, spines: regions.spines)
            if case .spine(var spine) = content {
                spine.stated.fill(from: regions.stated)
                content = .spine(spine)
            }
            intake.count(.strayLine, stray)
            intake.count(.otherAnnotation, regions.others)
            intake.count(.polygonBoxed, regions.boxed)
            record = ImportRecord(place: place, picture: picture, statedSize: regions.size, content: content)
        } catch {
            return intake.refuse(error.messages.map(place.fault))
        }
        try intake.take(record)
    }

    /// Returns the picture among a task's data, by its key or by its ending.
    private static func picturePath(in data: [String: JSONValue]) throws(ImportFault) -> String {
        for name in ["image", "ocr", "img", "picture", "photo"] {
            if let text = data[name]?.text, !text.isEmpty { return decoded(text) }
        }
        let endings = [".jpg", ".jpeg", ".png", ".heic", ".heif"]
        let candidates = data.sorted { $0.key < $1.key }.compactMap { $0.value.text.map(decoded) }
            .filter { path in endings.contains { path.lowercased().hasSuffix($0) } }
        guard let first = candidates.first else { throw ImportFault("\"data\" names no picture") }
        guard candidates.count == 1 else {
            throw ImportFault("\"data\" names \(candidates.count) pictures, none as \"image\" or \"ocr\"")
        }
        return first
    }

    /// Returns the path in Label Studio's address of a picture.
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
