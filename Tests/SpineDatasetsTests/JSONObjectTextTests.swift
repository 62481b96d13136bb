import Testing

@testable import SpineDatasets

@Suite struct JSONObjectTextTests {
    @Test(
        arguments: [
            (
                "{\"a\": 1.50, \"split\":null , \"b\": 12345678901234567890}", ["split": "dev"],
                "{\"a\": 1.50, \"split\":\"dev\" , \"b\": 12345678901234567890}"
            ),
            ("{\"a\": 1}\r", ["split": "dev"], "{\"a\": 1,\"split\":\"dev\"}\r"),
            ("{}", ["b": "x", "a": "y"], "{\"a\":\"y\",\"b\":\"x\"}"),
            (
                "{\"books\": [{}, {\"id\": \"a\", \"n\": {\"id\": 1}}], \"id\": \"s\"}",
                ["books[1].id": "b", "id": "t\u{1}\"\\"],
                "{\"books\": [{}, {\"id\": \"b\", \"n\": {\"id\": 1}}], \"id\": \"t\\u0001\\\"\\\\\"}"
            ),
        ] as [(String, [String: String], String)]
    )
    func onlyWhatIsSetChanges(_ text: String, _ values: [String: String], _ expected: String) throws {
        var object = JSONObjectText(Array(text.utf8))
        try object.set(values)
        #expect(String(decoding: object.bytes, as: UTF8.self) == expected)
    }
}
