import Basics
import Foundation
import TestSupport
import Testing

/// `spinebench scan` from end to end, with the engine that ships.
@Suite(.tags(.program), .inTurns, .needsProgram, .serialized)
struct ScanCommandTests {
    private struct Line: Decodable {
        var path: String?
        var status: String?
        var title: String?
        var lines: [String]?
        var tiers: [String]?
        var bytesOut: [String: Int]?
        var error: String?
        var problem: String?
        var summary: Summary?
    }

    private struct Summary: Decodable {
        var variant: String
        var books: Int
        var drafts: Int
        var queued: Int
        var failed: Int
        var refused: Int
        var waiting: Int
        var bytesOut: [String: Int]
        var badge: String?
        var probeMilliseconds: Double
        var notCleanedUp: Int
    }

    /// Returns a picture of `TextFixture.text`, and a catalogue with that book, unless `books` specifies others.
    private func withPicture(_ books: String? = nil, _ body: (Folder) throws -> Void) throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "a.png")
            let rows = books ?? "Winter Harbour,Ida Bloom\nSummer Rain,Jo Field\n"
            try folder.write("title,author\n" + rows, to: "books.csv")
            let built = try Program.run("catalogue", "build", folder("books.csv"), "--out", folder("books.sqlite"))
            try #require(built.code == 0, "\(built.errors)")
            try body(folder)
        }
    }

    private func arguments(_ folder: Folder, _ more: [String]) -> [String] {
        ["scan", "--library", folder("library.sqlite"), "--catalogue", folder("books.sqlite"), "--json"] + more
    }

    private func lines(_ output: String) throws -> [Line] {
        try output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test(
        "what a portal answers is told, and the scan waits: 3",
        arguments: [
            ("200 OK", "HTML, not Talaria's"),
            ("302 Found\r\nLocation: http://login.example/", "redirect to login.example"),
            ("403 Forbidden", "HTML, not Talaria's"), ("404 Not Found", "HTML, not Talaria's"),
        ]
    )
    func portal(_ head: String, _ words: String) throws {
        let page = "<!DOCTYPE html><title>Please log in</title>"
        let answer = "HTTP/1.1 \(head)\r\nContent-Type: text/html\r\nContent-Length: \(page.count)\r\n\r\n\(page)"
        let portal = try Portal(answering: answer)
        defer { portal.stop() }
        try withPicture { folder in
            let more = ["--talaria", portal.address, "--variant", "talaria-only", folder("a.png")]
            let outcome = try Program.run(arguments(folder, more))
            #expect(outcome.code == 3 && portal.answered == 1, "\(outcome.errors)")
            let lines = try lines(outcome.output)
            #expect(lines.first?.status == "queued" && lines.first?.problem?.contains(words) == true)
            #expect(lines.last?.summary?.waiting == 1 && lines.last?.summary?.refused == 0)

            let library = ["--library", folder("library.sqlite")]
            let drain = try Program.run(
                ["scan", "--drain", "--talaria", portal.address, "--variant", "hybrid"] + library
            )
            #expect(drain.code == 3 && drain.output.contains("1 scan in the queue"))
            let listed = try Program.run(["library", "list"] + library)
            let row = try #require(listed.lines.first { $0.hasPrefix("queued  ") })
            #expect(row.contains(words) && listed.lines.last == "0 books, 0 drafts, 1 scan queued")
            let id = try #require(row.split(separator: " ").dropFirst().first.map(String.init))
            let pictures = { try FileManager.default.contentsOfDirectory(atPath: folder("library.sqlite.queue")) }
            #expect(try pictures().contains("\(id).jpg"))
            #expect(try Program.run(["library", "retry", id] + library).code == 0)
            #expect(try Program.run(["library", "forget", UUID().uuidString] + library).code == 2)
            #expect(try Program.run(["library", "forget", id] + library).output == "1 scan forgotten\n")
            #expect(try pictures() == ["lock"])
            #expect(try Program.run(["library", "list"] + library).output == "0 books, 0 drafts, 0 scans queued\n")
        }
    }

    @Test("what the back end itself refuses is given up, listed with the reason, and kept: 1")
    func refused() throws {
        let problem = #"{"status":422,"code":"NO_TEXT_DETECTED","detail":"nothing to read","retryable":false}"#
        let head = "HTTP/1.1 422 Unprocessable\r\nContent-Type: application/problem+json"
        let server = try Portal(answering: "\(head)\r\nContent-Length: \(problem.count)\r\n\r\n\(problem)")
        defer { server.stop() }
        try withPicture { folder in
            let more = ["--talaria", server.address, "--variant", "talaria-only", folder("a.png")]
            let outcome = try Program.run(arguments(folder, more))
            #expect(outcome.code == 1, "\(outcome.errors)")
            #expect(try lines(outcome.output).last?.summary?.refused == 1)
            let library = ["--library", folder("library.sqlite")]
            let listed = try Program.run(["library", "list"] + library)
            #expect(listed.lines.first?.hasPrefix("failed  ") == true && listed.output.contains("nothing to read"))
            #expect(listed.lines.last == "0 books, 0 drafts, 0 scans queued, 1 scan failed")
            #expect(try Program.run(["library", "retry", "--all"] + library).output.hasPrefix("1 scan to be sent"))
            #expect(try Program.run(["library", "list"] + library).output.contains("queued  "))
        }
    }
}
