import Foundation
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

extension DatabaseQueue {
    /// Refuses a file that cannot be a catalogue, before SQLite opens it.
    ///
    /// SQLite takes an empty file for an empty database, and reports only an indirect error for a truncated one.
    static func checkedHeader(_ path: String) throws {
        let handle = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? handle.close() }
        let header = [UInt8](try handle.read(upToCount: 100) ?? Data())
        func refuse(unless isRight: Bool, _ problem: String) throws {
            if !isRight { throw CatalogueError.unusable(path: path, problem: problem) }
        }
        let advice = CatalogueError.advice
        try refuse(
            unless: header.count == 100 && header.starts(with: Array("SQLite format 3\0".utf8)),
            "is not a catalogue; \(advice)"
        )
        func number(_ offset: Int) -> Int { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        try refuse(unless: number(68) == CatalogueSchema.applicationID, "is another program's database; \(advice)")
        let (version, known) = (number(60), CatalogueSchema.version)
        try refuse(
            unless: version <= known,
            "has catalogue schema \(version), but this program supports up to \(known); update the program, or rebuild the "
                + "catalogue"
        )
        try refuse(
            unless: version == known,
            "has catalogue schema \(version), but this program needs \(known); \(advice)"
        )
        let pageSize = header[16] == 0 && header[17] == 1 ? 65_536 : Int(header[16]) << 8 | Int(header[17])
        let (expected, size) = (pageSize * number(28), Int(try handle.seekToEnd()))
        try refuse(unless: size >= expected, "is truncated: \(size) bytes of \(expected); \(advice)")
    }
}
