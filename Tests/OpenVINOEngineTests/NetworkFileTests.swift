import Foundation
import TestSupport
import Testing

@testable import OpenVINOEngine

@Suite struct NetworkFileTests {
    /// Files of one operation from x to y, by the field numbers of onnx.proto: Relu of 1 × ?, and an unknown operation.
    private static let files = [
        "relu": "CAg6PQoMCgF4EgF5IgRSZWx1EgFnWhQKAXgSDwoNCAESCQoCCAEKAxIBbmIUCgF5Eg8KDQgBEgkKAggBCgMSAW5CAhAR",
        "strange": """
        CAg6TAobCgF4EgF5IgtGb3VyaWVyOTAwMDoGbXkub3duEgFnWhQKAXgSDwoNCAESCQoCCAEKAxIBbmIUCgF5Eg8KDQgBEgkKAggBCgMSAW5C\
        AhAR
        """,
    ].compactMapValues { Data(base64Encoded: $0).map(Array.init) }

    private func format(_ path: String) -> String {
        do { return try NetworkFormat.of(path).rawValue } catch { return error.description }
    }

    @Test func formatIsThatOfTheFirstBytes() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.files["relu"] ?? [], "a")
        try folder.write([0x1C, 0, 0, 0] + Array("TFL3".utf8) + [0], "b")
        try folder.write([], "empty")
        try folder.write("PK and more", "zip")
        // A file of holes: 3 GiB that take no room.
        try folder.write([8], "large")
        #expect(truncate(folder("large"), 3 << 30) == 0)
        for (name, expected) in [
            ("a", "ONNX"), ("b", "TensorFlow Lite"), ("none", "cannot be read: no such file or directory"),
            ("", "cannot be read: is a directory"), ("empty", "is empty"),
            ("zip", "is neither an ONNX nor a TensorFlow Lite file"),
            ("large", "has 3221225472 bytes; neither an ONNX"),
        ] {
            let found = format(folder(name)).replacing("\(folder(name)) ", with: "")
            #expect(found.hasPrefix(expected), "\(found)")
        }
        #expect(format("/dev/zero").hasPrefix("/dev/zero cannot be read"))
    }

    @Test func aNetworkIsReadAndRunInTheShapeThatIsGiven() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.files["relu"] ?? [], "relu.onnx")
        let loader = try NetworkLoader(threads: 1, precision: .f32)
        #expect(loader.precision == .f32)
        let file = try loader.read(folder("relu.onnx"))
        #expect(file.format == .onnx)
        #expect(file.inputs == [NetworkTensor(name: "x", element: .f32, dimensions: [1, nil])])
        #expect(file.inputs[0].shapeText == "1×?")
        #expect(file.outputs.map(\.name) == ["y"])
        let network = try file.load(shapes: [[1, 6]])
        var filled: [Int] = []
        try network.fill { _, bytes in
            filled.append(bytes.count)
            bytes.bindMemory(to: Float.self).update(repeating: -2)
        }
        try network.infer()
        #expect(filled == [24])
        #expect(try network.output { $0 + $1.map { Int($0) } } == [1, 6, 0, 0, 0, 0, 0, 0])
        // Whole numbers are for networks that take them.
        #expect(throws: OpenVINOError.self) { try network.infer([[1, 2, 3, 4, 5, 6]]) }
    }

    @Test(arguments: [("strange", 1000), ("relu", 30)])
    func whatOpenVINOCannotDoIsAnError(name: String, bytes: Int) throws {
        let folder = try TemporaryFolder()
        try folder.write(Array((Self.files[name] ?? []).prefix(bytes)), "x.onnx")
        let loader = try NetworkLoader(threads: 1, precision: .auto)
        #expect(throws: OpenVINOError.self) {
            let file = try loader.read(folder("x.onnx"))
            _ = try file.load(shapes: file.inputs.map { _ in [1, 6] })
        }
    }

    @Test func changedFileHasAnotherFingerprint() throws {
        let folder = try TemporaryFolder()
        func fingerprint(_ bytes: [UInt8], changed: Double) throws -> String {
            try folder.write(bytes, "model")
            let date = Date(timeIntervalSince1970: changed)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder("model"))
            return try ModelFile(path: folder("model")).fingerprint
        }
        /// Returns the time of the last change to a file's status, in nanoseconds; 0 for no file.
        func changed(_ path: String) -> Int {
            var status = stat()
            guard stat(path, &status) == 0 else { return 0 }
            #if canImport(Darwin)
            return status.st_ctimespec.tv_sec * 1_000_000_000 + status.st_ctimespec.tv_nsec
            #else
            return status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec
            #endif
        }
        let first = try fingerprint([1, 2, 3], changed: 1_000_000)
        #expect(try ModelFile(path: folder("model")).fingerprint == first)
        // Until the file system's clock has moved on, which may tick a hundred times a second or once in two.
        while changed(folder("later")) <= changed(folder("model")) { try folder.write([0], "later") }
        // The size is equal, and its time set back: the status change time cannot be set.
        #expect(try fingerprint([3, 2, 1], changed: 1_000_000) != first)
        #expect(try fingerprint([1, 2, 3, 4], changed: 1_000_000) != first)
        #expect(try fingerprint([1, 2, 3], changed: 1_000_001) != first)
    }

    @Test func fileThatCannotBeReadIsNamed() throws {
        let folder = try TemporaryFolder()
        let missing = OpenVINOError.modelUnreadable(
            path: "/nowhere/at all.onnx",
            reason: String(cString: strerror(ENOENT))
        )
        #expect(throws: missing) { try ModelFile(path: "/nowhere/at all.onnx") }
        let isFolder = OpenVINOError.modelUnreadable(path: folder.path, reason: "is a directory")
        #expect(throws: isFolder) { try ModelFile(path: folder.path).mapped() }
    }

    @Test(
        arguments: [
            (
                OpenVINOError.modelUnreadable(path: "/m/ppocrv6-small-rec.onnx", reason: "Permission denied"),
                "cannot read the model /m/ppocrv6-small-rec.onnx: Permission denied; run 'make setup' to fetch it again"
            ),
            (
                .modelUnreadable(path: "/m/x.onnx", reason: "gone"),
                "cannot read the model /m/x.onnx: gone; see \"Your own networks\" in Docs/YOUR-READER.md"
            ),
            (
                .modelUnsuitable(path: "/m/x.onnx", expected: "5 classes", found: "4"),
                """
                invalid model /m/x.onnx: expected 5 classes, found 4; see "Your own networks" in Docs/YOUR-READER.md
                """
            ),
            (
                .callFailed(operation: "start", status: -1, message: "no plugins"),
                "OpenVINO failed to start (status -1): no plugins"
            ),
        ] as [(OpenVINOError, String)]
    )
    func errorSaysWhatWhereAndWhatToDo(error: OpenVINOError, text: String) { #expect(error.description == text) }
}
