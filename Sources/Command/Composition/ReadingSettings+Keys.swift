internal import Harness
import OpenVINOEngine
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
        .choice("engine", \.engine, "Engine that detects and reads the text."),
        .choice("models", \.models, "Networks for text detection and recognition."),
        looks,
        .choice("further-looks", \.reader.furtherLooksWhen, "Spines on which the additional passes run."),
        canvasesKey,
        .choice(
            "orientation",
            \.reader.orientation,
            "How text direction is determined: not at all, by reading the longest line both ways up in doubt or "
                + "always, or by a classifier."
        ),
        .share("sure-confidence", \.reader.sureConfidence, "Confidence from which a line is certain."),
        .share("minimum-confidence", \.reader.minimumConfidence, "Minimum confidence of a reported line."),
        .choice(
            "precision",
            \.precision,
            "Precision of the networks: auto lets OpenVINO choose, measured uses the faster of f32 and bf16."
        ),
        .integer("threads", \.threads, 1...256, "CPU threads for the networks."),
        lineWidths,
        .choice("alphabet", \.alphabet, "Characters that may be recognised."),
        .toggle(
            "correction",
            \.correction,
            "Correction of doubtful words: by word lists, or by Vision."
        ),
        .file(
            "word-list",
            \.wordList,
            without: noWordList,
            unset: noWordList,
            "File of additional valid words, such as author names, one per line; used for correction."
        ),
        languages,
        .choice(
            "preprocessing",
            \.preprocessing,
            "Preprocessing of the picture; autocontrast stretches it from black to white."
        ),
        .integer(
            "decode-short-side",
            \.decodeShortSide,
            32...65_535,
            "JPEGs are decoded at the smallest scale at which the short side has this many pixels."
        ),
        .toggle(
            "prewarm",
            \.prewarm,
            "Whether all networks are loaded at start rather than on first use."
        ),
    ]

    private static let looks = SettingKey<ReadingSettings>.list(
        "looks",
        allowed: "1 to 8 of turned:<short>x<long> and across:<short>x<long> with + between, sides of 16 to 4096 pixels",
        "Detection passes over a spine: which side is horizontal, and the size it is scaled to.",
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
        "Input sizes of the detector; a pass that fits none of them is split into tiles.",
        get: \.resolvedCanvases,
        set: { $0.canvases = $1 },
        text: { "\($0.width)x\($0.height)" },
        value: { text in
            guard let (width, height) = pair(text, in: 32...4096), width % 32 == 0, height % 32 == 0 else { return nil }
            return NetworkShape(width: width, height: height)
        }
    )

    private static let lineWidths = SettingKey<ReadingSettings>.list(
        "line-widths",
        allowed: "1 to 16 multiples of 8 from 64 to 4096 with + between",
        "Widths of the sheets on which lines are packed, for a network of variable width; a line longer than the "
            + "widest is read in windows.",
        get: \.lineWidths,
        set: { $0.lineWidths = $1 },
        text: { "\($0)" },
        value: { text in Int(plain: text, in: 64...4096).flatMap { $0 % 8 == 0 ? $0 : nil } }
    )

    private static let languages = SettingKey<ReadingSettings>.list(
        "languages",
        allowed: "names of Tesseract's language data with + between, such as eng+fra",
        "Languages of Tesseract.",
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
