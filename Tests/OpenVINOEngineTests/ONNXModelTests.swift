import Basics
import Foundation
import Testing

@testable import OpenVINOEngine

@Suite struct ONNXModelTests {
    private let model = ONNXModel(bytes: SmallModel.bytes)

    /// Returns a float tensor as ONNX writes it: dims 1, data_type 2, raw_data 9.
    private func tensor(dimensions: [UInt64], values: [Float]) -> [UInt8] {
        var bytes: [UInt8] = []
        for dimension in dimensions { Protobuf.appendField(1, varint: dimension, to: &bytes) }
        Protobuf.appendField(2, varint: 1, to: &bytes)
        Protobuf.appendField(9, values.flatMap { withUnsafeBytes(of: $0) { Array($0) } }, to: &bytes)
        return bytes
    }

    /// Returns a model whose graph has only these initializers.
    private func model(_ tensors: [[UInt8]]) -> ONNXModel<[UInt8]> {
        var graph: [UInt8] = []
        for tensor in tensors { Protobuf.appendField(5, tensor, to: &graph) }
        var bytes: [UInt8] = []
        Protobuf.appendField(7, graph, to: &bytes)
        return ONNXModel(bytes: bytes)
    }

    @Test func metadataIsRead() {
        #expect(model.metadata("character") == "a\nb\né")
        #expect(model.metadata("empty") == "")
    }

    @Test func metadataThatIsNotThereIsNone() {
        #expect(model.metadata("characters") == nil)
        #expect(ONNXModel(bytes: []).metadata("character") == nil)
        #expect(ONNXModel(bytes: Array("<html>not found</html>".utf8)).metadata("character") == nil)
    }

    @Test func lentBytesAreReadLikeAnArray() {
        SmallModel.bytes.withUnsafeBytes { bytes in
            #expect(ONNXModel(bytes: bytes).metadata("character") == "a\nb\né")
            #expect(ONNXModel(bytes: bytes).keepingClasses([3, 0, 2], of: 4)?.bytes == SmallModel.withClasses302)
        }
    }

    @Test func keptClassesAreThoseThatTheReferenceToolWrites() {
        #expect(model.keepingClasses([3, 0, 2], of: 4)?.bytes == SmallModel.withClasses302)
    }

    @Test func keepingEveryClassChangesNothing() {
        #expect(model.keepingClasses([0, 1, 2, 3], of: 4)?.bytes == SmallModel.bytes)
    }

    @Test func modelWithoutSuchAWeightAndBiasIsNone() {
        #expect(model.keepingClasses([0, 1], of: 5) == nil)
        // One float tensor of two columns alone: no bias with it.
        #expect(model.keepingClasses([0], of: 2) == nil)
        #expect(ONNXModel(bytes: []).keepingClasses([0], of: 4) == nil)
        #expect(ONNXModel(bytes: Array("<html>".utf8)).keepingClasses([0], of: 4) == nil)
    }

    @Test func packedDimensionsAreRead() throws {
        // proto3 writes the dimensions 2 and 3 as one field of two bytes.
        var packed: [UInt8] = []
        Protobuf.appendField(1, [2, 3], to: &packed)
        packed += tensor(dimensions: [], values: [0, 1, 2, 3, 4, 5])
        let small = try #require(
            model([packed, tensor(dimensions: [3], values: [6, 7, 8])]).keepingClasses([2], of: 3)
        )
        #expect(
            small.bytes
                == model([tensor(dimensions: [2, 1], values: [2, 5]), tensor(dimensions: [1], values: [8])]).bytes
        )
    }

    @Test(arguments: [[1 << 62, 4], [.max, 4], [3, 4], [4], [2, 4, 4]] as [[UInt64]])
    func tensorThatIsNotAsLargeAsItSaysIsLeftAlone(dimensions: [UInt64]) {
        let odd = tensor(dimensions: dimensions, values: [Float](repeating: 1, count: 8))
        #expect(model([odd, odd]).keepingClasses([0], of: 4) == nil)
    }

    /// Counted with Python's `onnx` in the models that `make setup` fetches: classes with the blank and the space, and
    /// those of them that are Latin.
    @Test(
        .enabled(if: RealNetworks.areThere, RealNetworks.reason),
        arguments: [(OpenVINOModelSet.ppOCRv6Small, 18_710, 563), (.ppOCRv4Mobile, 6625, 141)]
    )
    func latinHeadHasTheClassesThatItShould(models: OpenVINOModelSet, classes: Int, latin: Int) throws {
        let directory = try #require(RealNetworks.directory)
        let file = try ModelFile(path: models.files(in: directory).recognition)
        let model = ONNXModel(bytes: try file.mapped().withBytes(Array.init))
        let characters = try #require(model.metadata("character"))
        let all = [""] + characters.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [" "]
        #expect(all.count == classes)
        let kept = all.indices.filter { $0 == 0 || RecognitionAlphabet.latin.admits(all[$0]) }
        #expect(kept.count == latin)
        let small = try #require(model.keepingClasses(kept, of: classes))
        // The last layer has 120 inputs and a bias: 121 floats for each class less. Lengths take a few bytes.
        let saved = model.bytes.count - small.bytes.count
        #expect(abs(saved - 121 * 4 * (classes - latin)) < 32)
        #expect(small.keepingClasses([0], of: classes) == nil)
        #expect(small.keepingClasses([0], of: latin) != nil)
    }
}
