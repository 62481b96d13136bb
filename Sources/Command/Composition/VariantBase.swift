import OpenVINOEngine
import ScanningPolicies
import SpineReaders

/// A named variant that others are made from.
package struct VariantBase: Sendable {
    /// What it is asked for by.
    package var name: String
    /// The tier whose targets hold for it; nil when none do.
    package var tier: String?
    /// One line for people.
    package var summary: String
    package var settings: VariantSettings

    private init(_ name: String, tier: String?, _ settings: ReadingSettings, summary: String) {
        self.init(name: name, tier: tier, summary: summary, settings: .reading(settings))
    }

    private init(_ name: String, tier: String?, _ settings: ScanSettings, summary: String) {
        self.init(name: name, tier: tier, summary: summary, settings: .scanning(settings))
    }

    private init(name: String, tier: String?, summary: String, settings: VariantSettings) {
        (self.name, self.tier, self.summary, self.settings) = (name, tier, summary, settings)
    }

    /// In the order in which they are listed: those that read, then those that name books.
    package static let all = [
        VariantBase("fast", tier: "fast", .fast, summary: "PP-OCRv6 small, one look, a second one in doubt"),
        VariantBase(
            "accurate",
            tier: "accurate",
            .accurate,
            summary: "PP-OCRv6 small, three looks at every spine, gaps searched"
        ),
        VariantBase(
            "fast-v4",
            tier: "fast",
            .fast.with(models: .ppOCRv4Mobile),
            summary: "PP-OCRv4 mobile with the looks of 'fast'"
        ),
        VariantBase(
            "accurate-v4",
            tier: "accurate",
            .accurate.with(models: .ppOCRv4Mobile),
            summary: "PP-OCRv4 mobile with the looks of 'accurate'"
        ),
        VariantBase(
            "tesseract",
            tier: nil,
            .fast.with(engine: .tesseract),
            summary: "Tesseract 5 on the whole crop, both ways up"
        ),
        VariantBase(
            "tesseract-lines",
            tier: nil,
            .fast.with(engine: .tesseractLines),
            summary: "PP-OCRv6 small finds the lines, Tesseract 5 reads them"
        ),
        VariantBase(
            "vision",
            tier: nil,
            .fast.with(engine: .vision),
            summary: "Apple Vision, accurate level, both ways up"
        ),
        VariantBase(
            "enrich",
            tier: "enrich",
            ScanSettings(strategy: .hybrid, matching: false),
            summary: "fast reads, its text goes to Talaria, which names the book: Tier 1 and 2"
        ),
        VariantBase(
            "upload",
            tier: "upload",
            ScanSettings(strategy: .talariaOnly),
            summary: "the picture goes to Talaria, which reads and names the book: Tier 3"
        ),
        VariantBase(
            "talaria-only",
            tier: "upload",
            ScanSettings(strategy: .talariaOnly),
            summary: "Option A: as upload, with the app's library and queue"
        ),
        VariantBase(
            "hybrid",
            tier: "hybrid",
            ScanSettings(strategy: .hybrid),
            summary: "Option B: fast reads and looks the book up, its text goes to Talaria at the same time"
        ),
        VariantBase(
            "vision-fallback",
            tier: nil,
            ScanSettings(strategy: .visionFallback, reader: .accurate),
            summary: "Option C: the picture goes to Talaria; when that fails or is slow, accurate reads on the device"
        ),
        VariantBase(
            "on-device-only",
            tier: "on-device",
            ScanSettings(strategy: .onDeviceOnly),
            summary: "fast reads and looks the book up; nothing leaves the device"
        ),
    ]

    /// The base of that name; nil when there is none.
    package static func named(_ name: String) -> VariantBase? { all.first { $0.name == name } }

    /// Those that only read, with engines that this build can have.
    package static let readers = all.filter { base in
        if case .reading(let settings) = base.settings { settings.engine.isBuilt } else { false }
    }

    /// Those that name books.
    package static let scans = all.filter { $0.settings.scanning != nil }

    /// The first that reads with an engine, which is the one it is usually asked for by; nil when there is none.
    package static func reader(engine: String) -> VariantBase? {
        readers.first { $0.settings.reading?.engine.name == engine }
    }

    /// The engines of ``readers``, each once, in order.
    package static var engines: [String] {
        readers.compactMap(\.settings.reading?.engine.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The base over which all settings of a variant can be written out: of its engine, or its strategy.
    package static func holding(_ variant: ComposedVariant) -> VariantBase? {
        switch variant.settings {
        case .reading(let settings): return all.first { $0.settings.reading?.engine == settings.engine }
        case .scanning(let settings):
            // The base's own settings are all overwritten, but its strategy has to allow them.
            let bases = all.filter { $0.settings.scanning?.strategy == settings.strategy }
            return bases.first { $0.tier == variant.tier } ?? bases.first
        }
    }
}
