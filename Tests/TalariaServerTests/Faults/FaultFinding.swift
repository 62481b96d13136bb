/// What a sequence of faults has brought to light.
struct FaultFinding: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

extension Result where Failure == any Error {
    static func of(_ work: () async throws -> Success) async -> Self {
        do { return .success(try await work()) } catch { return .failure(error) }
    }
}
