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
        var records: [ImportRecord] = []
        do throws(ImportFault) {
            let pages = try LabelStudioPages(data, chosen["result"]?.list ?? []).pages
            for page in pages {
                let regions = try LabelStudioRegions(page.results)
                var (content, stray) = ForeignSpine.arranged(lines: regions.lines, spines: regions.spines)
                if case .spine(var spine) = content {
                    spine.stated.fill(from: regions.stated)
                    content = .spine(spine)
                }
                intake.count(.strayLine, stray)
                intake.count(.otherAnnotation, regions.others)
                intake.count(.polygonBoxed, regions.boxed)
                var own = place
                if pages.count > 1 { own.record = "\(place.record ?? ""), \(page.picture)" }
                records.append(
                    ImportRecord(place: own, picture: page.picture, statedSize: regions.size, content: content)
                )
            }
        } catch {
            return intake.refuse(error.messages.map(place.fault))
        }
        for record in records { try intake.take(record) }
    }
}
