import Foundation
import Testing

@testable import SpineDatasets

@Suite("Synthesis options")
struct SynthesisOptionsTests {
    @Test(
        "what makes no sense is told with its value",
        arguments: [
            (SynthesisOptions(), nil),
            (SynthesisOptions(spines: 0, shelves: 1), nil),
            (SynthesisOptions(spines: 0), "0 spines and 0 shelves; expected at least 1 of either"),
            (SynthesisOptions(spines: -1), "-1 spines; expected 0 to 100000"),
            (SynthesisOptions(spines: 100_001), "100001 spines; expected 0 to 100000"),
            (SynthesisOptions(shelves: 10_001), "10001 shelves; expected 0 to 10000"),
            (SynthesisOptions(categories: [:]), "every category has a share of 0"),
            (SynthesisOptions(categories: [.mixed: 0]), "every category has a share of 0"),
            (SynthesisOptions(categories: [.mixed: -1]), "the share of mixed is -1; expected 0 to 1000000"),
            (SynthesisOptions(widths: 19...30), "widths are 19...30; expected a range within 20...600"),
            (SynthesisOptions(widths: 30...601), "widths are 30...601; expected a range within 20...600"),
            (SynthesisOptions(booksPerShelf: 0...131), "books on a shelf are 0...131; expected a range within 0...130"),
        ] as [(SynthesisOptions, String?)]
    )
    func problems(_ options: SynthesisOptions, _ problem: String?) {
        #expect(options.problem == problem)
    }

    @Test("options are written and read as they are, categories by name")
    func coding() throws {
        var options = SynthesisOptions(seed: .max, spines: 3, shelves: 2)
        options.titlesDigest = "00"
        let data = try JSONEncoder().encode(options)
        #expect(try JSONDecoder().decode(SynthesisOptions.self, from: data) == options)
        #expect(String(decoding: data, as: UTF8.self).contains("\"vertical\":62"))
    }
}
