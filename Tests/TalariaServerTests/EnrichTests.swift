import Foundation
import HTTPTypes
import ServerSupport
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns) struct EnrichTests {
    @Test func textBecomesABookInTheSeedsNames() async throws {
        try await TestServer.run { client in
            let answer = try await client.enrich("FRANK HERBERT\nDUNE")
            #expect(answer.status == .ok)
            let text = answer.text
            #expect(text.contains("\"cover_url\":\"https://covers.example/dune.jpg\""))
            #expect(text.contains("\"enrichment_status\":\"success\""))
            let book: BookMetadata = try answer.decoded()
            #expect(book.isbn == "9780441172719")
            #expect(book.publisher == "Ace")
            #expect(book.publicationYear == 1990)
            #expect(book.relatedTitles == ["Dune Messiah"])
        }
    }

    @Test func streamIsForThoseWhoAskForIt() async throws {
        try await TestServer.run { client in
            let answers = [
                try await client.enrich("Emma\nJane Austen", uri: "/v3/jobs/enrich?stream=1"),
                try await client.enrich("Emma\nJane Austen", headers: ["Accept": "text/event-stream"]),
            ]
            for answer in answers {
                #expect(answer.headers[.contentType] == "text/event-stream")
                let events = try ServerSentEvent.events(in: answer.text)
                #expect(events.map(\.name) == ["result", "completed"])
                guard case .result(let result)? = try events.first?.event() else { return #expect(Bool(false)) }
                #expect(result.book.title == "Emma")
            }
        }
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "{\"raw_text\": \"Dune\"}",
        "{\"raw_text\": 3, \"device_id\": \"\(TestServer.device)\"}",
        "{\"raw_text\": \"Dune\", \"device_id\": \"me\"}",
        "{\"raw_text\": \"Dune\", \"device_id\": \"7b0f0c9e-6a0e-1b57-9d3e-1c2f3a4b5c6d\"}",
        "{\"raw_text\": \"Dune\", \"device_id\": \"\(TestServer.device)\", \"geometry\": {\"bounding_box\": [0, 1, 2]}}",
    ])
    func malformedRequestsAreRefused(_ body: String) async throws {
        try await TestServer.run { client in
            let answer = try await client.send(.post, "/v3/jobs/enrich", body: Array(body.utf8))
            #expect(answer.status == .badRequest)
            #expect(try answer.problem().code == .invalidRequest)
        }
    }

    @Test(arguments: [
        (" \n--\n", "", 422), (String(repeating: "a\n", count: 101), "", 400),
        (String(repeating: "a", count: 70_000), "", 413), (String(repeating: "a", count: 65_000), "", 200),
        ("Emma", "?stream=0", 200), ("Emma", "?stream=yes", 400),
    ])
    func textsAndOptionsHaveLimits(_ text: String, _ query: String, _ status: Int) async throws {
        try await TestServer.run { client in
            let answer = try await client.enrich(text, uri: "/v3/jobs/enrich\(query)")
            #expect(answer.status.code == status)
            if status == 422 { #expect(try answer.problem().code == .noTextDetected) }
        }
    }

    @Test func longLinesAreCutOff() async throws {
        try await TestServer.run { client in
            let book: BookMetadata = try await client.enrich(String(repeating: "zyx ", count: 1_000)).decoded()
            #expect(book.title.count == 499)
        }
    }

    @Test(arguments: ["'; DROP TABLE book; --", "\" OR 1=1 --", "Dune\" NEAR(", "* ^ : AND OR NOT", "%_\\"])
    func queriesAreTextAlone(_ text: String) async throws {
        try await TestServer.run { client in
            #expect(try await client.enrich("x " + text).status == .ok)
            let query = try #require(("x " + text).addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            #expect(try await client.send(.get, "/v3/books/search?q=\(query)").status == .ok)
            #expect(try await client.enrich("Dune\nFrank Herbert").status == .ok)
        }
    }

    @Test func searchFindsBooksByWordsAndNumbers() async throws {
        try await TestServer.run { client in
            for query in ["dune", "9780441172719", "978-0-441-17271-9"] {
                let answer = try await client.send(.get, "/v3/books/search?q=\(query)")
                let books = (try answer.decoded() as ScanResults).results
                #expect(books.first?.title == "Dune")
            }
            let one = try await client.send(.get, "/v3/books/search?q=austen&limit=1")
            #expect((try one.decoded() as ScanResults).results.count == 1)
            for wrong in ["", "?q=", "?q=%20", "?q=%ff", "?q=dune&limit=0", "?q=dune&limit=x", "?q=dune&offset=-1"] {
                #expect(try await client.send(.get, "/v3/books/search\(wrong)").status == .badRequest)
            }
            let long = try await client.send(.get, "/v3/books/search?q=" + String(repeating: "a", count: 501))
            #expect(long.status == .badRequest)
        }
    }

    /// Expected: general category L or N of Python's unicodedata 14.0, as the pattern in openapi.json asks.
    @Test(arguments: [
        ("Ā", true), ("½", true), ("᚛ᚄ", true), ("中", true), ("٣", true), ("ⓐ", false), ("\u{93E}", false),
        ("— … ;", false), ("", false),
    ])
    func whatCanBeLookedUpIsALetterOrANumber(text: String, expected: Bool) {
        #expect(text.hasLetterOrNumber == expected)
    }
}
