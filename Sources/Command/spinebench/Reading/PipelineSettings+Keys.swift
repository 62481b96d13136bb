import OpenVINOEngine
import SpineReaders
import TextRecognition

extension PipelineSettings {
    /// Every setting, in the order in which people are shown them; the engine first, because it decides on the others.
    static let keys: [SettingKey<PipelineSettings>] = [
        .choice("engine", \.engine, Engine.allCases, "What finds and reads the text."),
        .choice("models", \.models, networks, "The networks that find and read lines."),
        looks,
        .choice(
            "further-looks",
            \.reader.furtherLooksWhen,
            networks,
            "On which spines the looks after the first are taken."
        ),
        canvases,
        .choice(
            "orientation",
            \.reader.orientation,
            networks,
            "How it is told which way up text stands: not at all, by reading the longest line both ways up in doubt or "
                + "always, or by a classifier."
        ),
        .integer(
            "gaps-searched",
            \.reader.gapsSearched,
            0...32,
            networks,
            "Wide gaps of a line searched for small words."
        ),
        .share("sure-confidence", \.reader.sureConfidence, networks, "From here on a line is sure."),
        .share("minimum-confidence", \.reader.minimumConfidence, networks, "Below this a line is left out."),
        .choice(
            "precision",
            \.precision,
            networks,
            "What the networks compute in; auto leaves it to OpenVINO, measured takes the quicker of f32 and bf16."
        ),
        .integer("threads", \.threads, 1...256, networks, "Processor threads for the networks."),
        .integer(
            "parallel-lines",
            \.resolvedParallelLines,
            1...256,
            [.openVINO],
            "Lines read at the same time, each on its share of the threads; as many as threads unless set."
        ),
        lineWidths,
        .choice("alphabet", \.alphabet, [.openVINO], "The characters that may be read."),
        .choice(
            "correction",
            \.correctionSwitch,
            [.openVINO, .vision],
            "Whether doubtful words are corrected: by word lists, or as Vision does it."
        ),
        languages,
        .choice(
            "preprocessing",
            \.preprocessing,
            Engine.allCases,
            "What is done to the picture before; autocontrast stretches it from black to white."
        ),
        .integer(
            "decode-short-side",
            \.decodeShortSide,
            32...65_535,
            Engine.allCases,
            "A JPEG is decoded at the smallest scale that leaves its short side this many pixels."
        ),
        .choice(
            "prewarm",
            \.prewarmSwitch,
            networks,
            "Whether all networks are loaded at the start, and not when they are first needed."
        ),
    ]

    /// The engines whose lines are found by a network.
    private static let networks: [Engine] = [.openVINO, .tesseractLines]

    private static let looks = SettingKey<PipelineSettings>.list(
        "looks",
        networks,
        allowed: "1 to 8 of turned:<short>x<long> and across:<short>x<long> with + between, sides of 16 to 4096 pixels",
        "How a spine is searched, one look after the other: which side lies level, and to what size it is scaled.",
        counts: 1...8,
        get: { [$0.reader.firstLook] + $0.reader.furtherLooks },
        set: { settings, looks in
            settings.reader.firstLook = looks[0]
            settings.reader.furtherLooks = Array(looks.dropFirst())
        },
        text: { "\($0.frame.rawValue):\($0.shortSide)x\($0.longSide)" },
        value: { text in
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let frame = Look.Frame(rawValue: String(parts[0])),
                let sides = pair(parts[1], in: 16...4096), sides.0 <= sides.1
            else { return nil }
            return Look(frame: frame, shortSide: sides.0, longSide: sides.1)
        }
    )

    private static let canvases = SettingKey<PipelineSettings>.list(
        "canvases",
        networks,
        allowed: "1 to 16 of <width>x<height> with + between, multiples of 32 up to 4096, which hold every look",
        "Input sizes of the detector; those that the looks need unless set.",
        get: \.resolvedCanvases,
        set: { $0.canvases = $1 },
        text: { "\($0.width)x\($0.height)" },
        value: { text in
            guard let (width, height) = pair(text, in: 32...4096), width % 32 == 0, height % 32 == 0 else { return nil }
            return CanvasSize(width: width, height: height)
        }
    )

    private static let lineWidths = SettingKey<PipelineSettings>.list(
        "line-widths",
        [.openVINO],
        allowed: "1 to 16 multiples of 8 from 64 to 4096 with + between",
        "Widths of line images that the recogniser is compiled for; a longer line is read in windows.",
        get: \.lineWidths,
        set: { $0.lineWidths = $1 },
        text: { "\($0)" },
        value: { text in Int(text).flatMap { (64...4096).contains($0) && $0 % 8 == 0 ? $0 : nil } }
    )

    private static let languages = SettingKey<PipelineSettings>.list(
        "languages",
        [.tesseract, .tesseractLines],
        allowed: "names of Tesseract's language data with + between, such as eng+fra",
        "What Tesseract reads.",
        get: { $0.languages.split(separator: "+").map(String.init) },
        set: { $0.languages = $1.joined(separator: "+") },
        text: { $0 },
        value: { text in
            let isName = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            return isName && !text.isEmpty ? String(text) : nil
        }
    )

    /// `64x1024`.
    private static func pair(_ text: Substring, in range: ClosedRange<Int>) -> (Int, Int)? {
        let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let first = numbers[0], let second = numbers[1],
            range.contains(first), range.contains(second)
        else { return nil }
        return (first, second)
    }

    private var resolvedParallelLines: Int {
        get { parallelLines ?? threads }
        set { parallelLines = newValue }
    }

    private enum Switch: String, CaseIterable {
        case on
        case off
    }

    private var prewarmSwitch: Switch {
        get { prewarm ? .on : .off }
        set { prewarm = newValue == .on }
    }

    private var correctionSwitch: Switch {
        get { correction ? .on : .off }
        set { correction = newValue == .on }
    }
}
