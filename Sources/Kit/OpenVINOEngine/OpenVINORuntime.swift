internal import Basics
internal import COpenVINO

/// One OpenVINO core: reads networks, compiles them for the CPU and imports compiled blobs, with the options of
/// `execution`.
///
/// `ov_core_t` locks itself, so one runtime serves every thread. `@unchecked Sendable`: the handle is set once in
/// `init` and OpenVINO's core is thread-safe.
final class OpenVINORuntime: @unchecked Sendable {
    let core: OpaquePointer

    let execution: NetworkExecution

    init(execution: NetworkExecution) throws(OpenVINOError) {
        self.execution = execution
        try OpenVINOLibrary.open()
        limit_malloc_arenas()
        let core = try made("start") { ov_core_create(&$0) }
        self.core = core
        // Imported blobs take no properties of their own but these.
        let status = execution.withProperties { properties in
            ov_core_set_properties(core, "CPU", properties.count, properties.baseAddress)
        }
        try check(status, "configure the CPU device")
    }

    deinit { ov_core_free(core) }

    /// OpenVINO's version and build, such as `2026.4.1-22982-…`; "missing" without its library.
    static var version: String {
        if OpenVINOLibrary.problem != nil { return "missing" }
        var version = ov_version_t()
        guard ov_get_openvino_version(&version).rawValue == 0 else { return "unknown" }
        defer { ov_version_free(&version) }
        return version.buildNumber.map { String(cString: $0) } ?? "unknown"
    }

    fileprivate func cpuProperty(_ name: String) throws(OpenVINOError) -> String {
        let value = try made("ask the CPU device for \(name)") { ov_core_get_property(core, "CPU", name, &$0) }
        defer { ov_free(value) }
        return String(cString: value)
    }

    /// Compiles `network` for inputs of one shape, or of any when it is nil.
    func compile(_ network: NetworkSource, shape: NetworkShape?) throws -> CompiledNetwork {
        let model = try network.file.mapped().withBytes { bytes in
            let adapted = try network.adapt?(bytes)
            do {
                return try adapted?.withUnsafeBytes { try read($0, name: network.name) }
                    ?? read(bytes, name: network.name)
            } catch {
                throw OpenVINOError.modelUnsuitable(
                    path: network.file.path,
                    expected: "an ONNX file",
                    found: "what OpenVINO cannot read (\(error))"
                )
            }
        }
        defer { ov_model_free(model) }
        try setInput(of: model, to: shape, name: network.name)
        let prepared = try InputPreparation(model: model, normalization: network.normalization).build()
        defer { ov_model_free(prepared) }
        return CompiledNetwork(handle: try compiled(prepared, name: network.name), shape: shape, blob: nil)
    }

    /// Returns the network in the bytes of an ONNX file, to be freed by the caller.
    func read(_ bytes: UnsafeRawBufferPointer, name: String) throws(OpenVINOError) -> OpaquePointer {
        try made("read \(name)") {
            let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
            return ov_core_read_model_from_memory_buffer(core, start, bytes.count, nil, &$0)
        }
    }

    private func setInput(of model: OpaquePointer, to shape: NetworkShape?, name: String) throws(OpenVINOError) {
        var dimensions = ov_partial_shape_t()
        let any = ov_dimension_t(min: -1, max: -1)
        func exactly(_ size: Int) -> ov_dimension_t { ov_dimension_t(min: Int64(size), max: Int64(size)) }
        let sizes = [
            exactly(1), exactly(3), shape.map { exactly($0.height) } ?? any, shape.map { exactly($0.width) } ?? any,
        ]
        try check(ov_partial_shape_create(4, sizes, &dimensions), "describe the input of \(name)")
        let status = ov_model_reshape_single_input(model, dimensions)
        ov_partial_shape_free(&dimensions)
        try check(status, "set the input of \(name) to \(shape?.description ?? "any size")")
    }

    func compiled(_ model: OpaquePointer, name: String) throws(OpenVINOError) -> OpaquePointer {
        try made("compile \(name)") { handle in
            execution.withProperties { properties in
                ov_core_compile_model_props(core, model, "CPU", properties.count, properties.baseAddress, &handle)
            }
        }
    }

    /// Imports the output of ``CompiledNetwork/export(to:)``.
    ///
    /// The blob's constants stay in the file, mapped.
    func importNetwork(_ blob: MappedFile, shape: NetworkShape?) throws(OpenVINOError) -> CompiledNetwork {
        let compiled = try blob.withBytes { bytes throws(OpenVINOError) in
            try made("import a compiled network") {
                let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
                return ov_core_import_model(core, start, bytes.count, "CPU", &$0)
            }
        }
        // The weights have been repacked for the CPU; the pages can be had again from the file.
        blob.dropPages()
        return CompiledNetwork(handle: compiled, shape: shape, blob: blob)
    }
}

struct Processor: Sendable {
    let name: String
    /// Precisions of the processor without emulation.
    ///
    /// OpenVINO runs networks in bf16 by default where it is among them, quick or not.
    let precisions: [InferencePrecision]

    private static let asked = Result { () throws(OpenVINOError) in
        let runtime = try OpenVINORuntime(execution: NetworkExecution(threads: 1))
        let names: [(String, InferencePrecision)] = [("FP32", .f32), ("BF16", .bf16), ("FP16", .f16)]
        let capabilities = try runtime.cpuProperty("OPTIMIZATION_CAPABILITIES").split { $0 == " " || $0 == "," }
        return Processor(
            name: try runtime.cpuProperty("FULL_DEVICE_NAME"),
            precisions: names.filter { capabilities.contains(Substring($0.0)) }.map(\.1)
        )
    }

    /// Returns the processor, asked for once.
    static func current() throws(OpenVINOError) -> Processor { try asked.get() }

    /// Returns the precision in which networks requested in `asked` are computed.
    ///
    /// - Throws: `precisionUnknown` when the processor lacks it.
    func precision(_ asked: InferencePrecision) throws(OpenVINOError) -> InferencePrecision {
        guard asked.hint != nil else { return precisions.contains(.bf16) ? .bf16 : .f32 }
        guard precisions.contains(asked) else { throw .precisionUnknown(asked, known: precisions) }
        return asked
    }
}

/// Throws OpenVINO's error when `status` is not OK.
func check(_ status: ov_status_e, _ operation: @autoclosure () -> String) throws(OpenVINOError) {
    guard status.rawValue != 0 else { return }
    let message = ov_get_last_err_msg().map { String(cString: $0) } ?? ""
    throw .callFailed(operation: operation(), status: Int32(status.rawValue), message: message)
}

/// Returns the pointer that a call into OpenVINO puts into its argument.
func made<Pointer>(
    _ operation: @autoclosure () -> String,
    _ call: (inout Pointer?) -> ov_status_e
) throws(OpenVINOError) -> Pointer {
    var pointer: Pointer?
    try check(call(&pointer), operation())
    guard let pointer else { throw .callFailed(operation: operation(), status: -1, message: "it gave nothing") }
    return pointer
}

/// Lends the dimensions and the values, row-major, of a tensor of f32.
func withFloats<Output>(
    of tensor: OpaquePointer,
    _ name: @autoclosure () -> String,
    _ read: (_ dimensions: [Int], _ values: UnsafeBufferPointer<Float>) -> Output
) throws(OpenVINOError) -> Output {
    var shape = ov_shape_t()
    try check(ov_tensor_get_shape(tensor, &shape), "get the shape of \(name())")
    defer { ov_shape_free(&shape) }
    let dimensions = (0..<Int(shape.rank)).map { Int(shape.dims[$0]) }
    let data = try made("get the data of \(name())") { ov_tensor_data(tensor, &$0) }
    let values = UnsafePointer(data.assumingMemoryBound(to: Float.self))
    return read(dimensions, UnsafeBufferPointer(start: values, count: dimensions.reduce(1, *)))
}
