import OpenVINOEngine
import ScanningPolicies
import SpineReaders

package struct VariantBase: Sendable {
    package var name: String
    package var tier: String?
    package var summary: String
    package var settings: VariantSettings

    private static func reading(_ name: String, tier: String?, _ settings: ReadingSettings, _ summary: String) -> Self {
        VariantBase(name: name, tier: tier, summary: summary, settings: .reading(settings))
    }

    private static func scanning(_ name: String, tier: String?, _ settings: ScanSettings, _ summary: String) -> Self {
        VariantBase(name: name, tier: tier, summary: summary, settings: .scanning(settings))
    }

    /// Bases in the order of listing: those that read, then those that name books.
    package static let all: [VariantBase] = [
        reading("fast", tier: "fast", .fast, "PP-OCRv6 small, one pass, a second one in doubt"),
        reading("accurate", tier: "accurate", .accurate, "PP-OCRv6 small, three passes over every spine"),
        reading(
            "fast-v4",
            tier: "fast",
            .fast.with(models: .ppOCRv4Mobile),
            "PP-OCRv4 mobile with the passes of 'fast'"
        ),
        reading(
            "accurate-v4",
            tier: "accurate",
            .accurate.with(models: .ppOCRv4Mobile),
            "PP-OCRv4 mobile with the passes of 'accurate'"
        ),
        reading("tesseract", tier: nil, .fast.with(engine: .tesseract), "Tesseract 5 on the whole crop, both ways up"),
        reading(
            "tesseract-lines",
            tier: nil,
            .fast.with(engine: .tesseractLines),
            "PP-OCRv6 small finds the lines, Tesseract 5 reads them"
        ),
        reading("vision", tier: nil, .fast.with(engine: .vision), "Apple Vision, accurate level, both ways up"),
        scanning(
            "enrich",
            tier: "enrich",
            ScanSettings(strategy: .hybrid, matching: false),
            "fast reads, Talaria identifies the book from the text: Tier 1 and 2"
        ),
        scanning(
            "upload",
            tier: "upload",
            ScanSettings(strategy: .talariaOnly),
            "Talaria reads the picture and identifies the book: Tier 3"
        ),
        scanning(
            "talaria-only",
            tier: "upload",
            ScanSettings(strategy: .talariaOnly),
            "Option A: as upload, with the app's library and queue"
        ),
        scanning(
            "hybrid",
            tier: "hybrid",
            ScanSettings(strategy: .hybrid),
            "Option B: fast reads and looks the book up; its text is sent to Talaria at the same time"
        ),
        scanning(
            "vision-fallback",
            tier: nil,
            ScanSettings(strategy: .visionFallback, reader: .accurate),
            "Option C: the picture is sent to Talaria; when that fails or is slow, accurate reads on the device"
        ),
        scanning(
            "on-device-only",
            tier: "on-device",
            ScanSettings(strategy: .onDeviceOnly),
            "fast reads and looks the book up; nothing leaves the device"
        ),
        scanning(
            "shelf-fast",
            tier: "shelf",
            ScanSettings(strategy: .onDeviceOnly, pictures: .shelves),
            "all books of a photo of shelves; fast rereads doubtful spines"
        ),
        scanning(
            "shelf-accurate",
            tier: "shelf",
            ScanSettings(strategy: .onDeviceOnly, reader: .accurate, pictures: .shelves),
            "all books of a photo of shelves; accurate rereads doubtful spines"
        ),
        scanning(
            "shelf-upload",
            tier: "shelf-upload",
            ScanSettings(strategy: .talariaOnly, pictures: .shelves),
            "the photo of shelves is sent to Talaria, which reads it and identifies all of its books"
        ),
        scanning(
            "visual-search",
            tier: "visual-search",
            ScanSettings(strategy: .onDeviceOnly, pictures: .anything),
            "answers for the system's visual search: ranked books, or none; six requests per gesture"
        ),
        scanning(
            "context",
            tier: "context",
            ScanSettings(strategy: .onDeviceOnly, pictures: .captures),
            "a capture saved to a session: codes, text and books are read, looked up and summarised; nothing leaves the device"
        ),
    ]

    /// Base of readers of the user's, which needs a command; not among ``all``, as it runs nothing by itself.
    package static let system = VariantBase(
        name: "system",
        tier: nil,
        summary: "a reader of your own: a command or a service",
        settings: .reader(ReaderSettings())
    )

    package static func named(_ name: String) -> VariantBase? { (all + [system]).first { $0.name == name } }

    /// Bases that only read, with engines that this build can have.
    package static let readers = all.filter { base in
        if case .reading(let settings) = base.settings { settings.engine.isBuilt } else { false }
    }

    static func names(having key: String) -> [String] { all.filter { $0.settings.keys.contains(key) }.map(\.name) }

    package static let scans = all.filter { $0.settings.scanning != nil }

    /// Returns the first base that reads with an engine, the usual one for it; nil without one.
    package static func reader(engine: String) -> VariantBase? {
        readers.first { $0.settings.reading?.engine.name == engine }
    }

    package static var engines: [String] {
        readers.compactMap(\.settings.reading?.engine.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Returns the base over which all settings of a variant can be written out: of its engine, or its strategy.
    package static func holding(_ variant: ComposedVariant) -> VariantBase? {
        switch variant.settings {
        case .reading(let settings): return all.first { $0.settings.reading?.engine == settings.engine }
        case .scanning(let settings):
            // The base's own settings are all overwritten, but its strategy has to allow them.
            let bases = all.filter { $0.settings.scanning?.strategy == settings.strategy }
            return bases.first { $0.tier == variant.tier } ?? bases.first
        case .reader: return system
        }
    }
}
