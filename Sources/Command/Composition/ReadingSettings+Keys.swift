internal import Harness
package import SpineReaders
import TextRecognition

extension ReadingSettings: KeyedSettings {
    package static let scopeName = "engine"
    package static let unset = fast
    package var scope: Engine { engine }

    /// Every setting, in the order of display; the engine first, because it decides on the others.
    package static let keys: [SettingKey<ReadingSettings>] = all.map { key in
        var key = key
        key.scopes = Engine.allCases.filter { ($0.settings.union(Engine.commonSettings)).contains(key.name) }
        return key
    }

    /// Keys other than those of the engines, which name their settings themselves.
    private static let all: [SettingKey<ReadingSettings>] = [
        .choice("engine", \.engine, "What finds and reads the text."),
        .choice("models", \.models, "The networks that find and read lines."),
        looks,
        .choice("further-looks", \.reader.furtherLooksWhen, "On which spines the looks after the first are taken."),
        canvasesKey,
        .choice(
            "orientation",
            \.reader.orientation,
            "How it is told which way up text stands: not at all, by reading the longest line both ways up in doubt or "
                + "always, or by a classifier."
        ),
        .share("sure-confidence", \.reader.sureConfidence, "From here on a line is sure."),
        .share("minimum-confidence", \.reader.minimumConfidence, "Below this a line is left out."),
        .choice(
            "precision",
            \.precision,
            "What the networks compute in; auto leaves it to OpenVINO, measured takes the quicker of f32 and bf16."
        ),
        .integer("threads", \.threads, 1...256, "Processor threads for the networks."),
        lineWidths,
        .choice("alphabet", \.alphabet, "The characters that may be read."),
        .toggle(
            "correction",
            \.correction,
            "Whether doubtful words are corrected: by word lists, or as Vision does it."
        ),
        .file(
            "word-list",
            \.wordList,
            without: noWordList,
            unset: noWordList,
            "Further words that are right, such as names of authors, one a line; doubtful words are corrected by them, too."
        ),
        languages,
        .choice(
            "preprocessing",
            \.preprocessing,
            "What is done to the picture before; autocontrast stretches it from black to white."
        ),
        .integer(
            "decode-short-side",
            \.decodeShortSide,
            32...65_535,
            "A JPEG is decoded at the smallest scale that leaves its short side this many pixels."
        ),
        .toggle(
            "prewarm",
            \.prewarm,
            "Whether all networks are loaded at the start, and not when they are first needed."
        ),
    ]

    private static let looks = SettingKey<ReadingSettings>.list(
        "looks",
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

    private static let canvasesKey = SettingKey<ReadingSettings>.list(
        "canvases",
        allowed: "1 to 16 of <width>x<height> with + between, multiples of 32 up to 4096",
        "Input sizes of the detector; a look that fits none is searched in tiles.",
        get: \.resolvedCanvases,
        set: { $0.canvases = $1 },
        text: { "\($0.width)x\($0.height)" },
        value: { text in
            guard let (width, height) = pair(text, in: 32...4096), width % 32 == 0, height % 32 == 0 else { return nil }
            return CanvasSize(width: width, height: height)
        }
    )

    private static let lineWidths = SettingKey<ReadingSettings>.list(
        "line-widths",
        allowed: "1 to 16 multiples of 8 from 64 to 4096 with + between",
        "Widths of the sheets on which lines stand side by side, for one network of any width; a line longer than the "
            + "widest is read in windows.",
        get: \.lineWidths,
        set: { $0.lineWidths = $1 },
        text: { "\($0)" },
        value: { text in Int(plain: text, in: 64...4096).flatMap { $0 % 8 == 0 ? $0 : nil } }
    )

    private static let languages = SettingKey<ReadingSettings>.list(
        "languages",
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

    /// Returns the size as `64x1024`.
    private static func pair(_ text: Substring, in range: ClosedRange<Int>) -> (Int, Int)? {
        let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int(plain: $0, in: range) }
        guard numbers.count == 2, let first = numbers[0], let second = numbers[1] else { return nil }
        return (first, second)
    }
}
