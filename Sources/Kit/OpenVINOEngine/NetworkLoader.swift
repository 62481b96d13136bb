internal import Basics
internal import COpenVINO
internal import Foundation

/// OpenVINO on the CPU: reads networks, compiles them and imports compiled ones, all with the same threads and precision.
///
/// `@unchecked Sendable`: the handle is set once, and OpenVINO's core locks itself.
public final class NetworkLoader: @unchecked Sendable {
    package let precision: InferencePrecision
    let threads: Int
    /// Name of the setting in those of cached files.
    let setting: String
    private let core: OpaquePointer

    /// Starts OpenVINO with its CPU device, so that later memory and time are those of a network alone.
    ///
    /// One inference at a time has all threads. They are not pinned: every compiled network has its own, and pinned
    /// they would all sit on the same first cores and wait for each other (two networks side by side take 1.9 times as
    /// long).
    ///
    /// - Throws: ``OpenVINOError``; `precisionUnknown` when the processor lacks it.
    public init(threads: Int, precision: InferencePrecision) throws(OpenVINOError) {
        self.threads = threads
        self.precision = try Processor.current.get().precision(precision)
        setting = "\(threads)t-\(precision == .auto ? "auto" : self.precision.rawValue)"
        core = try made("start") { ov_core_create(&$0) }
        var settings = ["INFERENCE_NUM_THREADS": "\(threads)", "NUM_STREAMS": "1", "ENABLE_CPU_PINNING": "NO"]
        // Without it, OpenVINO takes bf16 where the processor has it, quick or not.
        if precision != .auto { settings["INFERENCE_PRECISION_HINT"] = self.precision.rawValue }
        for (key, value) in settings {
            let status = key.withCString { key in
                value.withCString { value in
                    ov_core_set_properties(core, "CPU", 1, [ov_property_t(key: key, value: value)])
                }
            }
            try check(status, "configure the CPU device")
        }
    }

    deinit { ov_core_free(core) }

    /// The processor by its maker's name.
    public var processor: String { (try? Processor.current.get().name) ?? "unknown" }

    /// OpenVINO's version and build, such as `2026.4.1-22982-…`; "missing" without its library.
    static var version: String {
        if OpenVINOLibrary.problem != nil { return "missing" }
        var version = ov_version_t()
        guard ov_get_openvino_version(&version).rawValue == 0 else { return "unknown" }
        defer { ov_version_free(&version) }
        return version.buildNumber.map { String(cString: $0) } ?? "unknown"
    }

    /// Compiles and runs a minimal network, so that the memory of the reader and of the compiler is allocated.
    ///
    /// - Throws: ``OpenVINOError``.
    public func warmUp() throws {
        let file = try Self.smallest.withUnsafeBytes { try read($0, name: "the smallest network") }
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
    public func read(_ path: String) throws(OpenVINOError) -> NetworkFile {
        let format = try NetworkFormat.of(path)
        let model = try made("read \(path) as \(format.rawValue)") { ov_core_read_model(core, path, nil, &$0) }
        return try NetworkFile(model: model, name: path, format: format, loader: self)
    }

    /// Reads the bytes of an ONNX file.
    func read(_ bytes: UnsafeRawBufferPointer, name: String) throws(OpenVINOError) -> NetworkFile {
        let model = try made("read \(name)") {
            let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
            return ov_core_read_model_from_memory_buffer(core, start, bytes.count, nil, &$0)
        }
        return try NetworkFile(model: model, name: name, format: .onnx, loader: self)
    }

    func compile(_ model: OpaquePointer, name: String) throws(OpenVINOError) -> CompiledNetwork {
        let handle = try made("compile \(name)") { ov_core_compile_model_props(core, model, "CPU", 0, nil, &$0) }
        return CompiledNetwork(handle: handle, name: name)
    }

    /// Imports what ``CompiledNetwork/export(to:)`` wrote; its constants stay in the file, mapped.
    func importNetwork(_ blob: MappedFile, name: String) throws(OpenVINOError) -> CompiledNetwork {
        let handle = try blob.withBytes { bytes throws(OpenVINOError) in
            try made("import a compiled network") {
                let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
                return ov_core_import_model(core, start, bytes.count, "CPU", &$0)
            }
        }
        // The weights have been repacked for the CPU; the pages can be had again from the file.
        blob.dropPages()
        return CompiledNetwork(handle: handle, name: name, blob: blob)
    }
}

struct Processor: Sendable {
    let name: String
    /// Precisions of the processor without emulation, by OpenVINO.
    let precisions: [InferencePrecision]
    /// Whether it has instructions for bf16.
    ///
    /// Where OpenVINO converts to and from it instead, on other processors with AVX-512, that costs more than it saves; with
    /// them a spine takes half the time of f32 (20 and 43 ms on an EPYC of 2 cores).
    private let hasBF16: Bool

    /// The processor, asked for once.
    static let current = Result { () throws(OpenVINOError) in
        if let problem = OpenVINOLibrary.problem { throw .libraryMissing(problem) }
        limit_malloc_arenas()
        let core = try made("start") { ov_core_create(&$0) }
        defer { ov_core_free(core) }
        func property(_ name: String) throws(OpenVINOError) -> String {
            let value = try made("ask the CPU device for \(name)") { ov_core_get_property(core, "CPU", name, &$0) }
            defer { ov_free(value) }
            return String(cString: value)
        }
        let names: [(String, InferencePrecision)] = [("FP32", .f32), ("BF16", .bf16), ("FP16", .f16)]
        let capabilities = try property("OPTIMIZATION_CAPABILITIES").split { $0 == " " || $0 == "," }
        let flags = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        return Processor(
            name: try property("FULL_DEVICE_NAME"),
            precisions: names.filter { capabilities.contains(Substring($0.0)) }.map(\.1),
            hasBF16: flags.contains("avx512_bf16") || flags.contains("amx_bf16")
        )
    }

    /// Returns the precision in which networks requested in `asked` are computed.
    ///
    /// - Throws: `precisionUnknown` when the processor lacks it.
    func precision(_ asked: InferencePrecision) throws(OpenVINOError) -> InferencePrecision {
        switch asked {
        case .auto, .measured: return precisions.contains(.bf16) && (asked == .auto || hasBF16) ? .bf16 : .f32
        case .f32, .bf16, .f16:
            guard precisions.contains(asked) else { throw .precisionUnknown(asked, known: precisions) }
            return asked
        }
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
