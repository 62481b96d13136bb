import ArgumentParser
import BookCatalogue
import Foundation

/// Writes what the texts say for each candidate.
struct FeaturesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "features")

    @Option var books: String
    @Option var source: [String] = []
    @Option var pairs: String?
    @Option var dataset: [String] = []
    @Option var reads: [String] = []
    @Option var noisy = 0
    @Option var out: String

    func run() throws {
        var records: [BookRecord] = []
        for row in try CSV(path: books).rows where source.isEmpty || source.contains(row["source"] ?? "") {
            let author = row["author"] ?? ""
            var authors = author.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            if row["source"] == "goodbooks-10k" { authors = author.components(separatedBy: ", ") }
            records.append(BookRecord(title: row["title"] ?? "", authors: authors, isbn: ISBN(row["isbn13"] ?? "")))
        }
        let listed = records
        var byTitle: [String: [BookRecord]] = [:]
        for record in records { byTitle[BookIdentity(record).mainTitle ?? "", default: []].append(record) }
        var queries: [Query] = []
        if let pairs {
            for row in try CSV(path: pairs).rows {
                queries.append(
                    Query(
                        kind: "pairs", id: "\(row["image_name"]!)/\(row["mask_id"]!)", group: row["image_name"]!,
                        title: row["title"]!, author: row["author"]!.trimmingCharacters(in: .whitespaces),
                        isbn: ISBN(row["isbn"]!), lines: [(row["ocr"]!, 1)]
                    )
                )
            }
        }
        for (folder, file) in zip(dataset, reads) {
            var samples: [String: Sample] = [:]
            for line in try String(contentsOfFile: folder + "/samples.jsonl", encoding: .utf8).split(separator: "\n") {
                let sample = try JSONDecoder().decode(Sample.self, from: Data(line.utf8))
                samples[URL(filePath: sample.image).lastPathComponent] = sample
            }
            var lacking = 0
            for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
                let read = try JSONDecoder().decode(Read.self, from: Data(line.utf8))
                guard let sample = samples[URL(filePath: read.path).lastPathComponent], sample.legible else { continue }
                let title = sample.catalogueTitle ?? sample.title
                let author = sample.authorFull ?? sample.author
                let key = BookIdentity(title: title, authors: []).mainTitle ?? ""
                if byTitle[key]?.contains(where: { BookIdentity.isSame($0, title: title, author: author) }) != true {
                    lacking += 1
                    let authors = (author ?? "").components(separatedBy: " and ").filter { !$0.isEmpty }
                    records.append(BookRecord(title: title, authors: authors))
                    byTitle[key, default: []].append(records[records.count - 1])
                }
                queries.append(
                    Query(
                        kind: URL(filePath: file).lastPathComponent, id: sample.id, group: sample.group, title: title,
                        author: author ?? "", isbn: nil, lines: (read.lines ?? []).map { ($0.text, $0.confidence) }
                    )
                )
            }
            FileHandle.standardError.write(Data("\(file): \(lacking) lacking\n".utf8))
        }
        var noise = NoisySpines(seed: 7)
        for number in 0..<noisy {
            let book = listed[noise.below(listed.count)]
            queries.append(
                Query(
                    kind: "noisy", id: "noisy\(number)", group: "\(number)", title: book.title,
                    author: book.authors.first ?? "", isbn: book.isbn, lines: noise.lines(of: book).map { ($0, 1) }
                )
            )
        }
        let isbns = Set(records.compactMap(\.isbn))
        let clock = ContinuousClock()
        var start = clock.now
        let catalogue = try BookCatalogue(books: records, name: "check")
        let matcher = try CatalogueMatcher(catalogue: catalogue)
        FileHandle.standardError.write(Data("\(records.count) books built in \(clock.now - start)\n".utf8))
        start = clock.now
        var text = "kind\tid\tgroup\ttrue\tkey\t" + MatchEvidence.featureNames.joined(separator: "\t") + "\n"
        var times: [Double] = []
        var right = [0, 0]
        for query in queries {
            let from = clock.now
            let found = try matcher.explain(query.lines, limit: 300)
            times.append((clock.now - from) / .milliseconds(1))
            var rank = -1
            for (place, candidate) in found.result.candidates.enumerated() {
                let same = query.isTrue(candidate.book)
                if same && rank < 0 { rank = place }
                let key = BookIdentity(candidate.book).titleKey ?? ""
                text += "\(query.kind)\t\(query.id)\t\(query.group)\t\(same ? 1 : 0)\t\(key)\t"
                text += found.evidence[place].features.map { "\(Float($0))" }.joined(separator: "\t") + "\n"
            }
            let title = BookIdentity(title: query.title, authors: []).mainTitle ?? ""
            let present = query.isbn.map(isbns.contains) == true || byTitle[title]?.contains(where: query.isTrue) == true
            text += "\(query.kind)\t\(query.id)\t\(query.group)\t\(present ? 2 : -1)\n"
            if rank == 0 { right[0] += 1 }
            if rank >= 0, rank < 5 { right[1] += 1 }
            if rank != 0 {
                let best = found.result.candidates.first.map { "\($0.book.title)|\($0.book.authors)" } ?? "-"
                FileHandle.standardError.write(
                    Data("MISS \(present ? "present" : "absent") \(query.kind) rank \(rank) \(query.title)|\(query.author) <= \(query.lines.map(\.text)) => \(best)\n".utf8)
                )
            }
        }
        try text.write(toFile: out, atomically: true, encoding: .utf8)
        times.sort()
        print("n \(queries.count) @1 \(right[0]) @5 \(right[1]) P50 \(times[times.count / 2]) P95 \(times[times.count * 95 / 100]) ms")
    }
}

struct Query {
    var kind: String
    var id: String
    var group: String
    var title: String
    var author: String
    var isbn: ISBN?
    var lines: [(text: String, confidence: Double)]

    func isTrue(_ book: BookRecord) -> Bool {
        if let isbn, book.isbn == isbn { return true }
        return BookIdentity.isSame(book, title: title, author: author.isEmpty ? nil : author)
    }
}

struct Sample: Decodable {
    var id: String
    var image: String
    var title: String
    var author: String?
    var authorFull: String?
    var catalogueTitle: String?
    var group: String
    var legible: Bool
}

struct Read: Decodable {
    struct Line: Decodable {
        var text: String
        var confidence: Double
    }
    var path: String
    var lines: [Line]?
}
