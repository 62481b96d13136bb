import Basics
import Foundation
import Testing

@testable import OpenVINOEngine

@Suite struct ONNXModelTests {
    /// Returns a float tensor as ONNX writes it: dims 1, data_type 2, raw_data 9.
    private func tensor(_ dimensions: [UInt64], _ values: [Float]) -> [UInt8] {
        var bytes: [UInt8] = []
        for dimension in dimensions { Protobuf.appendField(1, varint: dimension, to: &bytes) }
        Protobuf.appendField(2, varint: 1, to: &bytes)
        Protobuf.appendField(9, values.flatMap { withUnsafeBytes(of: $0) { Array($0) } }, to: &bytes)
        return bytes
    }

    /// Returns a model whose graph has only these initializers.
    private func bytes(_ tensors: [[UInt8]]) -> [UInt8] {
        var graph: [UInt8] = []
        for tensor in tensors { Protobuf.appendField(5, tensor, to: &graph) }
        var bytes: [UInt8] = []
        Protobuf.appendField(7, graph, to: &bytes)
        return bytes
    }

    private static let html = Array("<html>not found</html>".utf8)

    @Test(
        arguments: [
            (SmallModel.bytes, "character", "a\nb\né"), (SmallModel.bytes, "empty", ""),
            (SmallModel.bytes, "characters", nil), ([], "character", nil), (html, "character", nil),
        ] as [([UInt8], String, String?)]
    )
    func metadataIsRead(bytes: [UInt8], key: String, expected: String?) {
        #expect(model(bytes) { $0.metadata(key) } == expected)
    }

    /// What the reference tool writes; what has no weight and bias of so many classes is none.
    @Test(
        arguments: [
            (SmallModel.bytes, [3, 0, 2], 4, SmallModel.withClasses302),
            (SmallModel.bytes, [0, 1, 2, 3], 4, SmallModel.bytes), (SmallModel.bytes, [0, 1], 5, nil),
            // One float tensor of two columns alone: no bias with it.
            (SmallModel.bytes, [0], 2, nil), ([], [0], 4, nil), (html, [0], 4, nil),
        ] as [([UInt8], [Int], Int, [UInt8]?)]
    )
    func keptClassesAreThoseOfTheReference(bytes: [UInt8], kept: [Int], classes: Int, expected: [UInt8]?) {
        #expect(model(bytes) { $0.keepingClasses(kept, of: classes) } == expected)
    }

    @Test func packedDimensionsAreRead() {
        // proto3 writes the dimensions 2 and 3 as one field of two bytes.
        var packed: [UInt8] = []
        Protobuf.appendField(1, [2, 3], to: &packed)
        packed += tensor([], [0, 1, 2, 3, 4, 5])
        let small = model(bytes([packed, tensor([3], [6, 7, 8])])) { $0.keepingClasses([2], of: 3) }
        #expect(small == bytes([tensor([2, 1], [2, 5]), tensor([1], [8])]))
    }

    @Test(arguments: [[1 << 62, 4], [.max, 4], [3, 4], [4], [2, 4, 4]] as [[UInt64]])
    func tensorThatIsNotAsLargeAsItSaysIsLeftAlone(dimensions: [UInt64]) {
        let odd = tensor(dimensions, [Float](repeating: 1, count: 8))
        #expect(model(bytes([odd, odd])) { $0.keepingClasses([0], of: 4) } == nil)
    }

    /// Counted with Python's `onnx` in the models that `make setup` fetches: classes with the blank and the space, and
    /// those of them that are Latin.
    @Test(
        .enabled(if: RealNetworks.areThere, RealNetworks.reason),
        arguments: [(OpenVINOModelSet.ppOCRv6Small, 18_710, 563), (.ppOCRv4Mobile, 6625, 141)]
    )
    func latinHeadHasTheClassesThatItShould(models: OpenVINOModelSet, classes: Int, latin: Int) throws {
        let file = try ModelFile(path: models.files(in: #require(RealNetworks.directory)).recognition)
        let whole = try file.mapped().withBytes(Array.init)
        let characters = try #require(model(whole) { $0.metadata("character") })
        let all = [""] + characters.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [" "]
        #expect(all.count == classes)
        let kept = all.indices.filter { $0 == 0 || RecognitionAlphabet.latin.admits(all[$0]) }
        #expect(kept.count == latin)
        let small = try #require(model(whole) { $0.keepingClasses(kept, of: classes) })
        // The last layer has 120 inputs and a bias: 121 floats for each class less. Lengths take a few bytes.
        #expect(abs(whole.count - small.count - 121 * 4 * (classes - latin)) < 32)
        #expect(model(small) { $0.keepingClasses([0], of: classes) } == nil)
        #expect(model(small) { $0.keepingClasses([0], of: latin) } != nil)
    }

    private func fields(_ bytes: [UInt8]) -> [Protobuf.Field]? {
        bytes.withUnsafeBytes { Protobuf.fields(of: $0, in: 0..<bytes.count) }
    }

    /// protobuf.dev, "Encoding": `int32 a = 1` of 150, and `string b = 2` of "testing"; fixed fields of eight and four bytes.
    @Test func examplesOfTheEncodingPageAreReadAndWritten() throws {
        var bytes: [UInt8] = []
        Protobuf.appendField(1, varint: 150, to: &bytes)
        Protobuf.appendField(2, Array("testing".utf8), to: &bytes)
        #expect(bytes == [0x08, 0x96, 0x01, 0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6E, 0x67])
        let found = try #require(fields(bytes + [0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x15, 1, 2, 3, 4, 0x18, 5]))
        #expect(found.map(\.number) == [1, 2, 1, 2, 3])
        #expect(found.map(\.wireType) == [0, 2, 1, 5, 0])
        #expect(found.map(\.value) == [150, 0, 0, 0, 5])
        #expect(found.map(\.whole) == [0..<3, 3..<12, 12..<21, 21..<26, 26..<28])
        #expect(found.map(\.payload) == [3..<3, 5..<12, 13..<21, 22..<26, 28..<28])
        #expect(fields([])?.isEmpty == true)
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
    func damagedMessageIsNone(bytes: [UInt8]) { #expect(fields(bytes) == nil) }

    @Test(arguments: [0, 1, 127, 128, 300, 1 << 32, .max] as [UInt64])
    func everyVarintComesBack(value: UInt64) {
        var bytes: [UInt8] = []
        Protobuf.appendField(3, varint: value, to: &bytes)
        #expect(fields(bytes)?.map(\.value) == [value])
    }
}
