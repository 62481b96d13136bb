import Talaria
import Testing

/// Expected values: the examples and rules of WHATWG HTML, section 9.2.6.
@Suite struct SSEParserTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let stream: [UInt8]
        let events: [ServerSentEvent]
        let id: String
        let retry: Duration?

        init(
            _ what: String,
            _ stream: String,
            _ events: [ServerSentEvent],
            id: String = "",
            retry: Duration? = nil,
            before: [UInt8] = []
        ) {
            (testDescription, self.stream, self.events) = (what, before + Array(stream.utf8), events)
            (self.id, self.retry) = (id, retry)
        }
    }

    static let cases: [Case] = [
        Case("nothing", "", []),
        Case(
            "the standard's stock ticker",
            "data: YHOO\ndata: +2\ndata: 10\n\n",
            [.init(text: "YHOO\n+2\n10")]
        ),
        Case(
            "the standard's second example: a comment, ids, one without text, a leading space kept",
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [.init(text: "first event", id: "1"), .init(text: "second event"), .init(text: " third event")]
        ),
        Case(
            "the standard's third example: two empty events, and one that is not finished",
            "data\n\ndata\ndata\n\ndata:",
            [.init(text: ""), .init(text: "\n")]
        ),
        Case(
            "the standard's fourth example",
            "data:test\n\ndata: test\n\n",
            [.init(text: "test"), .init(text: "test")]
        ),
        Case("carriage returns", "data: a\rdata: b\r\rdata: c\r\r", [.init(text: "a\nb"), .init(text: "c")]),
        Case("both", "data: a\r\n\r\ndata: b\r\n\r\n", [.init(text: "a"), .init(text: "b")]),
        Case("mixed ends", "data: a\r\ndata: b\n\rdata: c\n\n", [.init(text: "a\nb"), .init(text: "c")]),
        Case("a byte order mark", "data: a\n\n", [.init(text: "a")], before: [0xEF, 0xBB, 0xBF]),
        Case("a second mark is no mark", "data: a\n\n", [], before: [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF]),
        Case("half a mark", "\ndata: a\n\n", [.init(text: "a")], before: [0xEF, 0xBB]),
        Case(
            "names",
            "event: progress\ndata: 1\n\ndata: 2\n\n",
            [.init(name: "progress", text: "1"), .init(text: "2")]
        ),
        Case("an empty name", "event:\ndata: 1\n\n", [.init(text: "1")]),
        Case("no event without data, and its name is forgotten", "event: a\n\ndata: 1\n\n", [.init(text: "1")]),
        Case("an id without data still counts", "id: 7\n\n", [], id: "7"),
        Case("an id that was not finished does not", "id: 7\n\nid: 8\n", [], id: "7"),
        Case(
            "an id lasts",
            "id: 7\ndata: a\n\ndata: b\n\n",
            [.init(text: "a", id: "7"), .init(text: "b", id: "7")],
            id: "7"
        ),
        Case(
            "ids that repeat and go backwards",
            "id: 9\ndata: a\n\nid: 9\ndata: b\n\nid: 3\ndata: c\n\n",
            [.init(text: "a", id: "9"), .init(text: "b", id: "9"), .init(text: "c", id: "3")],
            id: "3"
        ),
        Case("an id with a NUL", "id: 7\n\nid: a\0b\ndata: 1\n\n", [.init(text: "1", id: "7")], id: "7"),
        Case("retry", "retry: 5000\n\n", [], retry: .seconds(5)),
        Case("retry needs no empty line", "retry:10\n", [], retry: .milliseconds(10)),
        Case("retry in anything but digits", "retry: 5 s\nretry: -1\nretry:\nretry: +5\n", []),
        Case("retry beyond all bounds", "retry: 99999999999999999999999\n", []),
        Case("a field that does not exist", "dat: 1\ndataa: 2\n data: 3\nDATA: 4\n\n", []),
        Case("colons in a value", "data: a: b:c\n\n", [.init(text: "a: b:c")]),
        Case("only one space goes", "data:  a \n\n", [.init(text: " a ")]),
        Case("no end", "data: a\n", []),
    ]

    /// Whole, cut at any two places, and byte by byte.
    @Test(arguments: cases) func readsAsTheStandardSays(_ row: Case) throws {
        let count = row.stream.count
        var cuts = (0...count).flatMap { first in (first...count).map { [0, first, $0, count] } }
        cuts.append(Array(0...count))
        for cut in cuts {
            var parser = SSEParser()
            let events = try zip(cut, cut.dropFirst()).flatMap { try parser.push(row.stream[$0..<$1]) }
            guard events == row.events, parser.lastEventID == row.id, parser.retry == row.retry else {
                return unexpected((cut, events, parser))
            }
        }
    }

    @Test func bytesThatAreNoTextAreReplaced() throws {
        var parser = SSEParser()
        let events = try parser.push(Array("data: a".utf8) + [0xFF] + Array("b\n\n".utf8))
        #expect(events.map(\.text) == ["a\u{FFFD}b"])
    }

    @Test func anIdentityIsCarriedIntoTheNextConnection() throws {
        var parser = SSEParser(lastEventID: "41")
        #expect(try parser.push(Array("data: a\n\n".utf8)) == [.init(text: "a", id: "41")])
    }

    @Test(arguments: [
        "data: " + String(repeating: "x", count: 100), "data: " + String(repeating: "x", count: 100) + "\n\n",
        String(repeating: "data: xxxxxxxx\n", count: 10), ":" + String(repeating: "x", count: 100),
    ]) func anEventBeyondTheLimitIsRefusedForGood(_ stream: String) throws {
        for size in [1, 7, 1000] {
            var parser = SSEParser(maximumEventBytes: 64)
            #expect(throws: TalariaError.eventTooLarge(limit: 64)) {
                var rest = Array(stream.utf8)[...]
                while !rest.isEmpty {
                    _ = try parser.push(rest.prefix(size))
                    rest = rest.dropFirst(size)
                }
            }
            #expect(throws: TalariaError.eventTooLarge(limit: 64)) { try parser.push(Array("data: a\n\n".utf8)) }
        }
    }

    @Test func manySmallEventsAreNotOneLargeOne() throws {
        var parser = SSEParser(maximumEventBytes: 64)
        let stream = String(repeating: "data: xxxxxxxxxxxxxxxx\n\n", count: 1000)
        #expect(try parser.push(Array(stream.utf8)).count == 1000)
    }

    @Test(arguments: ["a", "", "a\nb", "a\n", "{\"x\": \"\u{2028}\"}"])
    func whatIsWrittenReadsTheSame(_ text: String) throws {
        let event = ServerSentEvent(name: "result", text: text, id: "1-result")
        var parser = SSEParser()
        #expect(try parser.push(event.encoded()) == [event])
    }

    @Test func lineBreaksCannotBeSmuggledIntoFields() throws {
        let event = ServerSentEvent(name: "a\ndata: b", text: "c\rdata: d", id: "1\n\ndata: e")
        var parser = SSEParser()
        #expect(try parser.push(event.encoded()) == [.init(text: "c\ndata: d")])
    }
}
