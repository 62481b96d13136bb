import OpenVINOEngine
import ScanningPolicies
import SpineReaders

extension ComposedVariant {
    /// Named variants in the order of listing: those that read, then those that name books.
    package static let named: [ComposedVariant] = [
        .init("fast", "fast", .reading(.fast), "PP-OCRv6 small, one pass, a second one in doubt"),
        .init("accurate", "accurate", .reading(.accurate), "PP-OCRv6 small, three passes over every spine"),
        .init("quick", "fast", .reading(.quick), "PP-OCRv6 tiny, one pass; small reads again doubtful lines"),
        .init(
            "staged",
            "fast",
            .reading(.staged),
            "PP-OCRv6 tiny, one pass; small reads again doubtful lines, and spines that seem to lack lines or a sure title"
        ),
        .init(
            "fast-v4",
            "fast",
            .reading(.fast.with(models: .ppOCRv4Mobile)),
            "PP-OCRv4 mobile with the passes of 'fast'"
        ),
        .init(
            "accurate-v4",
            "accurate",
            .reading(.accurate.with(models: .ppOCRv4Mobile)),
            "PP-OCRv4 mobile with the passes of 'accurate'"
        ),
        .init(
            "tesseract",
            nil,
            .reading(.fast.with(engine: .tesseract)),
            "Tesseract 5 on the whole crop, both ways up"
        ),
        .init(
            "tesseract-lines",
            nil,
            .reading(.fast.with(engine: .tesseractLines)),
            "PP-OCRv6 small finds the lines, Tesseract 5 reads them"
        ),
        .init("vision", nil, .reading(.fast.with(engine: .vision)), "Apple Vision, accurate level, both ways up"),
        .init(
            "enrich",
            "enrich",
            .scanning(ScanSettings(strategy: .hybrid, matching: false)),
            "fast reads, Talaria identifies the book from the text: Tier 1 and 2"
        ),
        .init(
            "upload",
            "upload",
            .scanning(ScanSettings(strategy: .talariaOnly)),
            "Talaria reads the picture and identifies the book: Tier 3"
        ),
        .init(
            "talaria-only",
            "upload",
            .scanning(ScanSettings(strategy: .talariaOnly)),
            "Option A: as upload, with the app's library and queue"
        ),
        .init(
            "hybrid",
            "hybrid",
            .scanning(ScanSettings(strategy: .hybrid)),
            "Option B: fast reads and looks the book up; its text is sent to Talaria at the same time"
        ),
        .init(
            "vision-fallback",
            nil,
            .scanning(ScanSettings(strategy: .visionFallback, reader: .accurate)),
            "Option C: the picture is sent to Talaria; when that fails or is slow, accurate reads on the device"
        ),
        .init(
            "on-device-only",
            "on-device",
            .scanning(ScanSettings(strategy: .onDeviceOnly)),
            "fast reads and looks the book up; nothing leaves the device"
        ),
        .init(
            "shelf-fast",
            "shelf",
            .scanning(ScanSettings(strategy: .onDeviceOnly, pictures: .shelves)),
            "all books of a photo of shelves; fast rereads doubtful spines"
        ),
        .init(
            "shelf-accurate",
            "shelf",
            .scanning(ScanSettings(strategy: .onDeviceOnly, reader: .accurate, pictures: .shelves)),
            "all books of a photo of shelves; accurate rereads doubtful spines"
        ),
        .init(
            "shelf-upload",
            "shelf-upload",
            .scanning(ScanSettings(strategy: .talariaOnly, pictures: .shelves)),
            "the photo of shelves is sent to Talaria, which reads it and identifies all of its books"
        ),
        .init(
            "visual-search",
            "visual-search",
            .scanning(ScanSettings(strategy: .onDeviceOnly, pictures: .anything)),
            "answers for the system's visual search: ranked books, or none; six requests per gesture"
        ),
    ]

    /// Base of readers of the user's, which needs a command; not among ``named``, as it runs nothing by itself.
    package static let system = ComposedVariant(
        "system",
        nil,
        .reader(ReaderSettings()),
        "a reader of your own: a command or a service"
    )

    package static let bases = named + [system]

    package static func named(_ name: String) -> ComposedVariant? { bases.first { $0.name == name } }

    /// Variants that only read, with engines that this build can have.
    package static let readers = named.filter { (try? $0.reading)?.engine.isBuilt ?? false }

    package static let scans = named.filter { $0.settings.scanning != nil }

    /// Base over which all settings of the variant can be written out: of its engine, or its strategy.
    package var base: ComposedVariant? {
        switch settings {
        case .reading(let settings): return Self.named.first { $0.settings.reading?.engine == settings.engine }
        case .scanning(let settings):
            // The base's own settings are all overwritten, but its strategy has to allow them.
            let bases = Self.scans.filter { $0.settings.scanning?.strategy == settings.strategy }
            return bases.first { $0.tier == tier } ?? bases.first
        case .reader: return .system
        }
    }
}
