import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness

/// Numbers of parts, and their contents.
@Suite(.tags(.io)) struct PartTests {
    @Test(arguments: [
        ("1/1", 1, 1), ("2/7", 2, 7), ("64/64", 64, 64), ("007/8", 7, 8),
    ])
    func isParsed(text: String, number: Int, count: Int) {
        #expect(Part(text) == Part(number: number, of: count))
        #expect(Part(text) != nil)
    }

    @Test(arguments: [
        "", "1", "/", "1/", "/2", "0/2", "3/2", "-1/2", "+1/2", "1/2/3", " 1/2", "1 / 2", "1/2 ", "a/b", "1/0", "1.0/2",
        "1/9999999999999999999999",
    ])
    func isRefused(text: String) { #expect(Part(text) == nil) }

    /// Expected values by `printf %s NAME | sha256sum`: the first 16 digits modulo the number of parts, plus 1,
    /// computed in Python.
    @Test(
        arguments: [
            ("photo-12", 1, 1),
            ("photo-12", 2, 2),
            ("photo-12", 7, 1),
            ("photo-12", 64, 4),
            ("photo-12", 4, 4),
            ("s0", 1, 1),
            ("s0", 2, 2),
            ("s0", 7, 1),
            ("s0", 64, 44),
            ("s0", 4, 4),
            ("", 1, 1),
            ("", 2, 1),
            ("", 7, 2),
            ("", 64, 21),
            ("", 4, 1),
            ("Ünïcode 書", 1, 1),
            ("Ünïcode 書", 2, 2),
            ("Ünïcode 書", 7, 1),
            ("Ünïcode 書", 64, 10),
            ("Ünïcode 書", 4, 2),
            ("a/b c", 1, 1),
            ("a/b c", 2, 2),
            ("a/b c", 7, 3),
            ("a/b c", 64, 6),
            ("a/b c", 4, 2),
        ] as [(String, Int, Int)]
    )
    func membershipIsForAllTime(name: String, count: Int, number: Int) {
        #expect(Part.number(ofGroup: name, count: count) == number)
    }

    @Test func groupsStayTogetherAndEverySampleIsInOnePart() {
        let samples = (0..<500).map { Sample.made("s\($0)", group: $0 % 3 == 0 ? nil : "photo \($0 / 10)") }
        for count in [1, 2, 7, 64, 1_000] {
            let places = samples.map { sample in Part.all(of: count).filter { $0.holds(sample) } }
            #expect(places.allSatisfy { $0.count == 1 })
            let byGroup = Dictionary(grouping: zip(samples, places), by: { $0.0.indivisibleGroup })
            #expect(byGroup.values.allSatisfy { Set($0.map(\.1)).count == 1 })
        }
    }

    @Test func thePlanOfAPartIsThatOfTheRunWithoutTheOthers() throws {
        let samples = (0..<40).map { Sample.made("s\($0)") }
        let plan = ScenarioPlan(
            Scenario(kind: .single),
            samples: samples,
            repetitions: 2,
            seeds: [1, 2],
            fileSize: { _ in 1 }
        )
        guard case .listed(let whole) = plan.steps else { return }
        var sum = 0
        for part in Part.all(of: 3) {
            guard case .listed(let own) = plan.restricted(to: part).steps else { return }
            #expect(own == whole.filter { part.holds($0.sample) })
            sum += own.count
        }
        #expect(sum == whole.count && whole.count == 160)
    }

    @Test func isTwoNumbersInJSON() throws {
        let part = try #require(Part("2/7"))
        #expect(try JSONEncoder().encode(part) == Data("[2,7]".utf8))
        #expect(try JSONDecoder().decode(Part.self, from: Data("[2,7]".utf8)) == part)
        for text in ["[]", "[8,7]", "[0,7]", "[1,2,3]", "\"2/7\""] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Part.self, from: Data(text.utf8)) }
        }
    }
}
