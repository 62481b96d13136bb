import Testing

@testable import OpenVINOEngine

@Suite struct ProtobufTests {
    private func fields(_ bytes: [UInt8]) -> [Protobuf.Field]? {
        Protobuf.fields(of: bytes, in: 0..<bytes.count)
    }

    @Test func examplesOfTheEncodingPageAreRead() throws {
        // protobuf.dev, "Encoding": `int32 a = 1` of 150, and `string b = 2` of "testing".
        let number = try #require(fields([0x08, 0x96, 0x01])?.first)
        #expect(number.number == 1 && number.wireType == 0 && number.value == 150)
        #expect(number.whole == 0..<3 && number.payload.isEmpty)
        let text = try #require(fields([0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6E, 0x67])?.first)
        #expect(text.number == 2 && text.wireType == 2 && text.value == 0)
        #expect(text.whole == 0..<9 && text.payload == 2..<9)
    }

    @Test func fixedFieldsAreSteppedOver() throws {
        let bytes: [UInt8] = [0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x15, 1, 2, 3, 4, 0x18, 5]
        let fields = try #require(self.fields(bytes))
        #expect(fields.map(\.number) == [1, 2, 3])
        #expect(fields.map(\.payload) == [1..<9, 10..<14, 16..<16])
        #expect(fields.last?.value == 5)
    }

    @Test func messageOfNothingHasNoFields() {
        #expect(fields([])?.isEmpty == true)
    }

    @Test func largestVarintIsRead() {
        let bytes: [UInt8] = [UInt8](repeating: 0xFF, count: 9) + [0x01]
        var position = 0
        #expect(Protobuf.varint(bytes, &position, bytes.count) == .max)
        #expect(position == 10)
    }

    @Test(
        arguments: [
            // A tag that does not end; a varint without its end; one of eleven bytes.
            [0x80], [0x08, 0x96], [0x08] + [UInt8](repeating: 0x80, count: 10) + [0x01],
            // Fewer bytes than the length; a length near 2^64; four of eight bytes.
            [0x12, 0x07, 0x74], [0x12] + [UInt8](repeating: 0xFF, count: 9) + [0x01], [0x09, 1, 2, 3, 4],
            // Groups, which ONNX does not use, and wire types that do not exist.
            [0x0B], [0x0C], [0x0E], [0x0F],
            // A field number above 2^29.
            [0xF8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0x00],
        ] as [[UInt8]]
    )
    func damagedMessageIsNone(bytes: [UInt8]) {
        #expect(fields(bytes) == nil)
    }

    @Test func whatIsWrittenIsWhatTheEncodingPageShows() {
        var bytes: [UInt8] = []
        Protobuf.appendField(1, varint: 150, to: &bytes)
        Protobuf.appendField(2, Array("testing".utf8), to: &bytes)
        #expect(bytes == [0x08, 0x96, 0x01, 0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6E, 0x67])
    }

    @Test(arguments: [0, 1, 127, 128, 300, 1 << 32, .max] as [UInt64])
    func everyVarintComesBack(value: UInt64) throws {
        var bytes: [UInt8] = []
        Protobuf.appendField(3, varint: value, to: &bytes)
        #expect(try #require(fields(bytes)).map(\.value) == [value])
    }
}
