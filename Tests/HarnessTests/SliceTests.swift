import Basics
import Foundation
import Imaging
import SpineDatasets
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness
@testable import Reports

@Suite(.tags(.unit)) struct SliceTests {
    /// A sample with the properties of its number, and its reading.
    private func reading(
        _ number: Int,
        category: SampleCategory = .vertical,
        title: String? = "Emma",
        group: String? = nil,
        isRead: Bool
    ) -> (Sample, SampleRecord) {
        let sample = Sample(
            id: "s\(number)",
            image: "s\(number).png",
            category: category,
            title: title,
            transcription: title ?? "",
            orientation: .upright,
            group: group
        )
        var record = SampleRecord(measurement: "m", repetition: 1, position: number, id: sample.id)
        record.prediction = Prediction(lines: isRead ? [.init(text: title ?? "")] : [])
        return (sample, record)
    }

    private func slices(
        _ readings: [(Sample, SampleRecord)],
        traits: (Int) -> PictureTraits? = { _ in nil }
    ) throws -> Slices {
        let pictures = Dictionary(
            uniqueKeysWithValues: readings.indices.compactMap { index in
                traits(index).map { (readings[index].0.image, $0) }
            }
        )
        let titles = readings.compactMap { sample, record in
            Reading(sample, record).score?.title.isRead.map { (sample: sample, isRead: $0) }
        }
        return try #require(Slices(titles, traits: pictures))
    }

    private func traits(side: Int = 100, contrast: Int = 50, sharpness: Int = 100) -> PictureTraits {
        var traits = PictureTraits(RasterImage(width: 1, height: 1, channels: 1))
        (traits.shortSide, traits.contrast, traits.sharpness) = (side, contrast, sharpness)
        return traits
    }

    /// 90 samples in three thirds by contrast, of which the lowest is read in 10 of 30, the others in 27 of 30.
    @Test func aPlantedSliceIsFound() throws {
        let slices = try slices(
            (0..<90).map { reading($0, isRead: $0 % 3 == 0 ? $0 < 30 : $0 < 81) },
            traits: { self.traits(contrast: $0 % 3 * 40) }
        )
        let low = try #require(slices.slices.first { $0.values == "≤ 0" })
        #expect(low.property.hasPrefix("contrast"))
        #expect(low.rate.proportion == Proportion(successes: 10, trials: 30))
        // SciPy 1.17.1: fisher_exact([[10, 20], [54, 6]])[1], times three tests.
        let p = try #require(low.p)
        #expect(abs(p / 5.460007188493609e-08 - 1) < 1e-6)
        #expect(abs(try #require(low.correctedP) / (3 * p) - 1) < 1e-12)
        #expect(low.standsOut && low.excludes(slices.overall.rate))
        #expect(slices.slices.map(\.values) == ["≤ 0", "1–40", "≥ 41"])
    }

    /// 400 runs whose 240 samples are all read with the same chance: at most one in twenty has a marked slice, which
    /// 31 or fewer are in 99 of 100 cases. (The same in Python with SciPy 1.17.1: 19.)
    @Test func equalSlicesAreRarelyMarked() throws {
        var random = SplitMix64(state: 7)
        var marked = 0
        for _ in 0..<400 {
            let readings = (0..<240).map { number in
                reading(
                    number,
                    category: SampleCategory.allCases[number % 5],
                    title: String(repeating: "a", count: 1 + number % 17),
                    isRead: random.nextDouble() < 0.85
                )
            }
            let found = try slices(readings) {
                self.traits(side: $0 * 7 % 101, contrast: $0 * 13 % 59, sharpness: $0 * 31 % 211)
            }
            #expect(found.slices.count == 17)
            if found.slices.contains(where: \.standsOut) { marked += 1 }
        }
        #expect(marked <= 31)
    }

    /// Five samples of a photo are missed together: 16 and 20 of 24 photos show less than 80 and 100 of 120 samples.
    @Test func samplesOfOnePhotoAreNotIndependent() throws {
        func slices(grouped: Bool) throws -> Slices {
            try self.slices(
                (0..<240).map { number in
                    let photo = number % 48
                    return reading(
                        number,
                        category: photo < 24 ? .vertical : .inverted,
                        group: grouped ? "photo \(photo)" : nil,
                        isRead: photo >= 8 && !(24..<28).contains(photo)
                    )
                }
            )
        }
        #expect(try slices(grouped: false).slices.contains(where: \.standsOut))
        #expect(try !slices(grouped: true).slices.contains(where: \.standsOut))
    }

    @Test func fewPhotosAreNotTested() throws {
        let slices = try slices(
            (0..<80).map {
                reading($0, category: $0 < 40 ? .mixed : .vertical, group: "photo \($0 / 10)", isRead: $0 >= 40)
            }
        )
        #expect(slices.slices.allSatisfy { $0.p == nil && $0.rate.trials == 40 })
    }

    @Test func fewSamplesAreNotTested() throws {
        let slices = try slices((0..<40).map { reading($0, category: $0 < 4 ? .mixed : .vertical, isRead: $0 >= 4) })
        #expect(slices.slices.map(\.values) == ["mixed", "vertical"])
        #expect(slices.slices.allSatisfy { $0.p == nil && !$0.standsOut })
    }

    @Test func onlyScoredTitlesCount() throws {
        var illegible = reading(1, isRead: true)
        illegible.0.legible = false
        let slices = try slices([reading(0, isRead: true), illegible, reading(2, title: nil, isRead: true)])
        #expect(slices.overall.trials == 1)
        #expect(slices.slices.isEmpty)
        #expect(Slices([], traits: [:]) == nil)
    }

    @Test(arguments: [
        ("Emma", "Latin"), ("Łódź", "Latin"), ("Война и мир", "Cyrillic"), ("Ἰλιάς", "Greek"), ("吾輩は猫である", "CJK"),
        ("三体", "CJK"), ("채식주의자", "Hangul"), ("Мастер и Margarita", "Latin"), ("1984", "no letters"), ("", "no letters"),
    ])
    func scriptIsThatOfMostLetters(title: String, script: String) {
        #expect(Slices.script(of: title) == script)
    }

    @Test func tablesNameTheWorseSlice() throws {
        var result = try GoldenRun.result()
        result.measurements[0].slices = try slices(
            (0..<60).map { reading($0, category: $0 < 30 ? .stylized : .vertical, isRead: $0 >= 20) }
        )
        let tables = SliceTables(result.measurements)
        #expect(tables.sentences.count == 2)
        #expect(
            tables.sentences[0].contains(
                "category stylized: worse, 10 of 30 (33.3 %); all samples: 40 of 60 (66.7 %)"
            )
        )
        let report = RunDocument(result).markdown
        let place = try #require(report.range(of: "## Where titles are missed"))
        // The plots come first.
        #expect(try #require(report.range(of: "Title read (%")).upperBound < place.lowerBound)
    }
}
