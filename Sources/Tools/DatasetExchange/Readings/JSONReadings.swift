import Basics
import Foundation
import Harness
import Imaging
import SpineDatasets

/// Readings of PaddleOCR, for COCO-Text, and of Apple's Vision.
enum JSONReadings {
    /// Reads `res.json` of PaddleOCR 3 (`rec_texts`, `rec_scores`, `rec_polys`), a list of `[box, [text, score]]`, or
    /// lines of a picture's name, a tab and such a list, or one of `{"transcription", "points"}`.
    ///
    /// Source: `OCRResult` of PaddleX 3.7, which PaddleOCR's `predict().save_to_json` calls, and `predict_system.py` of
    /// PaddleOCR 2.
    static func paddleOCR(_ path: String, _ data: Data) throws -> ReadingFile {
        var file = ReadingFile(path: path, format: .paddleocr)
        var names = [ReadingFile.name(of: path)]
        if let stem = names[0].split(separator: "_res").first.map(String.init), names[0].hasSuffix("_res") {
            names = [stem]
        }
        let start = data.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
        if start == UInt8(ascii: "{") || start == UInt8(ascii: "[") {
            let value = try ReadingFile.json(data, path)
            let results = value.list?.first?.fields?["rec_texts"] == nil ? [value] : value.list ?? []
            for result in results {
                let fields = result.fields.map { $0["res"]?.fields ?? $0 }
                let image = fields?["input_path"]?.text
                let own = [image].compactMap(\.self) + (results.count == 1 ? names : [])
                let lines = try fields.map(Self.result) ?? list(result)
                file.readings.append(StatedReading(place: ImportPlace(file: path), names: own, lines: lines))
            }
            return file
        }
        var reader = try LineReader(path)
        while let line = try reader.next() {
            if line.isBlank { continue }
            let place = ImportPlace(file: path, line: reader.number)
            do throws(ImportFault) {
                guard let tab = line.firstIndex(of: 0x09), let name = Array(line[..<tab]).utf8Text, !name.isEmpty else {
                    throw ImportFault("expected a picture's name, a tab and a JSON list")
                }
                let value: JSONValue
                do { value = try JSONParser.parse(Array(line[(tab + 1)...])) } catch {
                    throw ImportFault("not valid JSON: \(error)")
                }
                file.readings.append(StatedReading(place: place, names: [name], lines: try list(value)))
            } catch {
                throw HarnessError.configuration("\(place.fault(error.messages.joined(separator: "; ")))")
            }
        }
        return file
    }

    private static func result(_ fields: [String: JSONValue]) throws(ImportFault) -> [Prediction.Line] {
        guard let texts = fields["rec_texts"]?.list else { throw ImportFault("\"rec_texts\" is missing") }
        let scores = fields["rec_scores"]?.list ?? []
        let polygons = (fields["rec_polys"] ?? fields["dt_polys"])?.list ?? []
        guard scores.isEmpty || scores.count == texts.count else {
            throw ImportFault("\(texts.count) rec_texts and \(scores.count) rec_scores")
        }
        var lines: [Prediction.Line] = []
        for (index, text) in texts.enumerated() {
            guard let text = text.text else { throw ImportFault("rec_texts[\(index)] is \(text.kind); expected text") }
            let polygon = polygons.count == texts.count ? polygons[index] : nil
            lines += line(text, scores.isEmpty ? nil : scores[index], polygon)
        }
        return lines
    }

    private static func list(_ value: JSONValue) throws(ImportFault) -> [Prediction.Line] {
        guard var elements = value.list else { throw ImportFault("expected a list of lines, found \(value.kind)") }
        // A list for every page of a document: a picture has one.
        let page = elements.count == 1 ? elements[0].list : nil
        if let page, page.first?.list?.first?.list?.first?.list != nil { elements = page }
        if elements == [.null] { return [] }
        var lines: [Prediction.Line] = []
        for (index, element) in elements.enumerated() {
            let parts = element.list ?? []
            let pair = parts.count == 2 ? parts[1].list ?? [] : Array(parts.dropFirst())
            let text = element.fields?["transcription"]?.text ?? pair.first?.text
            guard let text else {
                throw ImportFault(
                    "line of text \(index + 1): expected [box, [text, score]], or transcription and points"
                )
            }
            lines += line(text, pair.count > 1 ? pair[1] : nil, element.fields?["points"] ?? parts.first)
        }
        return lines
    }

    /// Returns a line, or none for blank text; polygons have pairs of numbers.
    private static func line(_ text: String, _ score: JSONValue?, _ polygon: JSONValue?) -> [Prediction.Line] {
        let text = text.onOneLine
        if text.isEmpty { return [] }
        let pairs = (polygon?.list ?? []).compactMap { $0.numbers }.filter { $0.count == 2 }
        let quad = pairs.count < 3 ? nil : Shape(points: pairs.map { Point(x: $0[0], y: $0[1]) })?.corners
        return [Prediction.Line(text: text, confidence: share(score), quad: quad)]
    }

    /// Returns a score as a confidence; nil outside 0…1.
    private static func share(_ value: JSONValue?) -> Double? {
        (value?.number ?? value?.text.flatMap(Double.init)).flatMap { (0...1).contains($0) ? $0 : nil }
    }

    /// Reads a list of `{"image_id", "utf8_string", "bbox", "score"}`, the results that COCO-Text's API loads.
    ///
    /// `images`: File names by the ids of images.
    static func cocoText(_ path: String, _ data: Data, images: [String: String]) throws -> ReadingFile {
        var file = ReadingFile(path: path, format: .cocoText)
        guard let records = try ReadingFile.json(data, path).list else { throw ImportFault("is not a list") }
        var places: [String: Int] = [:]
        for (index, record) in records.enumerated() {
            let place = ImportPlace(file: path, record: "result \(index + 1)")
            guard let fields = record.fields, let id = fields["image_id"]?.key, let text = fields["utf8_string"]?.text
            else {
                throw HarnessError.configuration("\(place.fault("expected an object with image_id and utf8_string"))")
            }
            if images[id] == nil, Int(id) != nil, fields["image_id"]?.text == nil {
                throw HarnessError.configuration(
                    "\(place.fault("image_id \(id) is a number; name the COCO file of the images with --annotations"))"
                )
            }
            let box = fields["bbox"]?.numbers ?? []
            let outline = (fields["polygon"] ?? fields["segmentation"]).flatMap {
                $0.list?.first?.numbers ?? $0.numbers
            }
            let quad =
                outline.flatMap(Shape.points).flatMap { Shape(points: $0) }?.corners
                ?? (box.count >= 4 ? Quad(x: box[0], y: box[1], width: box[2], height: box[3]) : nil)
            let line =
                text.onOneLine.isEmpty
                ? [] : [Prediction.Line(text: text.onOneLine, confidence: share(fields["score"]), quad: quad)]
            guard let known = places[id] else {
                places[id] = file.readings.count
                file.readings.append(StatedReading(place: place, names: [images[id] ?? id], lines: line))
                continue
            }
            if case .success(var prediction) = file.readings[known].outcome {
                prediction.lines += line
                file.readings[known].outcome = .success(prediction)
            }
        }
        return file
    }

    /// Reads `[{"image", "observations": [{"text", "confidence", "boundingBox"}]}]`, or one such object.
    ///
    /// A box is `[x, y, width, height]`, `[[x, y], [width, height]]` as Swift encodes a `CGRect`, or an object with
    /// these names, in shares of the picture from its lower left corner.
    static func vision(_ path: String, _ data: Data) throws -> ReadingFile {
        var file = ReadingFile(path: path, format: .vision)
        let value = try ReadingFile.json(data, path)
        let entries = value.list ?? [value]
        for (index, entry) in entries.enumerated() {
            let place = ImportPlace(file: path, record: "picture \(index + 1)")
            func refusal(_ problem: String) -> HarnessError { .configuration("\(place.fault(problem))") }
            guard let fields = entry.fields, let observations = fields["observations"]?.list else {
                throw refusal("expected an object with image and observations")
            }
            let image = (fields["image"] ?? fields["file"])?.text
            guard image != nil || entries.count == 1 else { throw refusal("\"image\" is missing") }
            var lines: [Prediction.Line] = []
            for (number, observation) in observations.enumerated() {
                let own = observation.fields ?? [:]
                guard let text = (own["text"] ?? own["string"])?.text else {
                    throw refusal("observation \(number + 1): \"text\" is missing")
                }
                guard !text.onOneLine.isEmpty else { continue }
                let quad = own["boundingBox"].flatMap(box).map { Quad(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }
                lines.append(.init(text: text.onOneLine, confidence: share(own["confidence"]), quad: quad))
            }
            var reading = StatedReading(place: place, names: [image ?? ReadingFile.name(of: path)], lines: lines)
            reading.isRelative = true
            if let latency = fields["latency"] {
                guard let number = latency.number, (0...86_400_000).contains(number) else {
                    throw refusal("\"latency\" is invalid; expected milliseconds")
                }
                reading.milliseconds = number
            }
            file.readings.append(reading)
        }
        return file
    }

    /// Returns x, y, width and height; nil for anything else.
    private static func box(_ value: JSONValue) -> [Double]? {
        if let numbers = value.numbers, numbers.count == 4 { return numbers }
        let pairs = (value.list ?? []).compactMap(\.numbers).flatMap(\.self)
        if pairs.count == 4 { return pairs }
        guard let fields = value.fields else { return nil }
        let parts = [fields["origin"]?.fields, fields["size"]?.fields].compactMap(\.self)
        let all = parts.reduce(fields) { $0.merging($1) { first, _ in first } }
        let numbers = ["x", "y", "width", "height"].compactMap { all[$0]?.number }
        return numbers.count == 4 ? numbers : nil
    }
}
