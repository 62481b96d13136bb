/// One thing that is wrong with a dataset, or with a file that makes one, and where.
package struct DatasetFault: Sendable, Equatable, CustomStringConvertible {
    /// Path of the file that has to be mended, as the caller named it.
    package var file: String
    /// Counted from 1; nil when the fault is not in one line.
    package var line: Int?
    /// Message: what was found and what was expected.
    package var message: String

    package init(file: String, line: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    /// `file:line: message`, as compilers have it.
    package var description: String {
        line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}
