/// Where a text stops being JSON, and why.
struct JSONFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// Bytes from the start of the text, counted from 1.
    var column: Int
    var problem: String

    var description: String { "column \(column): \(problem)" }
}
