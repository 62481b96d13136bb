import Imaging
import Testing

@testable import CaptureReading

@Suite struct ThingTreeTests {
    private let tree = ThingTree.standard

    /// Shares of some classes by their line of things.tsv; the rest of 1 is on the last class (toilet roll).
    private func shares(_ some: [Int: Float]) -> [Float] {
        var shares = [Float](repeating: 0, count: ThingTree.classes)
        for (line, share) in some { shares[line] = share }
        shares[999] += 1 - some.values.reduce(0, +)
        return shares
    }

    /// Lines 281, 283 and 284 of ImageNet's list are a tabby, a Persian and a Siamese cat, 504 a coffee mug.
    @Test func namesAndKindsAreThoseOfTheList() {
        #expect(tree.kinds(of: "tabby cat") == ["cat", "animal"])
        #expect(tree.kinds(of: "mug") == ["cup", "crockery", "kitchenware"])
        #expect(tree.has("dog") && !tree.has("person"))
        #expect(tree.names(below: "cat").sorted() == ["Egyptian cat", "Persian cat", "Siamese cat", "tabby cat"])
    }

    /// Three cats of 0.3 each: 0.3 is unsure (log odds −0.85: 0.16), their sum 0.9 is not (log odds 2.2: 0.69).
    @Test func aKindIsSureWhereItsMembersAreNot() throws {
        let shares = shares([281: 0.3, 283: 0.3, 284: 0.3])
        let label = try #require(tree.label(shares))
        #expect(label.name == "cat")
        #expect(abs(label.confidence - 0.693) < 0.005)
        #expect(tree.answers(shares).map(\.name) == ["cat", "toilet roll", tree.answers(shares)[2].name])
    }

    @Test func theMostSpecificSureNameIsTheLabel() {
        #expect(tree.label(shares([504: 0.95]))?.name == "mug")
        // Two halves of nothing in common: no name is sure.
        #expect(tree.label(shares([504: 0.5])) == nil)
    }

    /// A disc among other discs of its colours is found where it is warm, and nothing is where all is cold.
    @Test func aSubjectIsFoundWhereItIsWarm() throws {
        var image = RasterImage(width: 160, height: 160, channels: 3, filledWith: 90)
        func fill(_ x: Int, _ y: Int, _ radius: Int, _ colour: [UInt8]) {
            for row in max(0, y - radius)..<min(160, y + radius) {
                for column in max(0, x - radius)..<min(160, x + radius)
                where (row - y) * (row - y) + (column - x) * (column - x) < radius * radius {
                    for channel in 0..<3 { image.pixels[3 * (160 * row + column) + channel] = colour[channel] }
                }
            }
        }
        for (x, y) in [(0, 0), (80, 0), (159, 0), (0, 159), (159, 159), (0, 80)] { fill(x, y, 25, [30, 60, 200]) }
        fill(90, 90, 40, [200, 50, 40])
        var heat = [Float](repeating: 0, count: 81)
        for row in 3...6 { for column in 3...6 { heat[9 * row + column] = 1 } }
        let subject = try #require(SubjectSifter.subject(of: image, heat: heat))
        // π · 40² of 160² pixels are 19.6 %.
        #expect(abs(subject.share - 0.196) < 0.03)
        #expect(subject.cover(of: heat) > 0.8)
        #expect(subject.borderShare == 0)
        #expect(SubjectSifter.subject(of: image, heat: [Float](repeating: 0, count: 81)) == nil)
    }
}
