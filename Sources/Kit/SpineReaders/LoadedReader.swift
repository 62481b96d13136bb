import Imaging
public import TextRecognition

/// A reader that is loaded: what a program reads spines with.
public struct LoadedReader: Sendable {
    /// Scanner from a picture's bytes to text.
    public var scanner: SpineScanner
    /// Reader of photos of shelves; nil if the engine cannot read them.
    public var shelf: ShelfReader?
    /// Engine, version, models, precision and threads, for reports.
    public var description: [String: String]
    /// Loads ahead the parts that the reader would otherwise load at their first use.
    public var prepare: @Sendable () throws -> Void = {}
}

extension ReadingSettings {
    /// Loads the reader of the settings.
    ///
    /// - Throws: the engine's error, with the missing part and the remedy.
    public func load() throws -> LoadedReader {
        var loaded = try engine.load(self)
        if prewarm { try loaded.prepare() }
        if preprocessing == .autocontrast { loaded.scanner.reader = Autocontrast(reader: loaded.scanner.reader) }
        loaded.scanner.sufficientShortSide = decodeShortSide
        return loaded
    }

    /// Missing prerequisite on this machine, with its remedy; nil if none is known.
    public var problem: String? {
        do {
            try engine.check(self)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Files that determine the readings.
    ///
    /// - Throws: `TesseractError` when Tesseract is missing.
    package var files: [String] { get throws { try engine.files(self) } }
}

/// Reads pictures, and frames, whose contrast was stretched before.
private struct Autocontrast: SpineTextReader {
    var reader: any SpineTextReader

    func read(_ image: RasterImage) throws -> SpineReading { try reader.read(image.autocontrasted()) }
}
