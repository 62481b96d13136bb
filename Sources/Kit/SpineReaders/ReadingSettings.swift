package import OpenVINOEngine
package import TextRecognition

/// Settings of reading: everything that decides how the text of a spine is read.
///
///     let scanner = try ReadingSettings.fast.load().scanner
///     let lines = try scanner.scan(bytes, name: "spine.jpg").reading.lines
///
/// The keys and values by which suites and command lines name them are in Systems' `ReadingSettings.table`.
public struct ReadingSettings: Sendable, Equatable {
    package enum Preprocessing: String, Sendable, CaseIterable {
        case none
        /// Stretched so that the darkest hundredth becomes black and the brightest white.
        case autocontrast
    }

    /// What finds and reads the lines.
    public var engine = Engine.openVINO
    package var models = OpenVINOModelSet.ppOCRv6Small
    /// Quicker networks that find and read all lines first, so that `models` reads only what the gate asks for; nil for
    /// none.
    package var firstStage: OpenVINOModelSet?
    package var gate = SpineGate.spines
    package var reader: SpineReaderConfiguration
    /// Sizes of canvases; nil for that of the first pass; a pass that fits none is searched in tiles.
    package var canvases: [NetworkShape]?
    package var lineWidths = [160, 320]
    package var threads = Installation.threads
    package var precision = InferencePrecision.measured
    package var alphabet = RecognitionAlphabet.latin
    package var correction = true
    /// A file of further words to correct by, one a line, beside the machine's own lists; or ``noWordList``.
    package var wordList = Self.noWordList
    /// Languages in Tesseract's notation.
    package var languages = "eng"
    package var preprocessing = Preprocessing.none
    package var decodeShortSide = SpineScanner.sufficientShortSide
    /// Whether everything is loaded at the start, and not when it is first needed (S3-37).
    package var prewarm = false

    package static let noWordList = "none"

    /// One pass by PP-OCRv6 tiny; small reads again what is doubtful: 191 titles of the 221 real spines of the development
    /// sets and 203 of the 239 drawn ones, in 40 % of the processor time of `fast`.
    public static let quick = ReadingSettings(
        firstStage: .ppOCRv6Tiny,
        gate: .lines,
        reader: SpineReaderConfiguration(firstLook: .along),
        lineWidths: Self.finerWidths
    )

    /// Widths of the sheets of lines behind a first stage: sheets are shorter by a fifth than with two of them.
    private static let finerWidths = [80, 160, 240, 320]

    /// Within 50 ms: one pass, and a second one, across, for doubtful spines.
    public static let fast = ReadingSettings(
        reader: SpineReaderConfiguration(
            firstLook: .along,
            furtherLooks: [.across],
            furtherLooksWhen: .whenUnsure,
            sureConfidence: 0.8
        )
    )

    /// As `fast`, in less time on most spines: PP-OCRv6 tiny reads first, and small what is doubtful or seems to lack
    /// lines or a sure title.
    ///
    /// 202 titles of the real spines and 216 of the drawn ones, where `fast` reads 204 and 215, in 61 and 63 % of its
    /// processor time, and twice its memory.
    public static let staged = {
        var settings = fast
        (settings.firstStage, settings.lineWidths) = (.ppOCRv6Tiny, finerWidths)
        return settings
    }()

    /// Within 150 ms: both passes on every spine, and a closer one for small words.
    ///
    /// Without the closer one P95 is 70 ms, and five titles fewer of 813 are read, real and drawn; none is lost by
    /// it.
    public static let accurate = ReadingSettings(
        reader: SpineReaderConfiguration(
            firstLook: .along,
            furtherLooks: [.across, .closer],
            furtherLooksWhen: .always
        )
    )

    /// Returns the same settings with another engine or other models, which are the only ones.
    package func with(engine: Engine = .openVINO, models: OpenVINOModelSet = .ppOCRv6Small) -> ReadingSettings {
        var changed = self
        changed.engine = engine
        changed.models = models
        if models != .ppOCRv6Small { changed.firstStage = nil }
        return changed
    }

    /// Requested canvases, or the one that the first pass needs.
    ///
    /// Each takes 22 MB. With one of its own for the second pass `fast` reads the same number of titles of the
    /// development sets, and one fewer of 221 real ones; `accurate` one more of 239 drawn ones.
    package var resolvedCanvases: [NetworkShape] { canvases ?? [NetworkShape(holding: reader.firstLook)] }
}

extension NetworkShape {
    /// Creates the smallest canvas that holds every picture of a pass.
    package init(holding look: Look) {
        func up(_ side: Int) -> Int { (side + 31) / 32 * 32 }
        let (short, long) = (up(look.shortSide), up(max(look.shortSide, look.longSide)))
        self = look.frame == .turned ? Self(width: long, height: short) : Self(width: short, height: long)
    }
}

extension Look {
    /// First pass, along the spine; at 64 pixels it is not quicker and reads fewer titles of the development sets:
    /// 194 of 221 real ones against 199, 201 of 239 drawn ones against 204.
    fileprivate static let along = Look(frame: .turned, shortSide: 96, longSide: 1024)
    /// Second pass, across the spine; at 128 pixels it reads no more, and takes longer.
    fileprivate static let across = Look(frame: .across, shortSide: 96, longSide: 768)
    /// Searched in tiles on the canvas of the first, which takes no more memory.
    fileprivate static let closer = Look(frame: .turned, shortSide: 160, longSide: 1024)
}
