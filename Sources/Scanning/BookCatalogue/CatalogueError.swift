/// Why a catalogue cannot be opened, read or built.
public enum CatalogueError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file is no catalogue, is damaged, or is of a version that this program does not know.
    case unusable(path: String, problem: String)
    /// The system or another program keeps the file from being read or written.
    case operation(path: String, problem: String)
    /// A book list that cannot be read as one.
    case source(path: String, problem: String)

    /// Message: what is wrong with which file, and what to do.
    public var description: String {
        switch self {
        case .unusable(let path, let problem), .operation(let path, let problem), .source(let path, let problem):
            "\(path): \(problem)"
        }
    }
}
