/// Where a text stops being JSON, and why.
package struct JSONFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// Bytes from the start of the text, counted from 1.
    package var column: Int
    package var problem: String

    package var description: String { "column \(column): \(problem)" }
}
