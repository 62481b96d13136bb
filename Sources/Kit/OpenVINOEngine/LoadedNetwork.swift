internal import COpenVINO

/// A compiled network with one inference request, whose inputs anything can be written into.
///
/// Used by one thread.
package final class LoadedNetwork {
    private let handle: OpaquePointer
    private let request: OpaquePointer
    private let inputs: [NetworkTensor]
    private let path: String

    /// Creates a network that owns the handle, also when this throws; the path is for messages.
    init(handle: OpaquePointer, inputs: [NetworkTensor], path: String) throws(OpenVINOError) {
        (self.handle, self.inputs, self.path) = (handle, inputs, path)
        do {
            request = try made("prepare an inference of \(path)") {
                ov_compiled_model_create_infer_request(handle, &$0)
            }
        } catch {
            ov_compiled_model_free(handle)
            throw error
        }
    }

    deinit {
        ov_infer_request_free(request)
        ov_compiled_model_free(handle)
    }

    /// Writes every input.
    ///
    /// `write` is called for each in order with its bytes, which contain the previous values.
    package func fill(
        _ write: (_ input: NetworkTensor, _ bytes: UnsafeMutableRawBufferPointer) -> Void
    ) throws(OpenVINOError) {
        for (index, input) in inputs.enumerated() {
            let tensor = try made("get the tensor of \(input.name)") {
                ov_infer_request_get_input_tensor_by_index(request, index, &$0)
            }
            defer { ov_tensor_free(tensor) }
            var count = 0
            try check(ov_tensor_get_byte_size(tensor, &count), "get the size of \(input.name)")
            let data = try made("get the data of \(input.name)") { ov_tensor_data(tensor, &$0) }
            write(input, UnsafeMutableRawBufferPointer(start: data, count: count))
        }
    }

    package func infer() throws(OpenVINOError) { try check(ov_infer_request_infer(request), "run \(path)") }

    /// Runs the network on whole numbers.
    ///
    /// - Parameter integers: Content of every input, in the network's order, row-major; inputs are of i64.
    /// - Returns: The first output, which is of f32: its dimensions, and its values, row-major.
    /// - Throws: ``OpenVINOError/modelUnsuitable(path:expected:found:)`` when an input or the output is of another
    ///   type or size, `callFailed` when OpenVINO fails.
    package func infer(_ integers: [[Int64]]) throws(OpenVINOError) -> (dimensions: [Int], values: [Float]) {
        var fitting = integers.count == inputs.count
        var next = 0
        try fill { input, bytes in
            defer { next += 1 }
            guard fitting, input.element == .i64, bytes.count == integers[next].count * MemoryLayout<Int64>.size else {
                fitting = false
                return
            }
            integers[next].withUnsafeBytes { bytes.copyMemory(from: $0) }
        }
        guard fitting else {
            let expected = integers.map { "\($0.count) of i64" }.joined(separator: ", ")
            let found = inputs.map { "\($0.shapeText) of \($0.element?.rawValue ?? "another type")" }
            throw .modelUnsuitable(path: path, expected: expected, found: found.joined(separator: ", "))
        }
        try infer()
        let output = try made("get the output of \(path)") {
            ov_infer_request_get_output_tensor_by_index(request, 0, &$0)
        }
        defer { ov_tensor_free(output) }
        var type = DYNAMIC
        try check(ov_tensor_get_element_type(output, &type), "get the type of the output of \(path)")
        guard type == F32 else {
            throw .modelUnsuitable(path: path, expected: "an output of f32", found: "another type")
        }
        return try withFloats(of: output, "the output of \(path)") { ($0, Array($1)) }
    }
}
