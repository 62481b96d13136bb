import Imaging
import Testing
import TextRecognition

@testable import Captures

/// Labels that are reported for a picture.
@Suite struct SceneLabelTests {
    private func line(_ text: String, sideways: Bool) -> RecognizedLine {
        let flat = [Point(x: 10, y: 10), Point(x: 110, y: 10), Point(x: 110, y: 30), Point(x: 10, y: 30)]
        let corners = sideways ? flat.map { Point(x: 60 - $0.y, y: $0.x) } : flat
        let quad = Quad(topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
        return RecognizedLine(text: text, confidence: 0.9, quad: quad)
    }

    private func label(_ width: Int, _ height: Int, _ lines: [RecognizedLine]) -> SceneLabel {
        var scene = SceneReading(width: width, height: height)
        scene.lines = lines
        return SceneLabel(scene)
    }

    /// A spine is narrow and its text runs along it; a receipt's runs across, and a page is not narrow.
    @Test func aNarrowPictureWithItsTextAlongItIsABook() {
        let along = line("The Waves", sideways: true)
        #expect(label(100, 250, [along]) == .book)
        #expect(label(100, 249, [along]) == .text)
        #expect(label(250, 100, [line("The Waves", sideways: false)]) == .book)
        #expect(label(100, 400, [line("Milk 1.20", sideways: false)]) == .text)
        #expect(label(100, 400, []) == .unknown)
        #expect(label(400, 300, (0..<12).map { _ in line("and so on", sideways: false) }) == .page)
    }
}
