internal import Basics
internal import COpenVINO
internal import Foundation
internal import Synchronization

/// Width and height in pixels of the one input of a network.
package struct NetworkShape: Hashable, Sendable, Codable, CustomStringConvertible {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    package var description: String { "\(width)x\(height)" }
}

/// Settings of running networks on the CPU.
struct NetworkExecution: Sendable, Hashable {
    /// Processor threads of an inference.
    var threads: Int
    /// `bf16` or `f32`; nil leaves it to OpenVINO, which takes bf16 where the CPU has it.
    var precision: String? = nil

    /// Lends the settings as OpenVINO's properties: one inference at a time has all threads.
    ///
    /// Threads are not pinned: every compiled network has its own, and pinned they would all sit on the same first
    /// cores and wait for each other (two networks side by side take 1.9 times as long).
    func withProperties<Result>(_ body: (UnsafeBufferPointer<ov_property_t>) -> Result) -> Result {
        var settings = [
            ("INFERENCE_NUM_THREADS", String(threads)), ("NUM_STREAMS", "1"), ("ENABLE_CPU_PINNING", "NO"),
        ]
        if let precision { settings.append(("INFERENCE_PRECISION_HINT", precision)) }
        func lend(_ rest: ArraySlice<(String, String)>, _ properties: [ov_property_t]) -> Result {
            guard let (key, value) = rest.first else { return properties.withUnsafeBufferPointer(body) }
            return key.withCString { key in
                value.withCString { lend(rest.dropFirst(), properties + [ov_property_t(key: key, value: $0)]) }
            }
        }
        return lend(settings[...], [])
    }
}

/// A network compiled for one input shape or for any, with the inference requests that are free.
///
/// `@unchecked Sendable`: the handle and the blob are constant; `free` is guarded by its mutex, and a request is used
/// by one thread between its `take` and its `put`.
final class CompiledNetwork: @unchecked Sendable {
    /// Nil when the network takes any shape.
    let shape: NetworkShape?
    private let handle: OpaquePointer
    /// Keeps the mapped file with the network's constants alive.
    private let blob: MappedFile?
    private let free = Mutex<[OpaquePointerBox]>([])
    /// Held during a run of a network that takes any shape: its requests share the memory of their outputs, so that one
    /// must be read before the next begins.
    private let turn = NSLock()
    /// The shapes that a network that takes any has run in.
    private let seen = Mutex<Set<NetworkShape>>([])

    init(handle: OpaquePointer, shape: NetworkShape?, blob: MappedFile?) {
        (self.handle, self.shape, self.blob) = (handle, shape, blob)
    }

    deinit {
        for request in free.withLock({ $0 }) { ov_infer_request_free(request.pointer) }
        ov_compiled_model_free(handle)
    }

    /// Writes the compiled network to a file that ``OpenVINORuntime/importNetwork(_:shape:)`` reads.
    func export(to path: String) throws(OpenVINOError) {
        try check(ov_compiled_model_export_model(handle, path), "write \(path)")
    }

    /// Runs the network once.
    ///
    /// - Parameters:
    ///   - shape: The input's size; the network's own shape, unless it takes any.
    ///   - fill: Writes the input: `height * width * 3` bytes, R, G, B. The buffer has the content of the last run.
    ///   - read: Takes the first output: its dimensions and its values, row-major. The buffer is lent for the call.
    /// - Returns: The result of `read`, and the running time of the network alone.
    /// - Throws: ``OpenVINOError/callFailed(operation:status:message:)``.
    func infer<Output>(
        shape: NetworkShape,
        fill: (UnsafeMutableBufferPointer<UInt8>) -> Void,
        read: (_ dimensions: [Int], _ values: UnsafeBufferPointer<Float>) -> Output
    ) throws(OpenVINOError) -> (output: Output, inferenceTime: Duration) {
        if self.shape == nil { turn.lock() }
        defer { if self.shape == nil { turn.unlock() } }
        let request = try take()
        defer { free.withLock { $0.append(OpaquePointerBox(pointer: request)) } }

        let input = try made("get the input tensor") { ov_infer_request_get_input_tensor(request, &$0) }
        defer { ov_tensor_free(input) }
        if self.shape == nil { try setShape(of: input, to: shape) }
        let data = try made("get the input data") { ov_tensor_data(input, &$0) }
        let count = shape.width * shape.height * 3
        fill(UnsafeMutableBufferPointer(start: data.assumingMemoryBound(to: UInt8.self), count: count))

        let clock = ContinuousClock()
        let start = clock.now
        try check(ov_infer_request_infer(request), "run the network for \(shape)")
        let inferenceTime = start.duration(to: clock.now)
        // The weights have been repacked for a new shape: the pages that they were read from can be had again.
        if self.shape == nil, seen.withLock({ $0.insert(shape).inserted }) { blob?.dropPages() }

        let output = try made("get the output tensor") { ov_infer_request_get_output_tensor(request, &$0) }
        defer { ov_tensor_free(output) }
        return (try withFloats(of: output, "the output", read), inferenceTime)
    }

    /// Runs the network once on nothing, so that the first reading at this shape takes no longer than the others.
    func prepare(_ shape: NetworkShape) throws(OpenVINOError) {
        _ = try infer(shape: shape) {
            $0.update(repeating: 0)
        } read: { _, _ in
        }
    }

    private func setShape(of input: OpaquePointer, to shape: NetworkShape) throws(OpenVINOError) {
        var dimensions = ov_shape_t()
        let sizes = [1, Int64(shape.height), Int64(shape.width), 3]
        try check(ov_shape_create(4, sizes, &dimensions), "describe \(shape)")
        let status = ov_tensor_set_shape(input, dimensions)
        ov_shape_free(&dimensions)
        try check(status, "set the input to \(shape)")
    }

    private func take() throws(OpenVINOError) -> OpaquePointer {
        if let request = free.withLock({ $0.popLast() }) { return request.pointer }
        return try made("prepare an inference") { ov_compiled_model_create_infer_request(handle, &$0) }
    }
}

/// Carries a request between threads.
///
/// `@unchecked Sendable`: the code that took it from the mutex is its only user.
private struct OpaquePointerBox: @unchecked Sendable {
    var pointer: OpaquePointer
}
