import Foundation
import TestSupport
import Testing

@testable import OpenVINOEngine

@Suite struct NetworkFileTests {
    /// Returns an ONNX file with one operation from x to y, by the field numbers of onnx.proto.
    private func onnx(_ operation: String, domain: String = "", dimensions: [Int?] = [1, nil]) -> [UInt8] {
        func message(_ fields: (inout [UInt8]) -> Void) -> [UInt8] {
            var bytes: [UInt8] = []
            fields(&bytes)
            return bytes
        }
        func value(_ name: String) -> [UInt8] {
            let shape = message { shape in
                for size in dimensions {
                    let dimension = message { dimension in
                        if let size {
                            Protobuf.appendField(1, varint: UInt64(size), to: &dimension)
                        } else {
                            Protobuf.appendField(2, "n".utf8, to: &dimension)
                        }
                    }
                    Protobuf.appendField(1, dimension, to: &shape)
                }
            }
            let tensor = message { tensor in
                Protobuf.appendField(1, varint: 1, to: &tensor)
                Protobuf.appendField(2, shape, to: &tensor)
            }
            let type = message { Protobuf.appendField(1, tensor, to: &$0) }
            return message { bytes in
                Protobuf.appendField(1, name.utf8, to: &bytes)
                Protobuf.appendField(2, type, to: &bytes)
            }
        }
        let node = message { node in
            Protobuf.appendField(1, "x".utf8, to: &node)
            Protobuf.appendField(2, "y".utf8, to: &node)
            Protobuf.appendField(4, operation.utf8, to: &node)
            if !domain.isEmpty { Protobuf.appendField(7, domain.utf8, to: &node) }
        }
        let graph = message { graph in
            Protobuf.appendField(1, node, to: &graph)
            Protobuf.appendField(2, "g".utf8, to: &graph)
            Protobuf.appendField(11, value("x"), to: &graph)
            Protobuf.appendField(12, value("y"), to: &graph)
        }
        let operations = message { Protobuf.appendField(2, varint: 17, to: &$0) }
        return message { bytes in
            Protobuf.appendField(1, varint: 8, to: &bytes)
            Protobuf.appendField(7, graph, to: &bytes)
            Protobuf.appendField(8, operations, to: &bytes)
        }
    }

    private func reason(_ path: String) -> String? {
        do {
            _ = try NetworkFormat.of(path)
            return nil
        } catch {
            guard case .fileUnusable(_, let reason) = error else { return "\(error)" }
            return reason
        }
    }

    @Test func formatIsToldByTheFirstBytes() throws {
        let folder = try TemporaryFolder()
        try folder.write(onnx("Relu"), "a")
        try folder.write([0x1C, 0, 0, 0] + Array("TFL3".utf8) + [0], "b")
        #expect(try NetworkFormat.of(folder("a")) == .onnx)
        #expect(try NetworkFormat.of(folder("b")) == .tensorFlowLite)
    }

    @Test func whatIsNoModelIsRefused() throws {
        let folder = try TemporaryFolder()
        try folder.write([], "empty")
        try folder.write("PK and more", "zip")
        #expect(reason(folder("none")) == "does not exist")
        #expect(reason(folder.path)?.hasPrefix("is a folder") == true)
        #expect(reason(folder("empty")) == "is empty")
        #expect(reason(folder("zip"))?.hasPrefix("is neither an ONNX nor a TensorFlow Lite file") == true)
        #expect(reason("/dev/zero") == "cannot be read")
    }

    /// A file of holes: 3 GiB that take no room.
    @Test func whatIsLargerThanTheFormatsAllowIsRefused() throws {
        let folder = try TemporaryFolder()
        try folder.write([8], "large")
        #expect(truncate(folder("large"), 3 << 30) == 0)
        #expect(reason(folder("large"))?.hasPrefix("has 3221225472 bytes; neither an ONNX") == true)
    }

    @Test func aNetworkIsReadAndRunInTheShapeThatIsGiven() throws {
        let folder = try TemporaryFolder()
        try folder.write(onnx("Relu"), "relu.onnx")
        let loader = try NetworkLoader(threads: 1, precision: .f32)
        #expect(loader.precision == .f32)
        let file = try loader.read(folder("relu.onnx"))
        #expect(file.format == .onnx)
        #expect(file.inputs == [NetworkTensor(name: "x", element: .f32, dimensions: [1, nil])])
        #expect(file.inputs[0].shapeText == "1×?")
        #expect(file.outputs.map(\.name) == ["y"])
        let network = try file.load(shapes: [[1, 6]])
        var filled: [Int] = []
        try network.fill { _, bytes in filled.append(bytes.count) }
        try network.infer()
        #expect(filled == [24])
    }

    @Test func whatOpenVINOCannotDoIsAnError() throws {
        let folder = try TemporaryFolder()
        try folder.write(onnx("Fourier9000", domain: "my.own"), "strange.onnx")
        try folder.write(Array(onnx("Relu").prefix(30)), "half.onnx")
        try folder.write(onnx("Relu", dimensions: [2, 3]), "fixed.onnx")
        let loader = try NetworkLoader(threads: 1, precision: .auto)
        for name in ["strange.onnx", "half.onnx"] {
            #expect(throws: OpenVINOError.self) {
                let file = try loader.read(folder(name))
                _ = try file.load(shapes: file.inputs.map { _ in [1, 6] })
            }
        }
    }
}
