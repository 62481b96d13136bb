import SpineDatasets
import Testing

@testable import SpineSynthesis

@Suite("Spine brief")
struct SpineBriefTests {
    /// The briefs of a data set of 240 spines, 60 each of the categories that most targets are about.
    private static let briefs = [
        (SampleCategory.vertical, 60), (.inverted, 60), (.stylized, 60), (.horizontal, 30), (.mixed, 30),
    ].flatMap { category, count in
        (0..<count).map { SpineRequest(category: category, ordinal: $0) }
    }

    @Test("240 spines have every layout, treatment and extra")
    func everythingHasItsTurn() {
        #expect(Set(Self.briefs.map(\.layout)) == Set(SpineRequest.Layout.allCases))
        #expect(Set(Self.briefs.compactMap(\.treatment)) == Set(SpineRequest.Treatment.allCases))
        #expect(Set(Self.briefs.compactMap(\.extra)) == Set(SpineRequest.Extra.allCases))
    }

    @Test("stylized spines have every treatment within their first sixty")
    func stylized() {
        let treatments = Self.briefs.filter { $0.category == .stylized }.compactMap(\.treatment)
        #expect(Set(treatments) == Set(SpineRequest.Treatment.allCases))
    }

    @Test("there are at least five books for every brief")
    func books() {
        for brief in Self.briefs {
            #expect(Book.all.count(where: brief.suits) >= 5, "\(brief)")
        }
    }

    @Test("a series goes with a book that is part of one, a column of letters with a short title")
    func suits() {
        let lone = Book("Dune", "Frank Herbert", "Herbert")
        let part = Book("Dune", "Frank Herbert", "Herbert", series: Book.Series(name: "Dune", number: 1))
        let series = SpineRequest(category: .vertical, layout: .running, pose: .standing, extra: .series)
        #expect(!series.suits(lone) && series.suits(part))
        let column = SpineRequest(category: .stylized, layout: .letterStack, pose: .standing)
        #expect(column.suits(lone))
        #expect(!column.suits(Book("Catch-22", "Joseph Heller", "Heller")), "a hyphen has no place in a column")
        #expect(!column.suits(Book("Frankenstein", "Mary Shelley", "Shelley")))
    }
}
