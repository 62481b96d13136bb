/// One capture that was new, on its way to a book.
struct Scan: Equatable {
    /// When its frame was taken.
    var taken: Int
    /// Which of the costs it has.
    var cost: Int
    /// The number of the spine in it; nil when there was none.
    var spine: Int?
}
