import Basics
import Foundation
import Testing

@testable import OpenVINOEngine

@Suite struct ModelFileTests {
    @Test func fileThatIsNotThereIsNamedInTheError() throws {
        let error = #expect(throws: OpenVINOError.self) { try ModelFile(path: "/nowhere/at all.onnx") }
        guard case .modelUnreadable(let path, let reason) = error else {
            Issue.record("not an unreadable model: \(String(describing: error))")
            return
        }
        #expect(path == "/nowhere/at all.onnx")
        #expect(reason == String(cString: strerror(ENOENT)))
    }

    @Test func folderInItsPlaceCannotBeRead() throws {
        try withTemporaryFolder { folder in
            let file = try ModelFile(path: folder)
            let reason = "is a directory"
            #expect(throws: OpenVINOError.modelUnreadable(path: folder, reason: reason)) { try file.mapped() }
        }
    }

    @Test func bytesAreTheFiles() throws {
        try withTemporaryFolder { folder in
            try write([1, 2, 3], to: "\(folder)/model")
            #expect(try ModelFile(path: "\(folder)/model").mapped().withBytes(Array.init) == [1, 2, 3])
        }
    }

    @Test func changedFileHasAnotherFingerprint() throws {
        try withTemporaryFolder { folder in
            let path = "\(folder)/model"
            func fingerprint(_ bytes: [UInt8], changed: Double) throws -> String {
                try write(bytes, to: path)
                let date = Date(timeIntervalSince1970: changed)
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
                return try ModelFile(path: path).fingerprint
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
            #expect(try ModelFile(path: path).fingerprint == first)
            // Until the file system's clock has moved on, which may tick a hundred times a second or once in two.
            while changed("\(folder)/later") <= changed(path) { try write([0], to: "\(folder)/later") }
            // The size is equal, and its time set back: the status change time cannot be set.
            #expect(try fingerprint([3, 2, 1], changed: 1_000_000) != first)
            #expect(try fingerprint([1, 2, 3, 4], changed: 1_000_000) != first)
            #expect(try fingerprint([1, 2, 3], changed: 1_000_001) != first)
        }
    }
}

@Suite struct OpenVINOErrorTests {
    @Test func descriptionSaysWhatWhereAndWhatToDo() {
        let fetched = OpenVINOError.modelUnreadable(path: "/m/ppocrv6-small-rec.onnx", reason: "Permission denied")
        let start = "cannot read the model /m/ppocrv6-small-rec.onnx: Permission denied"
        #expect("\(fetched)" == "\(start); run 'make setup' to fetch it again")
        let own = OpenVINOError.modelUnreadable(path: "/m/x.onnx", reason: "gone")
        #expect("\(own)".hasSuffix("/m/x.onnx: gone; see \"Your own networks\" in Docs/YOUR-READER.md"))
        let unsuitable = OpenVINOError.modelUnsuitable(path: "/m/x.onnx", expected: "5 classes", found: "4")
        #expect("\(unsuitable)".contains("/m/x.onnx"))
        #expect("\(unsuitable)".contains("expected 5 classes, found 4"))
        let failed = OpenVINOError.callFailed(operation: "start", status: -1, message: "no plugins")
        #expect("\(failed)" == "OpenVINO failed to start (status -1): no plugins")
    }
}
