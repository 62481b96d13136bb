import BookCatalogue
import Testing

@testable import VisualSearch

/// Exact names before beginnings, before beginnings of words; a short text is not searched inside of words.
@Suite struct NameRankTests {
    @Test(arguments: [
        ("Emma", "emma", NameRank.exact), ("Emmanuel", "emma", .prefix), ("The Emmas", "emma", .prefix),
        ("Saint Emma", "emma", .containing), ("Dilemma", "emma", nil), ("Our Dilemma", "dilem", .containing),
        ("Bookbinders", "binders", .inside), ("Bookbinders", "bind", nil), ("War and Peace", "peace war", .containing),
        ("Nineteen Eighty-Four", "1984", .exact), ("Catch22", "catch 22", .exact),
        ("Of Le Guin", "leguin", .containing),
        ("St. Mary", "saint", .prefix), ("C++ Primer", "C++", .prefix),
    ])
    func places(title: String, asked: String, rank: NameRank?) {
        #expect(NameRank(BookRecord(title: title), for: TypedQuery(asked)) == rank)
    }
}
