internal import COpenVINO

/// A compiled network with one inference request, whose inputs anything can be written into.
///
/// Used by one thread.
package final class LoadedNetwork {
    private let handle: OpaquePointer
    private let request: OpaquePointer
    private let inputs: [NetworkTensor]
    private let path: String

    /// - Parameters:
    ///   - handle: owned by the network, also when this throws.
    ///   - inputs: of the network, in order.
    ///   - path: for messages.
    /// - Throws: ``OpenVINOError``.
    init(handle: OpaquePointer, inputs: [NetworkTensor], path: String) throws(OpenVINOError) {
        self.handle = handle
        self.inputs = inputs
        self.path = path
        var request: OpaquePointer?
        do {
            try check(ov_compiled_model_create_infer_request(handle, &request), "prepare an inference of \(path)")
        } catch {
            ov_compiled_model_free(handle)
            throw error
        }
        guard let request else {
            ov_compiled_model_free(handle)
            throw .callFailed(operation: "prepare an inference of \(path)", status: -1, message: "no request")
        }
        self.request = request
    }

    deinit {
        ov_infer_request_free(request)
        ov_compiled_model_free(handle)
    }

    /// Writes every input.
    ///
    /// - Parameter write: Given an input and its bytes, which hold what was there before; called for each in order. The
    ///   buffer is lent for the call.
    /// - Throws: ``OpenVINOError``.
    package func fill(
        _ write: (_ input: NetworkTensor, _ bytes: UnsafeMutableRawBufferPointer) -> Void
    ) throws(OpenVINOError) {
        for (index, input) in inputs.enumerated() {
            var tensor: OpaquePointer?
            try check(
                ov_infer_request_get_input_tensor_by_index(request, index, &tensor),
                "get the tensor of \(input.name)"
            )
            defer { ov_tensor_free(tensor) }
            var count = 0
            try check(ov_tensor_get_byte_size(tensor, &count), "get the size of \(input.name)")
            var data: UnsafeMutableRawPointer?
            try check(ov_tensor_data(tensor, &data), "get the data of \(input.name)")
            guard let data else {
                throw .callFailed(operation: "get the data of \(input.name)", status: -1, message: "no data")
            }
            write(input, UnsafeMutableRawBufferPointer(start: data, count: count))
        }
    }

    /// Runs the network once over what its inputs hold.
    ///
    /// - Throws: ``OpenVINOError/callFailed(operation:status:message:)``.
    package func infer() throws(OpenVINOError) {
        try check(ov_infer_request_infer(request), "run \(path)")
    }
}

/// When one run of a network began and ended.
struct InferenceInterval: Sendable {
    var start: ContinuousClock.Instant
    var end: ContinuousClock.Instant

    var duration: Duration { start.duration(to: end) }
}

extension [InferenceInterval] {
    /// The time during which at least one of the runs was under way.
    var union: Duration {
        var total = Duration.zero
        var covered: ContinuousClock.Instant?
        for interval in sorted(by: { $0.start < $1.start }) {
            let start = Swift.max(interval.start, covered ?? interval.start)
            if interval.end > start { total += start.duration(to: interval.end) }
            covered = Swift.max(interval.end, covered ?? interval.end)
        }
        return total
    }
}
