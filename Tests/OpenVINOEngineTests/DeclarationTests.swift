import COpenVINO
import Foundation
import TestSupport
import Testing

/// Declarations of COpenVINO, compared with OpenVINO's own headers by a C compiler.
@Suite(.inTurns) struct DeclarationTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    private static let headers = root.appending(path: ".deps/openvino/include").path
    private static let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/clang" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    private static let canCompare = compiler != nil && FileManager.default.fileExists(atPath: headers)

    /// Functions agree, or the compiler reports a conflict; values and sizes are compared as Swift has them.
    @Test(
        .enabled(if: canCompare, "clang or OpenVINO's headers are missing: run 'make setup'"),
        arguments: ["", "ov_status_e ov_core_create(ov_model_t *);", "_Static_assert(F32 == 3, \"\");"]
    )
    func declarationsAreOpenVINOs(_ mistake: String) throws {
        let values: [(String, UInt32)] = [
            ("DYNAMIC", DYNAMIC.rawValue), ("BF16", BF16.rawValue), ("F16", F16.rawValue), ("F32", F32.rawValue),
            ("F64", F64.rawValue), ("I8", I8.rawValue), ("I16", I16.rawValue), ("I32", I32.rawValue),
            ("I64", I64.rawValue), ("U8", U8.rawValue), ("U16", U16.rawValue), ("U32", U32.rawValue),
            ("U64", U64.rawValue), ("BOOLEAN", 1), ("OK", UInt32(OK.rawValue)),
            ("sizeof(ov_status_e)", UInt32(MemoryLayout<ov_status_e>.size)),
            ("sizeof(ov_element_type_e)", UInt32(MemoryLayout<ov_element_type_e>.size)),
            ("sizeof(ov_dimension_t)", UInt32(MemoryLayout<ov_dimension_t>.size)),
            ("sizeof(ov_shape_t)", UInt32(MemoryLayout<ov_shape_t>.size)),
            ("offsetof(ov_shape_t, dims)", UInt32(MemoryLayout<ov_shape_t>.offset(of: \.dims) ?? 0)),
            ("sizeof(ov_partial_shape_t)", UInt32(MemoryLayout<ov_partial_shape_t>.size)),
            ("offsetof(ov_partial_shape_t, dims)", UInt32(MemoryLayout<ov_partial_shape_t>.offset(of: \.dims) ?? 0)),
            ("sizeof(ov_property_t)", UInt32(MemoryLayout<ov_property_t>.size)),
            ("offsetof(ov_property_t, value)", UInt32(MemoryLayout<ov_property_t>.offset(of: \.value) ?? 0)),
            ("sizeof(ov_version_t)", UInt32(MemoryLayout<ov_version_t>.size)),
        ]
        let asserts = values.map { "_Static_assert(\($0.0) == \($0.1), \"\");" }.joined(separator: "\n")
        let folder = try TemporaryFolder()
        try folder.write(
            """
            #include <stddef.h>
            #include "openvino/c/openvino.h"
            #define OPENVINO_HAS_TYPES
            #define OPENVINO_HIDDEN
            #include "shim.h"
            \(asserts)
            \(mistake)

            """,
            "compare.c"
        )
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.compiler))
        process.arguments = [
            "-fsyntax-only", "-Werror", "-I", Self.headers, "-I",
            Self.root.appending(path: "Sources/C/COpenVINO/include").path, folder("compare.c"),
        ]
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let errors = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        // The check reports an inserted mistake.
        #expect((process.terminationStatus == 0) == mistake.isEmpty, "\(errors)")
    }
}
