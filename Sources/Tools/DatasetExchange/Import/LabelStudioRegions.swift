import Basics
import Foundation
import Imaging
import SpineDatasets

/// Regions that an annotator drew into one picture, the results of each joined by their id.
struct LabelStudioRegions {
    private(set) var lines: [ForeignLine] = []
    private(set) var spines: [ForeignSpine] = []
    /// Labels of the picture as a whole.
    private(set) var stated = StatedLabels()
    /// Regions that are neither text nor a spine.
    private(set) var others = 0
    /// Polygons that were replaced by rectangles.
    private(set) var boxed = 0
    /// The picture's size as the annotator's browser had it.
    private(set) var size: PixelSize?

    private struct Region {
        var shape: Shape?
        var isBoxed = false
        var labels: [String] = []
        var text: String?
        var stated = StatedLabels()
        /// Shape that it was drawn as, if that has no corners.
        var cornerless: String?
    }

    init(_ results: [JSONValue]) throws(ImportFault) {
        var order: [String] = []
        var regions: [String: Region] = [:]
        var faults: [String] = []
        for (index, result) in results.enumerated() {
            guard let fields = result.fields, let value = fields["value"]?.fields else {
                // Relations between regions have no value.
                if result.fields?["type"]?.text != "relation" { faults.append("result \(index + 1) has no \"value\"") }
                continue
            }
            let id = fields["id"]?.key ?? "result \(index + 1)"
            do throws(ImportFault) {
                if let degrees = try JSONValue.degrees(fields["image_rotation"]), degrees != 0, abs(degrees) < 1e6 {
                    throw ImportFault(
                        "the picture was rotated by \(Int(degrees.rounded()))° during labelling, so the coordinates are "
                            + "ambiguous; rotate the file and label it again"
                    )
                }
                if let width = fields["original_width"]?.number, let height = fields["original_height"]?.number {
                    size = PixelSize(width, height) ?? size
                }
                let isRegion = LabelStudioPages.isRegion(result)
                let isPart = regions[id] != nil || isRegion
                if regions[id] == nil, isRegion { order.append(id) }
                var region = isPart ? regions[id] ?? Region() : Region()
                region.stated = isPart ? region.stated : stated
                try Self.add(fields, value, to: &region, size: size, isPart: isPart)
                if isPart { regions[id] = region } else { stated = region.stated }
            } catch {
                faults += error.messages.map { "region \(id): \($0)" }
            }
        }
        for id in order {
            guard let region = regions[id] else { continue }
            faults += take(region).map { "region \(id): \($0)" }
        }
        guard faults.isEmpty else { throw ImportFault(messages: faults) }
    }

    private static func add(
        _ fields: [String: JSONValue],
        _ value: [String: JSONValue],
        to region: inout Region,
        size: PixelSize?,
        isPart: Bool
    ) throws(ImportFault) {
        if isPart, region.shape == nil, region.cornerless == nil {
            (region.shape, region.isBoxed) = try shape(value, size: size)
            if region.shape == nil { region.cornerless = fields["type"]?.text ?? "something without corners" }
        }
        for key in ["rectanglelabels", "polygonlabels", "labels"] {
            region.labels += (value[key]?.list ?? []).compactMap(\.text)
        }
        let name = fields["from_name"]?.text ?? ""
        if let text = value["text"] {
            let words = text.text ?? text.list.map { $0.compactMap(\.text).joined(separator: " ") } ?? ""
            switch LabelField.named(name) {
            case .some(let field) where field != .transcription && field != .image:
                try state(words, as: field, of: &region)
            default:
                if isPart {
                    region.text = [region.text, words].compactMap { $0 }.joined(separator: " ")
                } else {
                    try state(words, as: .transcription, of: &region)
                }
            }
        }
        for choice in (value["choices"]?.list ?? []).compactMap(\.text) {
            if let field = LabelField.named(name), field != .image {
                try state(choice, as: field, of: &region)
            } else {
                region.labels.append(choice)
            }
        }
    }

    private static func state(_ text: String, as field: LabelField, of region: inout Region) throws(ImportFault) {
        if let fault = region.stated.take(text, as: field) { throw ImportFault(fault) }
    }

    /// Returns the shape of a region in shares of the picture; nil when it has no corners.
    ///
    /// A rectangle's `x` and `y` are its top left corner, around which it is turned clockwise by `rotation` degrees.
    /// That is in pixels: in shares of width and height a turned rectangle is none.
    private static func shape(
        _ value: [String: JSONValue],
        size: PixelSize?
    ) throws(ImportFault) -> (Shape?, isBoxed: Bool) {
        let (width, height) = (Double(size?.width ?? 0), Double(size?.height ?? 0))
        let found: Shape?
        var isBoxed = false
        if let list = value["points"]?.list {
            let points = list.compactMap(\.numbers).filter { $0.count == 2 }.map { Point(x: $0[0], y: $0[1]) }
            guard points.count == list.count else { throw ImportFault("points that are not two numbers") }
            guard size != nil else { throw unsized }
            found = Shape(points: points.map { Point(x: $0.x * width / 100, y: $0.y * height / 100) })
            isBoxed = points.count != 4
        } else if let x = value["x"]?.number, let y = value["y"]?.number, let w = value["width"]?.number,
            let h = value["height"]?.number
        {
            let degrees = (try JSONValue.degrees(value["rotation"]) ?? 0).truncatingRemainder(dividingBy: 360)
            guard w > 0, h > 0 else { throw ImportFault("the rectangle has no area") }
            if degrees == 0 {
                var box = Shape.box(x: x / 100, y: y / 100, width: w / 100, height: h / 100)
                box.isRelative = true
                return (box, false)
            }
            guard size != nil else { throw unsized }
            let (x, y) = (x / 100 * width, y / 100 * height)
            let box = Shape.box(x: x, y: y, width: w / 100 * width, height: h / 100 * height).corners
            // A rotated rectangle was aligned with the text.
            found = Shape(corners: box.turned(by: degrees, around: box.topLeft), isInReadingOrder: true)
        } else {
            return (nil, false)
        }
        guard var shape = found else { throw ImportFault("the polygon has no area") }
        shape.corners = shape.corners.mapped { Point(x: $0.x / width, y: $0.y / height) }
        shape.isRelative = true
        return (shape, isBoxed)
    }

    private static let unsized = ImportFault(
        "\"original_width\" and \"original_height\" are missing, so its angles are unknown"
    )

    private mutating func take(_ region: Region) -> [String] {
        let isSpine = region.labels.contains(where: LabelField.isSpine)
        let role = region.labels.lazy.compactMap(LineRole.init(importing:)).first
        guard isSpine || role != nil || region.text != nil else {
            others += 1
            return []
        }
        guard let shape = region.shape else {
            return ["drawn as \(region.cornerless ?? "nothing"), which has no corners; draw a rectangle or a polygon"]
        }
        if region.isBoxed { boxed += 1 }
        if isSpine {
            var spine = ForeignSpine(stated: region.stated, outline: shape)
            spine.stated[.transcription] =
                spine.stated[.transcription] ?? region.text.flatMap(ForeignLine.legible)
            spines.append(spine)
        } else {
            lines.append(ForeignLine(text: region.text.flatMap(ForeignLine.legible), role: role, shape: shape))
        }
        return []
    }
}
