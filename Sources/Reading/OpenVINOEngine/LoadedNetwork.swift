internal import COpenVINO

/// A compiled network with one inference request, whose inputs anything can be written into.
///
/// Used by one thread.
package final class LoadedNetwork {
    private let handle: OpaquePointer
    private let request: OpaquePointer
    private let inputs: [NetworkTensor]
    private let path: String

    /// The handle is owned by the network, also when this throws; the path is for messages.
    init(handle: OpaquePointer, inputs: [NetworkTensor], path: String) throws(OpenVINOError) {
        self.handle = handle
        self.inputs = inputs
        self.path = path
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
    /// `write` is called for each in order, and lent its bytes, which hold what was there before.
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

    package func infer() throws(OpenVINOError) {
        try check(ov_infer_request_infer(request), "run \(path)")
    }
}
