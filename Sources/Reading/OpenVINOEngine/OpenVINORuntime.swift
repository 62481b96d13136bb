internal import COpenVINO

/// One OpenVINO core: reads networks, compiles them for the CPU and imports compiled blobs, all to run as `execution`
/// says.
///
/// `ov_core_t` locks itself, so one runtime serves every thread.
/// `@unchecked Sendable`: the handle is set once in `init` and OpenVINO's core is thread-safe.
final class OpenVINORuntime: @unchecked Sendable {
    let core: OpaquePointer

    let execution: NetworkExecution

    init(execution: NetworkExecution) throws(OpenVINOError) {
        self.execution = execution
        limit_malloc_arenas()
        var handle: OpaquePointer?
        try check(ov_core_create(&handle), "start")
        guard let handle else { throw .callFailed(operation: "start", status: -1, message: "no core") }
        core = handle
        // Imported blobs take no properties of their own but these.
        let status = execution.withProperties { properties in
            ov_core_set_properties(handle, "CPU", properties.count, properties.baseAddress)
        }
        try check(status, "configure the CPU device")
    }

    deinit { ov_core_free(core) }

    static func giveBackMemory() { give_back_free_memory() }

    /// OpenVINO's version and build, such as `2026.4.1-22982-…`.
    static var version: String {
        var version = ov_version_t()
        guard ov_get_openvino_version(&version).rawValue == 0 else { return "unknown" }
        defer { ov_version_free(&version) }
        return version.buildNumber.map { String(cString: $0) } ?? "unknown"
    }

    /// Precisions that this processor has without emulation.
    ///
    /// OpenVINO runs networks in bf16 by default where it is among them, quick or not.
    func precisions() throws(OpenVINOError) -> [InferencePrecision] {
        let names: [(String, InferencePrecision)] = [("FP32", .f32), ("BF16", .bf16), ("FP16", .f16)]
        let capabilities = try cpuProperty("OPTIMIZATION_CAPABILITIES").split { $0 == " " || $0 == "," }.map(
            String.init
        )
        return names.filter { capabilities.contains($0.0) }.map(\.1)
    }

    /// The processor by its maker's name.
    func processor() throws(OpenVINOError) -> String { try cpuProperty("FULL_DEVICE_NAME") }

    private func cpuProperty(_ name: String) throws(OpenVINOError) -> String {
        var value: UnsafeMutablePointer<CChar>?
        try check(ov_core_get_property(core, "CPU", name, &value), "ask the CPU device for \(name)")
        guard let value else { throw .callFailed(operation: "read \(name)", status: -1, message: "no value") }
        defer { ov_free(value) }
        return String(cString: value)
    }

    /// Compiles `network` for inputs of one shape, or of any when it is nil.
    func compile(_ network: NetworkSource, shape: NetworkShape?) throws -> CompiledNetwork {
        let model = try readModel(network)
        defer { ov_model_free(model) }
        try setInput(of: model, to: shape, name: network.name)
        let prepared = try InputPreparation(model: model, normalization: network.normalization).build()
        defer { ov_model_free(prepared) }
        return CompiledNetwork(
            handle: try compiled(prepared, name: network.name),
            shape: shape,
            blob: nil
        )
    }

    private func readModel(_ network: NetworkSource) throws(OpenVINOError) -> OpaquePointer {
        var model: OpaquePointer?
        let status = network.bytes.withUnsafeBytes { raw in
            ov_core_read_model_from_memory_buffer(
                core,
                raw.bindMemory(to: CChar.self).baseAddress,
                raw.count,
                nil,
                &model
            )
        }
        try check(status, "read \(network.name)")
        guard let model else { throw .callFailed(operation: "read \(network.name)", status: -1, message: "no model") }
        return model
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
        var handle: OpaquePointer?
        let status = execution.withProperties { properties in
            ov_core_compile_model_props(core, model, "CPU", properties.count, properties.baseAddress, &handle)
        }
        try check(status, "compile \(name)")
        guard let handle else { throw .callFailed(operation: "compile \(name)", status: -1, message: "no network") }
        return handle
    }

    /// Takes up what ``CompiledNetwork/export(to:)`` wrote.
    ///
    /// The blob's constants stay in the file, mapped.
    func importNetwork(
        _ blob: MappedFile,
        shape: NetworkShape?
    ) throws(OpenVINOError) -> CompiledNetwork {
        var compiled: OpaquePointer?
        try check(
            ov_core_import_model(core, blob.start, blob.count, "CPU", &compiled),
            "import a compiled network"
        )
        guard let compiled else {
            throw .callFailed(operation: "import a compiled network", status: -1, message: "no network")
        }
        // The weights have been repacked for the CPU; the pages can be had again from the file.
        blob.dropPages()
        return CompiledNetwork(handle: compiled, shape: shape, blob: blob)
    }
}

/// Throws what OpenVINO reports when `status` is not OK.
func check(_ status: ov_status_e, _ operation: @autoclosure () -> String) throws(OpenVINOError) {
    guard status.rawValue != 0 else { return }
    let message = ov_get_last_err_msg().map { String(cString: $0) } ?? ""
    throw .callFailed(operation: operation(), status: Int32(status.rawValue), message: message)
}
