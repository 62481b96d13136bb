import Basics
import Evaluation
import Foundation
import TestSupport
import Testing

@testable import Harness

/// Lines of a user's reader: what of them is an answer, and what is said of the others.
@Suite(.tags(.unit)) struct ReaderAnswerTests {
    @Test(arguments: [
        (#"{"id": 1}"#, "invalid answer: \"lines\" is missing"),
        (#"{"lines": 5}"#, "invalid answer: \"lines\": "),
        (#"{"lines": ["Emma"]}"#, "invalid answer: a line is an object, such as {\"text\": \"Emma\"}, and not a text"),
        (#"{"lines": [{"text": null}]}"#, "text"),
        (#"{"lines": [{"text": "", "confidence": 2}]}"#, "invalid answer: confidence 2.0; expected 0 to 1"),
        (#"{"lines": [{"text": "", "quad": [[0, 0]]}]}"#, "a quad has four corners, not 1"),
        (#"{"lines": [], "stages": {"a": "b"}}"#, "invalid answer: \"stages.a\": "),
        (#"{"lines": [], "book": {}}"#, "invalid answer: \"title\" is missing"),
        (#"{"lines": [], "error": "no\n\u001b[2J"}"#, "the reader reports: no \u{FFFD}[2J"),
        (#"{"id": "1", "lines": []}"#, "invalid answer: \"id\": "),
        (#"{"id": 1.5, "lines": []}"#, "invalid answer: a number does not fit its field"),
        (#"{"id": 1e300, "lines": []}"#, "invalid answer: a number does not fit its field"),
        (#"{"id": 1, "lines": [{"text": "", "confidence": NaN}]}"#, "invalid answer: column 48: "),
        (#"{"id": 1, "lines": [{"text": "", "confidence": "NaN"}]}"#, "invalid answer: \"lines.Index 0.confidence\": "),
        (#"{"lines": [{"text": "", "quad": [[0, 0], [1e308, 0], [1, 1], [0, 1]]}]}"#, "a corner at 1e+308, 0.0"),
        (#"{"lines": [{"text": "", "quad": [[0, 0], [1, 0], [1, 1], [0, -1e7]]}]}"#, "a corner at 0.0, -10000000.0"),
        (#"{"lines": [], "stages": {"a": 1e308}}"#, "stage a of 1e+308 ms"),
        (#"{"lines": [], "stages": {"a": -1}}"#, "stage a of -1.0 ms"),
        (#"{"lines": [], "work": {"linesAgain": -1}}"#, "work linesAgain is -1; expected 0 to 2^53"),
        (#"{"lines": [], "work": {"lines": 1}}"#, "work \"lines\"; expected one of bytesDecoded, pixelsDecoded, "),
        (#"{"lines": [], "work": {"rowsRead": 1.5}}"#, "a number does not fit its field"),
        (
            #"{"lines": ["# + repeatElement(#"{"text": "a"}"#, count: 200_000).joined(separator: ",") + "]}",
            "more than 256 KB of text"
        ),
        (
            #"{"lines": [], "book": {"title": "\#(String(repeating: "a", count: 300_000))"}}"#,
            "more than 256 KB of text"
        ),
        (#"{"lines": "# + String(repeating: "[", count: 1_000_000) + "}", "nested deeper than 64 levels"),
    ])
    func invalidAnswersNameTheField(json: String, problem: String) throws {
        let answer = try #require(ReaderAnswer(Array(json.utf8)))
        let failure = #expect(throws: ReaderFailure.self) { try answer.prediction() }
        #expect(failure?.description.contains(problem) == true, "\(failure?.description ?? "")")
    }

    @Test(arguments: ["", "[]", "loading", "\0\0", #"{"id": 1"#, "5", #""{}""#])
    func otherLinesAreNoAnswers(line: String) { #expect(ReaderAnswer(Array(line.utf8)) == nil) }

    @Test func workOfAReaderIsKept() throws {
        let json = #"{"lines": [], "work": {"recognitionElements:my net": 4096, "linesRecognised": 3}}"#
        let answer = try #require(ReaderAnswer(Array(json.utf8)))
        let work = try #require(try answer.prediction().work)
        #expect(work[.recognitionElements] == 4_096 && work[.linesRecognised] == 3 && work[.rowsRead] == nil)
    }

    @Test func textsOfAReaderHaveNoControlCharacters() throws {
        let json =
            #"{"lines": [{"text": "a\u0000b\tc\u001b[31m<b>"}], "stages": {"\u0007": 1}, "book": {"title": "\u009b"}}"#
        let prediction = try #require(ReaderAnswer(Array(json.utf8))).prediction()
        #expect(prediction.text == "a\u{FFFD}b c\u{FFFD}[31m<b>")
        #expect(prediction.answer?.title == "\u{FFFD}")
        #expect(prediction.stages.names == ["\u{FFFD} (reported)"])
        let ready = #"{"ready": {"name": "\u001b]0;x\u0007", "version": "<script>"}}"#
        #expect(ReaderAnswer(Array(ready.utf8))?.reader == "\u{FFFD}]0;x\u{FFFD} <script>")
    }

    /// An answer with the field `book`, be it null, names books; one without it only reads.
    @Test(arguments: [(#", "book": null"#, 0), (#", "book": {"title": "T"}"#, 1), ("", nil)] as [(String, Int?)])
    func aReaderNamesBooksOrNone(field: String, books: Int?) throws {
        let answer = try #require(ReaderAnswer(Array(#"{"lines": []\#(field)}"#.utf8)))
        #expect(try answer.prediction().books?.count == books)
    }
}
