import TextRecognition
import VisionEngine

extension Engine {
    #if canImport(Vision)
    /// Apple Vision reads the whole crop.
    public static let vision = Engine(
        name: "vision",
        listing: { ("Vision", "of this system") },
        check: { _ in },
        files: { _ in [] },
        load: {
            let reader = VisionSpineReader(usesLanguageCorrection: $0.correction)
            return LoadedReader(
                scanner: SpineScanner(reader: reader),
                shelf: .vision(usesLanguageCorrection: $0.correction),
                description: ["engine": "Apple Vision"]
            )
        }
    )
    #else
    private static let absence = "Apple Vision is part of macOS and iOS"

    /// Apple Vision, as suites of other platforms name it.
    public static let vision = Engine(
        name: "vision",
        listing: { ("Vision", "not on this platform: it is part of macOS and iOS") },
        isBuilt: false,
        check: { _ in throw MissingEngine(description: absence) },
        files: { _ in [] },
        load: { _ in throw MissingEngine(description: absence) }
    )
    #endif
}
