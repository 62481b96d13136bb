import Talaria
import Testing

@testable import TalariaServer

@Suite struct MultipartParserTests {
    private static let two =
        "preamble\r\n--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--XY\r\n-\r\n--X"
        + "\r\n--XX  \r\nContent-Type: image/png\r\nContent-Disposition: form-data; filename=\"b;name=c\"; name=\"b\""
        + "\r\n\r\n\r\n--XX--\r\nepilogue"

    @Test(arguments: [
        (two, ["a", "b"], ["one\r\n--XY\r\n-\r\n--X", ""]),
        // Content may be empty at once.
        ("--XX\r\nContent-Disposition: form-data; name=a\r\n\r\n--XX--", ["a"], [""]),
    ])
    func partsAreBetweenDelimiters(_ body: String, _ names: [String], _ contents: [String]) throws {
        let parts = try FormPart.parts(of: Array(body.utf8), boundary: "XX")
        #expect(parts.map(\.name) == names)
        #expect(parts.map { String(decoding: $0.content, as: UTF8.self) } == contents)
    }

    @Test(arguments: [
        ("", "ends before"), ("--XX", "ends before"),
        ("--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nabc\r\n--XX", "ends before"),
        ("--XX\r\nContent-Type: text/plain\r\n\r\nabc\r\n--XX--", "no Content-Disposition"),
        ("--XX\r\nContent-Disposition: attachment; name=a\r\n\r\nabc\r\n--XX--", "no Content-Disposition"),
        ("--XXabc\r\n\r\n--XX--", "delimiter between parts is malformed"),
        ("--XX\r\nno end of the header", "ends before"),
    ])
    func malformedBodiesAreErrors(_ body: String, _ reason: String) throws {
        let problem = try #require(throws: Problem.self) { try FormPart.parts(of: Array(body.utf8), boundary: "XX") }
        #expect(problem.code == .invalidRequest && problem.detail.contains(reason), "\(problem.detail)")
    }

    @Test(arguments: [
        ("multipart/form-data; boundary=abc", "abc"), ("Multipart/Form-Data; charset=x; boundary=\"a b\"", "a b"),
        ("multipart/form-data", nil), ("multipart/form-data; boundary=", nil), ("text/plain; boundary=abc", nil),
        ("multipart/form-data; x=\"; boundary=evil\"; boundary=good", "good"),
    ])
    func boundaryStandsInTheContentType(_ type: String, _ boundary: String?) {
        #expect(FormPart.boundary(in: type) == boundary)
    }
}
