import Basics
package import Imaging

package struct SceneTruth: Sendable, Equatable, Codable {
    /// Labels of a picture's content, as in the context pipeline's `SceneLabel`.
    package enum Label: String, Sendable, Codable, CaseIterable {
        case bookshelf, book, code, page, text
        /// No label: the right answer is none.
        case unknown
    }

    package var label: Label
    /// Contents of its QR and bar codes, each once; empty for none.
    package var codes: [String]
    /// Outline of the foreground subject, in pixels of the picture, three points at least; nil without an outline.
    package var subject: [Point]?

    package init(label: Label, codes: [String] = [], subject: [Point]? = nil) {
        (self.label, self.codes, self.subject) = (label, codes, subject)
    }
}

extension FieldReader {
    mutating func scene() -> SceneTruth? {
        guard let value = self["scene"] else { return nil }
        guard case .object(let fields) = value else {
            return refused("scene", "is \(value.kind); expected an object with \"label\"")
        }
        return nested(fields, under: "scene.") { scene in
            SceneTruth(
                label: scene.choice("label", of: SceneTruth.Label.self) ?? .unknown,
                codes: scene.texts("codes") ?? [],
                subject: scene.points("subject")
            )
        }
    }

    private mutating func points(_ name: String) -> [Point]? {
        guard let value = self[name] else { return nil }
        let expected = "expected three points [x, y] or more"
        guard case .array(let elements) = value, elements.count >= 3 else {
            return refused(name, "is \(value.kind); \(expected)")
        }
        let points = elements.compactMap(Self.point)
        guard points.count == elements.count else {
            return refused(name, "has a point that is not two numbers; \(expected)")
        }
        let most = 10_000
        guard points.count <= most else {
            return refused(name, "has \(points.count) points; at most \(most) are accepted")
        }
        return abs(points.signedArea) >= 1
            ? points : refused(name, "encloses less than a pixel; \(expected) around the subject")
    }
}
