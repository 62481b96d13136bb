import GRDB

/// Why a library cannot be opened, read or written.
public enum LibraryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file is no library, is damaged, or is of a later version of this program.
    case unusable(path: String, problem: String)
    /// The system or another program keeps the file from being read or written.
    case operation(path: String, problem: String)

    /// Message: what is wrong with which file, and what to do.
    public var description: String {
        switch self {
        case .unusable(let path, let problem), .operation(let path, let problem): "\(path): \(problem)"
        }
    }

    /// Error for whoever opened the file at `path`, after one of SQLite's.
    init(_ error: DatabaseError, path: String) {
        let message = error.message ?? "code \(error.extendedResultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_NOTADB: self = .unusable(path: path, problem: "is no library; name another file")
        case .SQLITE_CORRUPT:
            self = .unusable(path: path, problem: "is damaged (\(message)); restore it from a copy")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self = .operation(path: path, problem: "is in use by another program; try again later")
        case .SQLITE_FULL: self = .operation(path: path, problem: "cannot be written: no space is left")
        case .SQLITE_CANTOPEN, .SQLITE_READONLY:
            self = .operation(path: path, problem: "cannot be opened for writing (\(message))")
        default: self = .operation(path: path, problem: "SQLite says \(message) (\(error.extendedResultCode.rawValue))")
        }
    }
}
