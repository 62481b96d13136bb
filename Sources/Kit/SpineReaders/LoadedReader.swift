import Imaging
package import TextRecognition

package struct LoadedReader {
    /// From a picture's bytes to text.
    package var scanner: SpineScanner
    /// Reads photos of shelves; nil where the engine cannot.
    package var shelf: ShelfReader?
    /// Engine, version, models, precision and threads, for reports.
    package var description: [String: String]
    /// Loads what the reader would otherwise load when it first needs it.
    package var prepare: @Sendable () throws -> Void = {}
}

extension ReadingSettings {
    /// Loads what the settings say.
    ///
    /// - Throws: the engine's error, which says what is missing and what to do.
    package func load() throws -> LoadedReader {
        var loaded = try engine.load(self)
        if prewarm { try loaded.prepare() }
        if preprocessing == .autocontrast { loaded.scanner.reader = Autocontrast(reader: loaded.scanner.reader) }
        loaded.scanner.sufficientShortSide = decodeShortSide
        return loaded
    }

    /// What is missing on this machine, and what to do about it; nil when nothing is known to be missing.
    package var problem: String? { engine.problem(self) }

    /// The files that decide what is read.
    ///
    /// - Throws: `TesseractError` when Tesseract is not there.
    package var files: [String] { get throws { try engine.files(self) } }
}

/// Reads pictures, and frames, whose contrast was stretched before.
private struct Autocontrast: SpineTextReader {
    var reader: any SpineTextReader

    func read(_ image: RasterImage) throws -> SpineReading { try reader.read(image.autocontrasted()) }
}
