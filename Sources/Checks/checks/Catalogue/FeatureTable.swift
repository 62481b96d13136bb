import BookCatalogue
import Foundation

/// Evidence of texts for their candidates, as tab-separated values for Peers/fit_matcher.py.
struct FeatureTable {
    /// Number of candidates of a text that are noted.
    static let candidates = 40
    private static let columns = [
        "titleShare", "titleBits", "authorShare", "authorBits", "hasAuthor", "furtherBits", "explained", "unexplained",
        "likeness", "label", "missing", "telling", "phrase", "lineFit", "names", "replaced",
        "beside", "nameLine", "authorLikeness", "size",
    ]
    private var text = "kind\tid\tgroup\ttruth\tkey\t" + columns.joined(separator: "\t") + "\n"

    /// Notes the candidates of a text; `truth` is 1 for the book, 3 for a collection that has it, 0 for another one.
    mutating func add(_ found: CatalogueMatcher.Explanation, kind: String, id: String, group: String, _ book: TrueBook)
    {
        for (candidate, e) in zip(found.result.candidates, found.evidence) {
            let truth = book.isSame(candidate.book) ? 1 : book.isContained(in: candidate.book) ? 3 : 0
            let key = BookIdentity(candidate.book).titleKey ?? ""
            let values = [
                e.titleShare, e.titleBits, e.authorShare, e.authorBits, e.hasAuthor ? 1 : 0, e.furtherBits, e.explained,
                e.unexplainedBits, e.likeness, e.hasLabel ? 1 : 0, e.titleMissingBits, e.unexplainedTellingBits,
                e.phraseShare, e.lineFit, e.unexplainedNameBits, e.replacedBits,
                e.besideTitleBits, e.nameLineBits, e.authorLikeness, e.sizeBits,
            ]
            text += "\(kind)\t\(id)\t\(group)\t\(truth)\t\(key)\t"
            text += values.map { "\(Float($0))" }.joined(separator: "\t") + "\n"
        }
    }

    func write(to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}
