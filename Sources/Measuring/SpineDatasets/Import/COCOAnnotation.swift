import Basics
import Foundation
import Raster

/// Why an annotation cannot be used.
struct COCOFault: Error { var message: String }

/// One annotation of a COCO file.
struct COCOAnnotation {
    enum Kind { case text, spine, other }

    let kind: Kind
    private let shape: Shape
    private let text: String?
    private let role: LineRole?
    private let stated: StatedLabels
    /// Whether the polygon has been replaced by the smallest rectangle around it.
    let isBoxed: Bool
    /// Fields that our export added; nil for a foreign annotation.
    private let extras: Extras?

    private struct Extras {
        var line: Int?
        var book: Int?
        var font: String?
        var size: Double?
    }

    /// Where tools put a text.
    private static let textKeys = ["text", "transcription", "caption", "utf8_string"]

    init(_ fields: [String: JSONValue], categories: [String: String]) throws(COCOFault) {
        let attributes = fields["attributes"]?.fields ?? [:]
        var category: String?
        if let key = fields["category_id"]?.key {
            category = categories[key]
            if category == nil, !categories.isEmpty {
                throw COCOFault(message: "category \(key) is not in the list of categories")
            }
        }
        let written = Self.textKeys.lazy.compactMap { attributes[$0]?.plainText ?? fields[$0]?.plainText }.first
        let name = category.map(LabelField.normalised) ?? ""
        let isSpine = ["book", "books", "spine", "spines", "bookspine", "bookspines"].contains(name)
        role = (attributes["role"]?.text).flatMap(LineRole.init(importing:)) ?? LineRole(importing: name)
        // COCO-Text says of what nobody can read where it is, and has no text for it.
        let isText = written != nil || role != nil || fields["legibility"] != nil
        kind = isSpine ? .spine : isText ? .text : .other
        if let ours = fields["spinebench"]?.fields {
            text = written ?? ""
            extras = Extras(
                line: ours["line"]?.number.flatMap(Int.init(exactly:)),
                book: ours["book"]?.number.flatMap(Int.init(exactly:)),
                font: ours["font"]?.text,
                size: ours["size"]?.number
            )
        } else {
            text = fields["legibility"]?.text == "illegible" ? nil : written.flatMap(ForeignLine.legible)
            extras = nil
        }
        var stated = StatedLabels()
        if isSpine, extras == nil {
            var meanings: [String: LabelField] = [:]
            for key in attributes.keys {
                // Drawing tools call the turn of a box so.
                if key != "rotation", let field = LabelField.named(key), field != .image { meanings[key] = field }
            }
            let faults = stated.take(attributes, as: meanings)
            if let fault = faults.first { throw COCOFault(message: fault) }
            stated.transcription = stated.transcription ?? text
        }
        self.stated = stated
        guard kind != .other else {
            shape = .box(x: 0, y: 0, width: 0, height: 0)
            isBoxed = false
            return
        }
        (shape, isBoxed) = try Self.shape(fields, attributes, isOurs: extras != nil)
    }

    private static func shape(
        _ fields: [String: JSONValue],
        _ attributes: [String: JSONValue],
        isOurs: Bool
    ) throws(COCOFault) -> (Shape, isBoxed: Bool) {
        if let points = try polygon(fields["segmentation"] ?? fields["mask"]) {
            if isOurs, points.count == 4 {
                let quad = Quad(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
                return (Shape(corners: quad, isInReadingOrder: true), false)
            }
            guard let shape = Shape(points: points) else { throw COCOFault(message: "the polygon has no area") }
            return (shape, points.count != 4)
        }
        guard let box = fields["bbox"]?.numbers, box.count == 4 else {
            throw COCOFault(message: "has neither a polygon nor a bbox of four numbers [x, y, width, height]")
        }
        guard box[2] > 0, box[3] > 0 else { throw COCOFault(message: "the bbox has no area") }
        var shape = Shape.box(x: box[0], y: box[1], width: box[2], height: box[3])
        // CVAT writes turned boxes as they were before they were turned, clockwise around their middle.
        if let degrees = attributes["rotation"]?.number, degrees != 0 {
            let centre = shape.corners.centre
            let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
            shape.corners = shape.corners.mapped { point in
                let (dx, dy) = (point.x - centre.x, point.y - centre.y)
                return Point(x: centre.x + dx * cosine - dy * sine, y: centre.y + dx * sine + dy * cosine)
            }
        }
        return (shape, false)
    }

    /// All points of the polygons; nil when there are none.
    private static func polygon(_ value: JSONValue?) throws(COCOFault) -> [Point]? {
        guard let value, value != .null, value != .array([]) else { return nil }
        guard let list = value.list else {
            throw COCOFault(
                message: "the segmentation is a run-length mask, which has no corners; export polygons or boxes instead"
            )
        }
        // COCO has a list of polygons, COCO-Text one polygon.
        let parts = value.numbers.map { [$0] } ?? list.compactMap(\.numbers)
        guard parts.count == list.count || value.numbers != nil else {
            throw COCOFault(message: "the segmentation is no list of polygons")
        }
        var points: [Point] = []
        for part in parts {
            guard let polygon = Shape.points(part), polygon.count >= 3 else {
                throw COCOFault(
                    message: "a polygon of \(part.count) numbers; expected x, y, x, y, … of 3 points or more"
                )
            }
            points += polygon
        }
        return points
    }

    /// The line of text, if it is one.
    var line: ForeignLine? { kind == .text ? ForeignLine(text: text, role: role, shape: shape) : nil }

    /// The spine, if it is one.
    var spine: ForeignSpine? { kind == .spine ? ForeignSpine(stated: stated, outline: shape) : nil }

    /// The outline, of an exported picture.
    var placedOutline: ExportedLabels.PlacedOutline? {
        kind == .spine ? ExportedLabels.PlacedOutline(book: extras?.book, quad: shape.corners) : nil
    }

    /// The line, of an exported picture; nil for one that has become unreadable.
    var placedLine: ExportedLabels.PlacedLine? {
        guard kind == .text, let text else { return nil }
        return ExportedLabels.PlacedLine(
            line: extras?.line,
            book: extras?.book,
            value: LabelledLine(text: text, role: role, quad: shape.corners, font: extras?.font, size: extras?.size)
        )
    }
}
