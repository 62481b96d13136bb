import Foundation
import Raster

/// One line of `samples.jsonl` to a sample, or to everything that is wrong with it.
///
/// Fields that are not known are ignored; an optional field may be null.
struct SampleParser {
    /// What is wrong with the line, in the order of the fields.
    private(set) var faults: [String] = []
    private var fields: [String: JSONValue] = [:]

    /// The sample in `line`, and nil with `faults` when there is any.
    static func parse(_ line: [UInt8]) -> (sample: Sample?, id: String?, faults: [String]) {
        var parser = SampleParser()
        do {
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(line))
            guard case .object(let fields) = value else {
                return (nil, nil, ["expected a JSON object, found \(value.kind)"])
            }
            parser.fields = fields
        } catch {
            return (nil, nil, ["not valid JSON: \(JSONLine.reason(of: error))"])
        }
        let sample = parser.sample()
        return (parser.faults.isEmpty ? sample : nil, sample.id.isEmpty ? nil : sample.id, parser.faults)
    }

    private mutating func sample() -> Sample {
        let id = text("id")
        let image = imagePath()
        let category = choice("category", SampleCategory.vertical)
        let title = title()
        let author = optionalText("author")
        let transcription = text("transcription", mayBeEmpty: true)
        let orientation = choice("orientation", SampleOrientation.upright)
        let sample = Sample(
            id: id,
            image: image,
            category: category,
            title: title,
            author: author,
            transcription: transcription,
            orientation: orientation,
            isbn: optionalText("isbn"),
            group: optionalText("group"),
            quad: quad(),
            legible: legible(),
            split: optionalText("split"),
            source: optionalText("source")
        )
        if sample.legible, transcription.isEmpty, case .string? = fields["transcription"] {
            faults.append("\"transcription\" is empty; a legible spine has one, so label it or set \"legible\": false")
        }
        return sample
    }

    /// A title that nobody labelled has to be said to be so, lest a misspelt field pass for that.
    private mutating func title() -> String? {
        switch fields["title"] {
        case .null?: return nil
        case nil:
            faults.append("\"title\" is missing; state null when it is not labelled")
            return nil
        default: return text("title")
        }
    }

    private mutating func text(_ name: String, mayBeEmpty: Bool = false) -> String {
        switch fields[name] {
        case .string(let value):
            let trimmed = value.trimmingCharacters(in: .whitespacesAndNewlines)
            if trimmed.isEmpty && !mayBeEmpty { faults.append("\"\(name)\" is empty") }
            return trimmed
        case nil: faults.append("\"\(name)\" is missing")
        case .some(let other): faults.append("\"\(name)\" is \(other.kind); expected text")
        }
        return ""
    }

    private mutating func optionalText(_ name: String) -> String? {
        switch fields[name] {
        case nil, .null: return nil
        case .string(let value):
            let trimmed = value.trimmingCharacters(in: .whitespacesAndNewlines)
            return trimmed.isEmpty ? nil : trimmed
        case .some(let other):
            faults.append("\"\(name)\" is \(other.kind); expected text")
            return nil
        }
    }

    private mutating func choice<Value>(_ name: String, _ fallback: Value) -> Value
    where Value: CaseIterable & RawRepresentable<String> {
        switch fields[name] {
        case .string(let value):
            if let known = Value(rawValue: value) { return known }
            let all = Value.allCases.map(\.rawValue).joined(separator: ", ")
            faults.append("\"\(name)\" is \"\(value)\"; expected one of \(all)")
        case nil: faults.append("\"\(name)\" is missing")
        case .some(let other): faults.append("\"\(name)\" is \(other.kind); expected text")
        }
        return fallback
    }

    /// A path that stays inside the dataset's folder.
    private mutating func imagePath() -> String {
        let path = text("image")
        let steps = path.split(separator: "/", omittingEmptySubsequences: false)
        if path.hasPrefix("/") || steps.contains("..") {
            faults.append("\"image\" is \"\(path)\", outside the dataset; expected a path below its folder")
        }
        return path
    }

    private mutating func legible() -> Bool {
        switch fields["legible"] {
        case nil, .null: return true
        case .bool(let value): return value
        case .some(let other):
            faults.append("\"legible\" is \(other.kind); expected true or false")
            return true
        }
    }

    private mutating func quad() -> Quad? {
        guard let value = fields["quad"], value != .null else { return nil }
        let expected = "expected four points [x, y]"
        guard case .array(let points) = value else {
            faults.append("\"quad\" is \(value.kind); \(expected)")
            return nil
        }
        guard points.count == 4 else {
            faults.append("\"quad\" has \(points.count) points; \(expected)")
            return nil
        }
        let corners = points.compactMap { point -> Point? in
            guard case .array(let pair) = point, pair.count == 2, case .number(let x) = pair[0],
                case .number(let y) = pair[1]
            else { return nil }
            return Point(x: x, y: y)
        }
        guard corners.count == 4 else {
            faults.append("\"quad\" has a corner that is not two numbers; \(expected)")
            return nil
        }
        return Quad(topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
    }
}
