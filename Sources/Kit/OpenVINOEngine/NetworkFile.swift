internal import Basics
internal import COpenVINO
internal import Foundation

package enum NetworkFormat: String, Sendable, Codable {
    case onnx = "ONNX"
    case tensorFlowLite = "TensorFlow Lite"

    /// Returns the format of a file by its first bytes.
    ///
    /// - Throws: ``OpenVINOError/fileUnusable(path:reason:)`` for a file of neither format, one that cannot be read, or
    ///   one that is empty or too large.
    package static func of(_ path: String) throws(OpenVINOError) -> NetworkFormat {
        func unusable(_ reason: String) -> OpenVINOError { .fileUnusable(path: path, reason: reason) }
        let file: MappedFile
        do { file = try MappedFile(path: path) } catch { throw unusable("cannot be read: \(error.systemReason)") }
        let (size, head) = file.withBytes { ($0.count, $0.prefix(8).map(\.self)) }
        guard size > 0 else { throw unusable("is empty") }
        // Both formats count in 32 bits with a sign: protobuf messages and FlatBuffers end at 2 GiB.
        guard size <= Int64(Int32.max) else {
            throw unusable("has \(size) bytes; neither an ONNX nor a TensorFlow Lite file can have more than 2 GiB")
        }
        // FlatBuffers: a file identifier follows the first offset (schema.fbs: file_identifier "TFL3").
        if head.dropFirst(4).elementsEqual("TFL3".utf8) { return .tensorFlowLite }
        // onnx.proto: ModelProto begins with ir_version (field 1, a varint) wherever it is written by the field
        // numbers; a file that begins with another field of the message is one all the same.
        if [0x08, 0x12, 0x1A, 0x22, 0x3A].contains(head[0]) { return .onnx }
        throw unusable("is neither an ONNX nor a TensorFlow Lite file: unknown first bytes")
    }
}

/// A network that has been read and not compiled yet.
///
/// Used by one thread.
public final class NetworkFile {
    package let format: NetworkFormat
    /// Inputs in the network's order.
    public let inputs: [NetworkTensor]
    /// Outputs in the network's order.
    public let outputs: [NetworkTensor]
    let model: OpaquePointer
    private let name: String
    private let loader: NetworkLoader

    /// Creates a file that owns the model, also when this throws; the name is for messages.
    init(
        model: OpaquePointer,
        name: String,
        format: NetworkFormat,
        loader: NetworkLoader
    ) throws(OpenVINOError) {
        (self.model, self.name, self.format, self.loader) = (model, name, format, loader)
        func tensors(
            _ what: String,
            _ count: (OpaquePointer?, UnsafeMutablePointer<Int>?) -> ov_status_e,
            _ port: (OpaquePointer?, Int, UnsafeMutablePointer<OpaquePointer?>?) -> ov_status_e
        ) throws(OpenVINOError) -> [NetworkTensor] {
            var (number, tensors) = (0, [NetworkTensor]())
            try check(count(model, &number), "count the \(what)s")
            for index in 0..<number {
                let found = try made("find \(what) \(index)") { port(model, index, &$0) }
                tensors.append(try NetworkTensor(port: found, fallback: "\(what) \(index)"))
            }
            return tensors
        }
        do {
            inputs = try tensors("input", ov_model_inputs_size, ov_model_const_input_by_index)
            outputs = try tensors("output", ov_model_outputs_size, ov_model_const_output_by_index)
        } catch {
            ov_model_free(model)
            throw error
        }
    }

    deinit { ov_model_free(model) }

    /// Returns the constants in an ONNX file's bytes, in its order, each with the bytes of its values: little-endian,
    /// row-major; none of what is not such a file.
    public static func constants(of onnx: UnsafeRawBufferPointer) -> [(name: String, values: Range<Int>)] {
        ONNXModel(bytes: onnx).constants
    }

    /// Compiles the network for inputs of these shapes, one for every input, in order.
    ///
    /// - Throws: ``OpenVINOError`` when the network cannot take them, or has an operation that the CPU device does
    ///   not know.
    public func load(shapes: [[Int]]) throws(OpenVINOError) -> LoadedNetwork {
        try reshape(shapes)
        return try LoadedNetwork(try loader.compile(model, name: name), inputs: inputs)
    }

    /// Sets the inputs to these shapes, in which a size that is left open is nil.
    func reshape(_ shapes: [[Int?]]) throws(OpenVINOError) {
        precondition(shapes.count == inputs.count, "every input has a shape")
        var partial: [ov_partial_shape_t] = []
        defer { for index in partial.indices { ov_partial_shape_free(&partial[index]) } }
        // Inputs that already have the shape are skipped: some networks refuse to be reshaped.
        let ports = shapes.indices.filter { inputs[$0].dimensions != shapes[$0] }
        for port in ports {
            let sizes = shapes[port].map { ov_dimension_t(min: Int64($0 ?? -1), max: Int64($0 ?? -1)) }
            var shape = ov_partial_shape_t()
            let status = ov_partial_shape_create(Int64(sizes.count), sizes, &shape)
            try check(status, "describe the shape of \(inputs[port].name)")
            partial.append(shape)
        }
        if ports.isEmpty { return }
        let texts = ports.map { "\(inputs[$0].name) \(NetworkTensor(name: "", dimensions: shapes[$0]).shapeText)" }
        let status = ov_model_reshape_by_port_indexes(model, ports, partial, ports.count)
        try check(status, "give \(name) the shape \(texts.joined(separator: ", "))")
    }
}

/// Input or output tensor of a network: a name, a type and a shape.
public struct NetworkTensor: Sendable, Equatable, Codable {
    package enum Element: String, Sendable, Codable, CaseIterable {
        case boolean
        case bf16, f16, f32, f64
        case i8, i16, i32, i64
        case u8, u16, u32, u64
    }

    /// Name in the file; "input 0" without one.
    public var name: String
    /// Element type; nil for a type without writable numbers: texts, packed bits, or an open type.
    package var element: Element?
    /// A size that is left open is nil; the whole is nil when even the number of dimensions is.
    public var dimensions: [Int?]?

    /// "1×3×?×?".
    public var shapeText: String {
        guard let dimensions else { return "any shape" }
        return dimensions.isEmpty ? "one number" : dimensions.map { $0.map(String.init) ?? "?" }.joined(separator: "×")
    }
}

extension NetworkTensor {
    /// Describes a port, and frees it.
    ///
    /// `fallback`: name of an unnamed port.
    fileprivate init(port: OpaquePointer, fallback: String) throws(OpenVINOError) {
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
        element =
            Self.types.indices.contains(Int(type.rawValue)) ? Element(rawValue: Self.types[Int(type.rawValue)]) : nil
        var shape = ov_partial_shape_t()
        try check(ov_port_get_partial_shape(port, &shape), "ask for the shape of \(name)")
        defer { ov_partial_shape_free(&shape) }
        guard shape.rank.min == shape.rank.max, shape.rank.min >= 0 else { return }
        dimensions = (0..<Int(shape.rank.min)).map { index in
            let dimension = shape.dims[index]
            return dimension.min == dimension.max && dimension.min >= 0 ? Int(dimension.min) : nil
        }
    }

    /// Names of the values of `ov_element_type_e`, from 0.
    private static let types =
        "dynamic boolean bf16 f16 f32 f64 i4 i8 i16 i32 i64 u1 u2 u3 u4 u6 u8 u16 u32 u64".split(separator: " ")
        .map(String.init)
}
