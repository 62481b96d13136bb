internal import Basics
internal import COpenVINO

/// A network compiled for one input shape or for any.
///
/// `@unchecked Sendable`: handle and blob are constant, and OpenVINO locks its compiled models itself.
final class CompiledNetwork: @unchecked Sendable {
    fileprivate let handle: OpaquePointer
    fileprivate let name: String
    /// Keeps the mapped file with the network's constants alive.
    let blob: MappedFile?

    init(handle: OpaquePointer, name: String, blob: MappedFile? = nil) {
        (self.handle, self.name, self.blob) = (handle, name, blob)
    }

    deinit { ov_compiled_model_free(handle) }

    /// Writes the compiled network to a file that ``NetworkLoader/importNetwork(_:name:)`` reads.
    func export(to path: String) throws(OpenVINOError) {
        try check(ov_compiled_model_export_model(handle, path), "write \(path)")
    }
}

/// A compiled network with one inference request, whose inputs anything can be written into.
///
/// Used by one thread at a time. `@unchecked Sendable`: a pool lends it to one.
public final class LoadedNetwork: @unchecked Sendable {
    private let network: CompiledNetwork
    private let request: OpaquePointer
    private let inputs: [NetworkTensor]

    init(_ network: CompiledNetwork, inputs: [NetworkTensor] = []) throws(OpenVINOError) {
        (self.network, self.inputs) = (network, inputs)
        request = try made("prepare an inference of \(network.name)") {
            ov_compiled_model_create_infer_request(network.handle, &$0)
        }
    }

    deinit { ov_infer_request_free(request) }

    /// Returns the bytes of an input, with its previous values; in another shape if it can have any.
    func input(_ index: Int, shape: [Int64]? = nil) throws(OpenVINOError) -> UnsafeMutableRawBufferPointer {
        let operation = "set input \(index) of \(network.name) to \(shape.map { "\($0)" } ?? "its shape")"
        let tensor = try made(operation) { ov_infer_request_get_input_tensor_by_index(request, index, &$0) }
        defer { ov_tensor_free(tensor) }
        if let shape {
            var dimensions = ov_shape_t()
            try check(ov_shape_create(Int64(shape.count), shape, &dimensions), operation)
            defer { ov_shape_free(&dimensions) }
            try check(ov_tensor_set_shape(tensor, dimensions), operation)
        }
        var count = 0
        try check(ov_tensor_get_byte_size(tensor, &count), operation)
        let data = try made(operation) { ov_tensor_data(tensor, &$0) }
        return UnsafeMutableRawBufferPointer(start: data, count: count)
    }

    /// Writes every input.
    ///
    /// `write` is called for each in order with its bytes, which contain the previous values.
    package func fill(
        _ write: (_ input: NetworkTensor, _ bytes: UnsafeMutableRawBufferPointer) -> Void
    ) throws(OpenVINOError) {
        for (index, description) in inputs.enumerated() { write(description, try input(index)) }
    }

    package func infer() throws(OpenVINOError) { try check(ov_infer_request_infer(request), "run \(network.name)") }

    /// Lends the first output: its dimensions, and its values, row-major.
    ///
    /// - Throws: ``OpenVINOError/modelUnsuitable(path:expected:found:)`` when it is not of f32.
    func output<Output>(
        _ read: (_ dimensions: [Int], _ values: UnsafeBufferPointer<Float>) -> Output
    ) throws(OpenVINOError) -> Output {
        let operation = "get the output of \(network.name)"
        let tensor = try made(operation) { ov_infer_request_get_output_tensor_by_index(request, 0, &$0) }
        defer { ov_tensor_free(tensor) }
        var type = DYNAMIC
        try check(ov_tensor_get_element_type(tensor, &type), operation)
        guard type == F32 else {
            throw .modelUnsuitable(path: network.name, expected: "an output of f32", found: "another type")
        }
        var shape = ov_shape_t()
        try check(ov_tensor_get_shape(tensor, &shape), operation)
        defer { ov_shape_free(&shape) }
        let dimensions = (0..<Int(shape.rank)).map { Int(shape.dims[$0]) }
        let data = try made(operation) { ov_tensor_data(tensor, &$0) }
        let values = UnsafePointer(data.assumingMemoryBound(to: Float.self))
        return read(dimensions, UnsafeBufferPointer(start: values, count: dimensions.reduce(1, *)))
    }

    /// Runs the network on whole numbers.
    ///
    /// - Parameter integers: Content of every input, in the network's order, row-major; inputs are of i64.
    /// - Returns: The first output, which is of f32: its dimensions, and its values, row-major.
    /// - Throws: ``OpenVINOError/modelUnsuitable(path:expected:found:)`` when an input or the output is of another
    ///   type or size, `callFailed` when OpenVINO fails.
    public func infer(_ integers: [[Int64]]) throws(OpenVINOError) -> (dimensions: [Int], values: [Float]) {
        var contents: [(bytes: UnsafeMutableRawBufferPointer, values: [Int64])] = []
        for (index, values) in integers.enumerated() where inputs.indices.contains(index) {
            let bytes = try input(index)
            if inputs[index].element == .i64, bytes.count == values.count * 8 { contents.append((bytes, values)) }
        }
        guard contents.count == inputs.count, contents.count == integers.count else {
            let expected = integers.map { "\($0.count) of i64" }.joined(separator: ", ")
            let found = inputs.map { "\($0.shapeText) of \($0.element?.rawValue ?? "another type")" }
            throw .modelUnsuitable(path: network.name, expected: expected, found: found.joined(separator: ", "))
        }
        for (bytes, values) in contents { values.withUnsafeBytes { bytes.copyMemory(from: $0) } }
        try infer()
        return try output { ($0, Array($1)) }
    }
}
