import TextRecognition

/// An engine that reads spines: its interface to the rest of the program.
///
/// A new one is a target of its own, an extension of this type beside the others, and a place among ``allCases``.
public struct Engine: Sendable {
    /// Name in suites and on command lines.
    public let name: String
    /// Name and state on this machine, for display; nil for a combination of others.
    package var listing: (@Sendable () -> (name: String, state: String))?
    /// Whether it is of this platform at all.
    package var isBuilt = true
    /// Throws the missing prerequisite of settings on this machine, with its remedy.
    ///
    /// Checks for files, and loads no model.
    let check: @Sendable (ReadingSettings) throws -> Void
    /// Returns the files that determine the readings.
    let files: @Sendable (ReadingSettings) throws -> [String]
    let load: @Sendable (ReadingSettings) throws -> LoadedReader
}

extension Engine: CaseIterable, RawRepresentable, Equatable {
    /// Every engine that suites may name.
    public static let allCases = [openVINO, tesseract, tesseractLines, vision]

    /// Returns the engine of a name; nil for an unknown one.
    public init?(rawValue: String) {
        guard let engine = Self.allCases.first(where: { $0.name == rawValue }) else { return nil }
        self = engine
    }

    /// Its name.
    public var rawValue: String { name }

    /// Whether both have the same name.
    public static func == (a: Engine, b: Engine) -> Bool { a.name == b.name }
}

struct MissingEngine: Error, CustomStringConvertible {
    var description: String
}
