import Foundation
import Imaging
import TestSupport
import Testing

@testable import CaptureReading

/// Subjects of drawn scenes: see `DrawnScene`.
@Suite
struct SubjectSifterTests {
    /// Seeds of the scenes; more of them with SIFTING_SCENES in the environment.
    static let seeds = 1...UInt64(ProcessInfo.processInfo.environment["SIFTING_SCENES"].flatMap(Int.init) ?? 12)

    @Test
    func masksOverlapTheSubjects() {
        var overlaps: [(value: Double, name: String)] = []
        for seed in Self.seeds {
            let scene = DrawnScene(seed: seed)
            let subject = SubjectSifter.subject(of: scene.image)
            overlaps.append((subject.map { scene.overlap(with: $0.mask) } ?? 0, scene.name))
        }
        let mean = overlaps.map(\.value).reduce(0, +) / Double(overlaps.count)
        let worst = overlaps.sorted { $0.value < $1.value }
        let missed = overlaps.count { $0.value == 0 }
        print("subjects: mean IoU \(mean) of \(overlaps.count), none found \(missed); the worst:")
        for entry in worst.prefix(12) { print("  \((entry.value * 1_000).rounded() / 1_000) \(entry.name)") }
        #expect(mean >= 0.9)
    }

    @Test
    func backgroundsAloneHaveNoSubject() {
        let found = Self.seeds.filter {
            SubjectSifter.subject(of: DrawnScene(seed: $0, hasSubject: false).image) != nil
        }
        print("backgrounds: a subject on \(found.count) of \(Self.seeds.count): \(found)")
        #expect(found.isEmpty)
    }

    /// Dark square of 60 pixels beside others of the same size, or one of 20: among equals the subject is ambiguous.
    @Test(arguments: [(0, 0, true), (2, 60, false), (1, 20, true)])
    func amongEqualsThereIsNone(_ others: Int, _ side: Int, _ isFound: Bool) {
        var image = RasterImage.plain(400, 200, 200)
        func draw(_ left: Int, _ side: Int) {
            for y in 70..<70 + side { for x in left..<left + side { image.pixels[y * 400 + x] = 40 } }
        }
        draw(60, 60)
        for other in 0..<others { draw(170 + 100 * other, side) }
        let subject = SubjectSifter.subject(of: image)
        #expect((subject != nil) == isFound)
        if let subject { #expect(abs(subject.minX - 60) < 4 && abs(subject.maxX - 120) < 4) }
    }

    /// A cut-out is RGB with alpha (PNG, third edition, section 11.2.1: colour type 6), as large as its box.
    @Test
    func cutOutsHaveAlpha() throws {
        let scene = DrawnScene(seed: 2)
        let subject = try #require(SubjectSifter.subject(of: scene.image))
        let file = try subject.cutOut(of: scene.image)
        #expect(file[25] == 6)
        let decoded = try ImageCodec.decode(file, name: "cut-out").image
        #expect((decoded.width, decoded.height) == (subject.maxX - subject.minX, subject.maxY - subject.minY))
        // Alpha is laid onto white: a pixel that is nothing of the subject's is white, one that is all is as it was.
        for y in subject.minY..<subject.maxY {
            for x in subject.minX..<subject.maxX {
                let value = subject.mask.pixels[y * DrawnScene.width + x]
                guard value == 0 || value == 255 else { continue }
                let at = 3 * ((y - subject.minY) * decoded.width + x - subject.minX)
                let original = value == 0 ? 255 : scene.image.pixels[3 * (y * DrawnScene.width + x)]
                #expect(abs(Int(decoded.pixels[at]) - Int(original)) <= (value == 0 ? 0 : 2))
            }
        }
    }

    /// No room for a border and an inside.
    @Test(arguments: [(1, 1), (15, 300), (2_000, 20), (16, 16), (200, 150)])
    func plainAndNarrowPicturesHaveNoSubject(_ width: Int, _ height: Int) {
        #expect(SubjectSifter.subject(of: .plain(width, height)) == nil)
    }
}
