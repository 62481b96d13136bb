import GRDB

/// The reason why a catalogue cannot be opened, read or built.
public enum CatalogueError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file is not a catalogue, is damaged, or is of an unknown version.
    case unusable(path: String, problem: String)
    /// The system or another program prevents reading or writing the file.
    case operation(path: String, problem: String)
    case source(path: String, problem: String)

    /// Message with the file, its fault and the remedy.
    public var description: String {
        switch self {
        case .unusable(let path, let problem), .operation(let path, let problem), .source(let path, let problem):
            "\(path): \(problem)"
        }
    }
}

extension CatalogueError {
    /// Creates the error of opening the file at `path`, from one of SQLite's.
    init(_ error: DatabaseError, path: String) {
        switch error.resultCode {
        case .SQLITE_NOTADB: self = .unusable(path: path, problem: "is not a catalogue; \(Self.advice)")
        case .SQLITE_CORRUPT: self = .unusable(path: path, problem: "is damaged (\(error.words)); \(Self.advice)")
        default: self = .operation(path: path, problem: error.problem)
        }
    }

    static let advice = "build one with 'spinebench catalogue build'"
}

extension DatabaseError {
    /// SQLite's message, or its code.
    var words: String { message ?? "code \(extendedResultCode.rawValue)" }

    /// Description of an error that is not the file's.
    var problem: String {
        switch resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: "is in use by another program; try again later"
        case .SQLITE_FULL: "cannot be written: no space is left"
        case .SQLITE_CANTOPEN, .SQLITE_READONLY: "cannot be opened (\(words))"
        default: "SQLite: \(words) (\(extendedResultCode.rawValue))"
        }
    }
}
