import Basics
import Foundation
import Imaging
import SpineDatasets

struct COCOAnnotation {
    private(set) var line: ForeignLine?
    private(set) var spine: ForeignSpine?
    /// Whether the polygon or mask has been replaced by the smallest rectangle around it.
    private(set) var isBoxed = false
    /// The line or outline of an exported picture; no line when it has become unreadable.
    private(set) var placedLine: ExportedLabels.PlacedLine?
    private(set) var placedOutline: ExportedLabels.PlacedOutline?
    /// Size of the picture that a mask was drawn on; nil without a mask.
    let maskSize: PixelSize?

    /// Keys of texts in various tools.
    private static let textKeys = ["text", "transcription", "caption", "utf8_string"]

    init(_ fields: [String: JSONValue], categories: [String: String]) throws(ImportFault) {
        maskSize = Self.maskSize(fields["segmentation"] ?? fields["mask"])
        let attributes = fields["attributes"]?.fields ?? [:]
        var category: String?
        if let key = fields["category_id"]?.key {
            category = categories[key]
            if category == nil, !categories.isEmpty {
                throw ImportFault("category \(key) is not in the list of categories")
            }
        }
        let written = Self.textKeys.lazy.compactMap { attributes[$0]?.plainText ?? fields[$0]?.plainText }.first
        let isSpine = category.map(LabelField.isSpine) ?? false
        let role = (attributes["role"]?.text).flatMap(LineRole.init(importing:)) ?? LineRole(importing: category ?? "")
        // COCO-Text has the place of illegible text, without the text.
        guard isSpine || written != nil || role != nil || fields["legibility"] != nil else { return }
        let ours = fields["spinebench"]?.fields
        let isLegible = fields["legibility"]?.text != "illegible"
        let text = ours == nil ? isLegible ? written.flatMap(ForeignLine.legible) : nil : written ?? ""
        var stated = StatedLabels()
        if isSpine, ours == nil {
            var meanings: [String: LabelField] = [:]
            for key in attributes.keys {
                // Drawing tools call the turn of a box so.
                if key != "rotation", let field = LabelField.named(key), field != .image { meanings[key] = field }
            }
            if let fault = stated.take(attributes, as: meanings).first { throw ImportFault(fault) }
            stated[.transcription] = stated[.transcription] ?? text
        }
        let shape: Shape
        (shape, isBoxed) = try Self.shape(fields, attributes, isOurs: ours != nil)
        if isSpine {
            spine = ForeignSpine(stated: stated, outline: shape)
            placedOutline = ExportedLabels.PlacedOutline(book: ours?["book"]?.whole, quad: shape.corners)
        } else {
            line = ForeignLine(text: text, role: role, shape: shape)
            placedLine = text.map { ExportedLabels.PlacedLine($0, role, shape.corners, ours ?? [:]) }
        }
    }

    private static func shape(
        _ fields: [String: JSONValue],
        _ attributes: [String: JSONValue],
        isOurs: Bool
    ) throws(ImportFault) -> (Shape, isBoxed: Bool) {
        let degrees = try JSONValue.degrees(attributes["rotation"]) ?? 0
        let isTurned = degrees.truncatingRemainder(dividingBy: 360) != 0
        let segmentation = fields["segmentation"] ?? fields["mask"]
        let isMask = isMask(segmentation)
        if !isMask, let points = try polygon(segmentation) {
            if isOurs, points.count == 4 {
                return (Shape(corners: Quad(corners: points), isInReadingOrder: true), false)
            }
            guard let shape = Shape(points: points) else { throw ImportFault("the polygon has no area") }
            return (isTurned ? shape.begun(for: SampleOrientation(nearest: degrees)) : shape, points.count != 4)
        }
        guard let box = fields["bbox"]?.numbers, box.count == 4 else {
            throw ImportFault(
                isMask
                    ? "the segmentation is a run-length mask without corners, and bbox is missing; export polygons "
                        + "or boxes instead"
                    : "has neither a polygon nor a bbox of four numbers [x, y, width, height]"
            )
        }
        guard box[2] > 0, box[3] > 0 else { throw ImportFault("the bbox has no area") }
        var shape = Shape.box(x: box[0], y: box[1], width: box[2], height: box[3])
        if isMask { return (isTurned ? shape.begun(for: SampleOrientation(nearest: degrees)) : shape, true) }
        // CVAT writes rotated boxes as they were before the rotation, clockwise around their centre. A rotated box
        // was aligned with the text.
        if isTurned {
            shape.corners = shape.corners.turned(by: degrees, around: shape.corners.centre)
            shape.isInReadingOrder = true
        }
        return (shape, false)
    }

    /// Returns whether a segmentation is run lengths, or a list of such: `{"size": [height, width], "counts": …}`.
    private static func isMask(_ value: JSONValue?) -> Bool {
        guard let value else { return false }
        let parts = value.list ?? [value]
        return !parts.isEmpty && parts.allSatisfy { $0.fields?["counts"] != nil }
    }

    /// Returns the size in a mask, which states it as height and width.
    private static func maskSize(_ value: JSONValue?) -> PixelSize? {
        guard let sides = (value?.list?.first ?? value)?.fields?["size"]?.numbers, sides.count == 2 else { return nil }
        return PixelSize(sides[1], sides[0])
    }

    /// Returns all points of the polygons; nil when there are none.
    private static func polygon(_ value: JSONValue?) throws(ImportFault) -> [Point]? {
        guard let value, ![.null, .array([]), .array([.array([])])].contains(value) else { return nil }
        guard let list = value.list else {
            throw ImportFault("the segmentation is \(value.kind); expected a list of polygons")
        }
        // COCO has a list of polygons, COCO-Text one polygon.
        let parts = value.numbers.map { [$0] } ?? list.compactMap(\.numbers)
        guard parts.count == list.count || value.numbers != nil else {
            throw ImportFault("the segmentation is not a list of polygons")
        }
        var points: [Point] = []
        for part in parts {
            guard let polygon = Shape.points(part), polygon.count >= 3 else {
                throw ImportFault("a polygon of \(part.count) numbers; expected x, y, x, y, … of 3 points or more")
            }
            points += polygon
        }
        return points
    }
}
