import Basics
import BookCatalogue

/// The books that the check's spines may be of; no two are alike.
enum FaultCatalogue {
    static let books = [
        BookRecord(title: "Dune", authors: ["Frank Herbert"], isbn: ISBN("978-0-441-17271-9")),
        BookRecord(title: "Emma", authors: ["Jane Austen"], year: 1815),
        BookRecord(title: "Persuasion", authors: ["Jane Austen"]),
        BookRecord(title: "Thérèse Raquin", authors: ["Émile Zola"]),
        BookRecord(title: "The Heart Is a Lonely Hunter", authors: ["Carson McCullers"]),
        BookRecord(title: "Middlemarch", authors: ["George Eliot"]),
        BookRecord(title: "Walden", authors: ["Henry David Thoreau"]),
        BookRecord(title: "The Left Hand of Darkness", authors: ["Ursula K. Le Guin"]),
    ]
    /// What a device takes a spine for when it is wrong.
    static let wrong = BookRecord(title: "Gardening for Beginners", authors: ["Nobody Inparticular"])
}
