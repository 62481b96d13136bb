import AppSystems
import ArgumentParser
import Basics
import BookCatalogue
import Composition
import Foundation
import SpineReaders
import VisualSearch

struct GrowthCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Measure look-up times in catalogues of increasing size.",
        discussion: """
            Also measures visual search by labels alone: titles, their first words, one of their words, authors' names, and titles
            with a wrong letter, one fifth each.

            Catalogues larger than the list are filled with made-up books: titles of two real books cut and joined, \
            by the author of a third, seeded. The texts are made-up, misread spines of books of the catalogue.
            """
    )

    @Option(help: "A list of books.", completion: .file())
    var list: String

    @Option(help: "Number of books.")
    var sizes: [Int] = [1_000, 10_000, 145_000, 1_000_000]

    @Option(help: "Number of look-ups.")
    var count = 500

    @Option(help: "Random seed of made-up books.")
    var seed: UInt64 = 7

    func run() async throws {
        var builder = CatalogueBuilder(name: "growth")
        try builder.add(list: list)
        let real = builder.books
        try await withTemporaryFolder("catalogue") { folder in
            for size in sizes {
                let path = folder.appending(path: "\(size).sqlite").path
                let rowsPerSecond = try await build(size, of: real, to: path)
                try await report(path, rowsPerSecond)
            }
        }
    }

    private func build(_ size: Int, of real: [BookRecord], to path: String) async throws -> Double {
        var random = SplitMix64(state: seed)
        var books = random.shuffled(real).prefix(size).map { $0 }
        while books.count < size {
            let (first, second) = (real[random.below(real.count)], real[random.below(real.count)])
            let (head, tail) = (first.title.split(separator: " "), second.title.split(separator: " "))
            let title = head.prefix((head.count + 1) / 2) + tail.suffix((tail.count + 1) / 2)
            books.append(
                BookRecord(title: title.joined(separator: " "), authors: real[random.below(real.count)].authors)
            )
        }
        let list = path + ".csv"
        try Data(BookList.csv(books).utf8).write(to: URL(filePath: list))
        let clock = ContinuousClock()
        var builder = CatalogueBuilder(name: "growth")
        var rows = 0
        let time = try clock.measure {
            rows = try builder.add(list: list).rows
            try builder.write(to: path)
        }
        try FileManager.default.removeItem(atPath: list)
        return Double(rows) / (time / .seconds(1))
    }

    private static let kinds = ["title", "first two words", "a word", "author", "title with a letter missing"]

    /// Asks for names as people and systems do, without a picture.
    private func ask(_ catalogue: BookCatalogue, _ random: inout SplitMix64) async throws -> String {
        let search = try EntitySearch(ReadingSettings.fast.load(), catalogue: catalogue, library: nil)
        let query = ContentQuery(search)
        var (times, answered) = ([[Double]](repeating: [], count: Self.kinds.count), 0)
        for number in 0..<count {
            guard let book = try catalogue.book(id: Int64(1 + random.below(catalogue.count))) else { continue }
            let words = book.title.split(separator: " ").map(String.init)
            var label = book.title
            switch number % 5 {
            case 1: label = words.prefix(2).joined(separator: " ")
            case 2: label = words[random.below(words.count)]
            case 3: label = book.authors.first ?? book.title
            case 4: label.remove(at: label.index(label.startIndex, offsetBy: random.below(label.count)))
            default: break
            }
            let descriptor = ContentDescriptor(labels: [label], picture: nil)
            let page = try await query.page(for: descriptor)
            times[number % 5].append(page.time / .milliseconds(1))
            if !page.results.isEmpty { answered += 1 }
        }
        let kinds = zip(Self.kinds, times).map { "\n    \($0): \(Latencies($1))" }
        return "labels alone, \(answered) of \(count) answered: \(Latencies(times.flatMap(\.self)))" + kinds.joined()
    }

    private func report(_ path: String, _ rowsPerSecond: Double) async throws {
        let catalogue = try BookCatalogue(path: path)
        let matcher = try CatalogueMatcher(catalogue: catalogue)
        var noise = NoisySpines(seed: seed + 1)
        var figures = RecallFigures()
        var times = CallTimes()
        for _ in 0..<count {
            guard let book = try catalogue.book(id: Int64(1 + noise.random.below(catalogue.count))) else { continue }
            let lines = noise.lines(of: book)
            let result = try times.measure { try matcher.match(lines) }
            figures.add(result.candidates.map(\.book), GroundTruthBook(book))
        }
        let file = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        print(
            "\(catalogue.count) books, built at \(Int(rowsPerSecond)) rows/s, "
                + "file \(NumberText.megabytes(Double(file)))"
        )
        print("  \(times)")
        print("  \(figures)")
        print("  \(try await ask(catalogue, &noise.random))")
    }
}
