internal import COpenVINO
internal import Foundation

/// OpenVINO on the CPU, for arbitrary networks.
package struct NetworkLoader: Sendable {
    private let runtime: OpenVINORuntime
    /// The processor by its maker's name.
    package let processor: String
    package let precision: InferencePrecision

    /// Starts OpenVINO with its CPU device, so that later memory and time are those of a network alone.
    ///
    /// - Throws: ``OpenVINOError``; `precisionUnknown` when the processor lacks it.
    package init(threads: Int, precision: InferencePrecision) throws {
        let execution = NetworkExecution(threads: threads, precision: precision.hint)
        runtime = try OpenVINORuntime(execution: execution)
        let processor = try Processor.current()
        self.processor = processor.name
        self.precision = try processor.precision(precision)
    }

    /// Compiles and runs a minimal network, so that the memory of the reader and of the compiler is allocated.
    ///
    /// - Throws: ``OpenVINOError``.
    package func warmUp() throws {
        let name = "the smallest network"
        let model = try Self.smallest.withUnsafeBytes { try runtime.read($0, name: name) }
        let file = try NetworkFile(model: model, path: name, format: .onnx, runtime: runtime)
        try file.load(shapes: [[1]]).infer()
    }

    /// An ONNX file with Relu from x to y, both of one number: `onnx.helper.make_model`, IR version 8, operations 17.
    private static let smallest =
        Data(base64Encoded: "CAgSADozCgwKAXgSAXkiBFJlbHUSAWdaDwoBeBIKCggIARIECgIIAWIPCgF5EgoKCAgBEgQKAggBQgQKABAR")
        ?? Data()

    /// Reads a network's file without compiling it.
    ///
    /// - Throws: ``OpenVINOError``: `fileUnusable` for a file that is neither ONNX nor TensorFlow Lite, `callFailed`
    ///   for one that OpenVINO refuses.
    package func read(_ path: String) throws -> NetworkFile {
        let format = try NetworkFormat.of(path)
        let model = try made("read \(path) as \(format.rawValue)") { ov_core_read_model(runtime.core, path, nil, &$0) }
        return try NetworkFile(model: model, path: path, format: format, runtime: runtime)
    }
}

package enum NetworkFormat: String, Sendable, Codable {
    case onnx = "ONNX"
    case tensorFlowLite = "TensorFlow Lite"

    /// Returns the format of a file by its first bytes.
    ///
    /// - Throws: ``OpenVINOError/fileUnusable(path:reason:)`` for a file of neither format, an empty or missing file,
    ///   or one that is too large.
    package static func of(_ path: String) throws(OpenVINOError) -> NetworkFormat {
        func unusable(_ reason: String) -> OpenVINOError { .fileUnusable(path: path, reason: reason) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw unusable("does not exist")
        }
        guard !isFolder.boolValue else { throw unusable("is a folder; specify a file that ends in .onnx or .tflite") }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.type] as? FileAttributeType != .typeCharacterSpecial,
            let handle = FileHandle(forReadingAtPath: path)
        else { throw unusable("cannot be read") }
        defer { try? handle.close() }
        let size = (attributes?[.size] as? NSNumber)?.int64Value ?? 0
        guard size > 0 else { throw unusable("is empty") }
        // Both formats count in 32 bits with a sign: protobuf messages and FlatBuffers end at 2 GiB.
        guard size <= Int64(Int32.max) else {
            throw unusable("has \(size) bytes; neither an ONNX nor a TensorFlow Lite file can have more than 2 GiB")
        }
        let head = [UInt8]((try? handle.read(upToCount: 64)) ?? Data())
        // FlatBuffers: a file identifier follows the first offset (schema.fbs: file_identifier "TFL3").
        if head.count >= 8, head[4..<8].elementsEqual("TFL3".utf8) { return .tensorFlowLite }
        // onnx.proto: ModelProto begins with ir_version (field 1, a varint) wherever it is written by the field
        // numbers; a file that begins with another field of the message is one all the same.
        if let first = head.first, first == 0x08 || [0x12, 0x1A, 0x22, 0x3A].contains(first) { return .onnx }
        throw unusable("is neither an ONNX nor a TensorFlow Lite file: unknown first bytes")
    }
}

/// A network that has been read and not compiled yet.
///
/// Used by one thread.
package final class NetworkFile {
    package let format: NetworkFormat
    /// Inputs in the network's order.
    package let inputs: [NetworkTensor]
    /// Outputs in the network's order.
    package let outputs: [NetworkTensor]
    private let model: OpaquePointer
    private let path: String
    private let runtime: OpenVINORuntime

    fileprivate init(
        model: OpaquePointer,
        path: String,
        format: NetworkFormat,
        runtime: OpenVINORuntime
    ) throws(OpenVINOError) {
        (self.model, self.path, self.format, self.runtime) = (model, path, format, runtime)
        do {
            inputs = try Self.tensors(of: model, "input", ov_model_inputs_size, ov_model_const_input_by_index)
            outputs = try Self.tensors(of: model, "output", ov_model_outputs_size, ov_model_const_output_by_index)
        } catch {
            ov_model_free(model)
            throw error
        }
    }

    deinit { ov_model_free(model) }

    private static func tensors(
        of model: OpaquePointer,
        _ what: String,
        _ count: (OpaquePointer?, UnsafeMutablePointer<Int>?) -> ov_status_e,
        _ port: (OpaquePointer?, Int, UnsafeMutablePointer<OpaquePointer?>?) -> ov_status_e
    ) throws(OpenVINOError) -> [NetworkTensor] {
        var number = 0
        try check(count(model, &number), "count the \(what)s")
        var tensors: [NetworkTensor] = []
        for index in 0..<number {
            let found = try made("find \(what) \(index)") { port(model, index, &$0) }
            tensors.append(try NetworkTensor(port: found, fallback: "\(what) \(index)"))
        }
        return tensors
    }

    /// Compiles the network for inputs of these shapes, one for every input, in order.
    ///
    /// - Throws: ``OpenVINOError`` when the network cannot take them, or has an operation that the CPU device does
    ///   not know.
    package func load(shapes: [[Int]]) throws(OpenVINOError) -> LoadedNetwork {
        precondition(shapes.count == inputs.count, "every input has a shape")
        try reshape(shapes)
        let handle = try runtime.compiled(model, name: path)
        return try LoadedNetwork(handle: handle, inputs: inputs, path: path)
    }

    private func reshape(_ shapes: [[Int]]) throws(OpenVINOError) {
        var partial: [ov_partial_shape_t] = []
        defer { for index in partial.indices { ov_partial_shape_free(&partial[index]) } }
        var ports: [Int] = []
        // Inputs that already have the shape are skipped: some networks refuse to be reshaped.
        for (index, shape) in shapes.enumerated() where inputs[index].dimensions != shape.map(Optional.some) {
            var description = ov_partial_shape_t()
            let sizes = shape.map { ov_dimension_t(min: Int64($0), max: Int64($0)) }
            let status = ov_partial_shape_create(Int64(sizes.count), sizes, &description)
            try check(status, "describe the shape of \(inputs[index].name)")
            partial.append(description)
            ports.append(index)
        }
        if ports.isEmpty { return }
        let texts = ports.map { "\(inputs[$0].name) \(shapes[$0].map(String.init).joined(separator: "×"))" }
        let status = ov_model_reshape_by_port_indexes(model, ports, partial, ports.count)
        try check(status, "give \(path) the shape \(texts.joined(separator: ", "))")
    }
}

/// Input or output tensor of a network: a name, a type and a shape.
package struct NetworkTensor: Sendable, Equatable, Codable {
    package enum Element: String, Sendable, Codable, CaseIterable {
        case boolean
        case bf16, f16, f32, f64
        case i8, i16, i32, i64
        case u8, u16, u32, u64
    }

    /// Name in the file; "input 0" without one.
    package var name: String
    /// Element type; nil for a type without writable numbers: texts, packed bits, or an open type.
    package var element: Element?
    /// A size that is left open is nil; the whole is nil when even the number of dimensions is.
    package var dimensions: [Int?]?

    /// "1×3×?×?".
    package var shapeText: String {
        guard let dimensions else { return "any shape" }
        return dimensions.isEmpty ? "one number" : dimensions.map { $0.map(String.init) ?? "?" }.joined(separator: "×")
    }
}

extension NetworkTensor {
    /// Describes a port, and frees it.
    ///
    /// `fallback`: name of an unnamed port.
    init(port: OpaquePointer, fallback: String) throws(OpenVINOError) {
        defer { ov_output_const_port_free(port) }
        var text: UnsafeMutablePointer<CChar>?
        // A port without a name is an error to OpenVINO and a fact here.
        name = fallback
        if ov_port_get_any_name(port, &text).rawValue == 0, let text {
            name = String(cString: text)
            ov_free(text)
        }
        var type = DYNAMIC
        try check(ov_port_get_element_type(port, &type), "ask for the type of \(name)")
        element = Self.elements.first { $0.0 == type }?.1
        var shape = ov_partial_shape_t()
        try check(ov_port_get_partial_shape(port, &shape), "ask for the shape of \(name)")
        defer { ov_partial_shape_free(&shape) }
        guard shape.rank.min == shape.rank.max, shape.rank.min >= 0 else {
            dimensions = nil
            return
        }
        dimensions = (0..<Int(shape.rank.min)).map { index in
            let dimension = shape.dims[index]
            return dimension.min == dimension.max && dimension.min >= 0 ? Int(dimension.min) : nil
        }
    }

    private static var elements: [(ov_element_type_e, Element)] {
        [
            // BOOLEAN of the header, a name that Swift does not import.
            (ov_element_type_e(1), .boolean), (BF16, .bf16), (F16, .f16), (F32, .f32), (F64, .f64), (I8, .i8),
            (I16, .i16), (I32, .i32), (I64, .i64), (U8, .u8), (U16, .u16), (U32, .u32), (U64, .u64),
        ]
    }
}
