import Foundation

/// What a sequence of faults has brought to light.
struct FaultFinding: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// Gives `body` a separate temporary folder, whose name contains `name`, and removes it afterwards.
func withTemporaryFolder<Value>(_ name: String, _ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "faults-\(name)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// Does the work, then closes its resources after any outcome.
func closing<Value>(_ close: () async throws -> Void, _ work: () async throws -> Value) async throws -> Value {
    let result = await Result.of(work)
    try await close()
    return try result.get()
}

extension Result where Failure == any Error {
    static func of(_ work: () async throws -> Success) async -> Self {
        do { return .success(try await work()) } catch { return .failure(error) }
    }
}
