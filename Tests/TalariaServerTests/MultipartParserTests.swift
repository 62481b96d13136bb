import Testing

@testable import TalariaServer

@Suite struct MultipartParserTests {
    /// Returns parts of a body that is taken in pieces of `size` bytes.
    private func parts(_ body: String, boundary: String = "XX", size: Int = .max) throws -> [(String, String)] {
        var parser = MultipartParser(boundary: boundary)
        var parts: [(name: String, content: [UInt8])] = []
        var ended = 0
        var rest = Array(body.utf8)[...]
        while !rest.isEmpty {
            try parser.consume(rest.prefix(size)) { event in
                switch event {
                case .part(let header): parts.append((header.name, []))
                case .bytes(let bytes): parts[parts.count - 1].content += bytes
                case .partEnd: ended += 1
                }
            }
            rest = rest.dropFirst(size)
        }
        try parser.finish()
        #expect(ended == parts.count)
        return parts.map { ($0.name, String(decoding: $0.content, as: UTF8.self)) }
    }

    private static let two =
        "preamble\r\n--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--XY\r\n-\r\n--X"
        + "\r\n--XX  \r\nContent-Type: image/png\r\nContent-Disposition: form-data; filename=\"b;name=c\"; name=\"b\""
        + "\r\n\r\n\r\n--XX--\r\nepilogue"

    @Test(arguments: [1, 2, 3, 5, 7, 16, 64, .max])
    func chunkingDoesNotMatter(_ size: Int) throws {
        let parts = try parts(Self.two, size: size)
        #expect(parts.map(\.0) == ["a", "b"])
        #expect(parts.map(\.1) == ["one\r\n--XY\r\n-\r\n--X", ""])
    }

    @Test func contentMayBeEmptyAtOnce() throws {
        let body = "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\n--XX--"
        for size in [1, 4, .max] {
            let parts = try parts(body, size: size)
            #expect(parts.map(\.1) == [""])
        }
    }

    @Test(arguments: [
        ("", MultipartParser.Failure.endsEarly), ("--XX", .endsEarly),
        ("--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nabc\r\n--XX", .endsEarly),
        ("--XX\r\nContent-Type: text/plain\r\n\r\nabc\r\n--XX--", .malformedHeader),
        ("--XX\r\nContent-Disposition: attachment; name=a\r\n\r\nabc\r\n--XX--", .malformedHeader),
        ("--XXabc\r\n\r\n--XX--", .malformedDelimiter),
        ("--XX\r\n" + String(repeating: "a", count: 5_000), .headerTooLong),
    ])
    func malformedBodiesAreErrors(_ body: String, _ failure: MultipartParser.Failure) {
        for size in [1, 13, .max] {
            #expect(throws: failure) { try parts(body, size: size) }
        }
    }

    @Test(arguments: [
        ("multipart/form-data; boundary=abc", "abc"), ("Multipart/Form-Data; charset=x; boundary=\"a b\"", "a b"),
        ("multipart/form-data", nil), ("multipart/form-data; boundary=", nil), ("text/plain; boundary=abc", nil),
        ("multipart/form-data; x=\"; boundary=evil\"; boundary=good", "good"),
    ])
    func boundaryStandsInTheContentType(_ type: String, _ boundary: String?) {
        #expect(MultipartHeader.boundary(in: type) == boundary)
    }
}
