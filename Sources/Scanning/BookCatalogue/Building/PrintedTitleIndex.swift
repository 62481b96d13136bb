/// Finds the records of the books on which a title is printed.
struct PrintedTitleIndex {
    private var byMainTitle: [String: [Int]] = [:]
    private var byWholeTitle: [String: [Int]] = [:]

    init(_ books: [BookRecord]) {
        for (index, book) in books.enumerated() {
            byMainTitle[BookIdentity.foldedMain(book.title), default: []].append(index)
            byWholeTitle[BookIdentity.foldedWhole(book.title), default: []].append(index)
        }
    }

    /// The indices of the books that ``BookIdentity/isSame(_:title:author:)`` holds for the same, in order.
    func books(with title: String, author: String?, in books: [BookRecord]) -> [Int] {
        let found = Set(byMainTitle[BookIdentity.foldedMain(title)] ?? [])
            .union(byWholeTitle[BookIdentity.foldedWhole(title)] ?? [])
        return found.sorted().filter {
            $0 < books.count && BookIdentity.isSame(books[$0], title: title, author: author)
        }
    }
}
