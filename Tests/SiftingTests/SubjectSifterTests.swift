import Foundation
import ImageCodec
import Raster
import Sifting
import Testing

/// Subjects of drawn scenes: see `DrawnScene`.
@Suite
struct SubjectSifterTests {
    /// Seeds of the scenes; more of them with SIFTING_SCENES in the environment.
    static let seeds = 1...UInt64(ProcessInfo.processInfo.environment["SIFTING_SCENES"].flatMap(Int.init) ?? 24)

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
}
