import Basics
internal import Harness
import OpenVINOEngine
package import SpineReaders
import TextRecognition

extension ReadingSettings: KeyedSettings {
    package static let scopeName = "engine"
    package static let unset = fast
    package var scope: Engine { engine }

    /// Returns the engines that name the setting as theirs.
    package static func scopes(of key: String) -> [Engine] {
        Engine.allCases.filter { $0.settings.contains(key) || Engine.commonSettings.contains(key) }
    }

    /// Every setting, in the order of display; the engine first, because it decides on the others.
    package static let keys: [SettingKey<ReadingSettings>] = [
        .init("engine", \.engine, .choice, "Engine that detects and reads the text."),
        .init("models", \.models, networks, "Networks for text detection and recognition, or the folder of your own."),
        .init(
            "first-models",
            \.firstModels,
            SettingForm(
                allowed: "none, or the path of a folder",
                choices: [noWordList],
                text: { $0?.rawValue ?? noWordList },
                value: {
                    $0 == noWordList ? .some(nil) : OpenVINOModelSet(rawValue: $0.withHomeFolder).map(Optional.some)
                }
            ),
            unset: .some(nil),
            "Folder of a quicker recogniser (PP-OCRv6 tiny) that reads every line first; lines that it may have misread "
                + "are read by that of models. Needs correction."
        ),
        .init(
            "looks",
            \.looks,
            .list(
                "1 to 8 of turned:<short>x<long> and across:<short>x<long> with + between, sides of 16 to 4096 pixels",
                counts: 1...8,
                text: { "\($0.frame.rawValue):\($0.shortSide)x\($0.longSide)" },
                element: look
            ),
            "Detection passes over a spine: which side is horizontal, and the size it is scaled to."
        ),
        .init("further-looks", \.reader.furtherLooksWhen, .choice, "Spines on which the additional passes run."),
        .init(
            "canvases",
            \.writtenCanvases,
            .list(
                "1 to 16 of <width>x<height> with + between, multiples of 32 up to 4096",
                text: { "\($0.width)x\($0.height)" },
                element: canvas
            ),
            "Input sizes of the detector; a pass that fits none of them is split into tiles."
        ),
        .init(
            "orientation",
            \.reader.orientation,
            .choice,
            "How text direction is determined: not at all, by reading the longest line both ways up in doubt or "
                + "always, or by a classifier."
        ),
        .init("sure-confidence", \.reader.sureConfidence, .share, "Confidence from which a line is certain."),
        .init("minimum-confidence", \.reader.minimumConfidence, .share, "Minimum confidence of a reported line."),
        .init(
            "precision",
            \.precision,
            .choice,
            "Precision of the networks: auto lets OpenVINO choose, measured is bf16 on processors with bf16 instructions, else f32."
        ),
        .init("threads", \.threads, .integer(1...256), "CPU threads for the networks."),
        .init(
            "line-widths",
            \.lineWidths,
            .list("1 to 16 multiples of 8 from 64 to 4096 with + between", text: \.description) { text in
                Int(plain: text, in: 64...4096).flatMap { $0 % 8 == 0 ? $0 : nil }
            },
            "Widths of the sheets on which lines are packed, for a network of variable width; a line longer than the "
                + "widest is read in windows."
        ),
        .init("alphabet", \.alphabet, .choice, "Characters that may be recognised."),
        .init("correction", \.correction, .toggle, "Correction of doubtful words: by word lists, or by Vision."),
        .init(
            "word-list",
            \.wordList,
            .file(without: noWordList),
            unset: noWordList,
            "File of additional valid words, such as author names, one per line; used for correction."
        ),
        .init(
            "languages",
            \.languageNames,
            .list("names of Tesseract's language data with + between, such as eng+fra", text: \.self) { text in
                let isName = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
                return isName && !text.isEmpty ? String(text) : nil
            },
            "Languages of Tesseract."
        ),
        .init(
            "preprocessing",
            \.preprocessing,
            .choice,
            "Preprocessing of the picture; autocontrast stretches it from black to white."
        ),
        .init(
            "decode-short-side",
            \.decodeShortSide,
            .integer(32...65_535),
            "JPEGs are decoded at the smallest scale at which the short side has this many pixels."
        ),
        .init("prewarm", \.prewarm, .toggle, "Whether all networks are loaded at start rather than on first use."),
    ]

    private static let networks = SettingForm<OpenVINOModelSet>(
        allowed: OpenVINOModelSet.fetched.map(\.rawValue).joined(separator: ", ") + ", or the path of a folder",
        choices: OpenVINOModelSet.fetched.map(\.rawValue),
        text: \.rawValue
    ) { OpenVINOModelSet(rawValue: $0.withHomeFolder) }

    private var looks: [Look] {
        get { [reader.firstLook] + reader.furtherLooks }
        set { (reader.firstLook, reader.furtherLooks) = (newValue[0], Array(newValue.dropFirst())) }
    }

    private var writtenCanvases: [NetworkShape] {
        get { resolvedCanvases }
        set { canvases = newValue }
    }

    private var languageNames: [String] {
        get { languages.split(separator: "+").map(String.init) }
        set { languages = newValue.joined(separator: "+") }
    }

    @Sendable private static func look(_ text: Substring) -> Look? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let frame = Look.Frame(rawValue: String(parts[0])),
            let sides = pair(parts[1], in: 16...4096), sides.0 <= sides.1
        else { return nil }
        return Look(frame: frame, shortSide: sides.0, longSide: sides.1)
    }

    @Sendable private static func canvas(_ text: Substring) -> NetworkShape? {
        guard let (width, height) = pair(text, in: 32...4096), width % 32 == 0, height % 32 == 0 else { return nil }
        return NetworkShape(width: width, height: height)
    }

    /// Returns the numbers of `64x1024`.
    private static func pair(_ text: Substring, in range: ClosedRange<Int>) -> (Int, Int)? {
        let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int(plain: $0, in: range) }
        guard numbers.count == 2, let first = numbers[0], let second = numbers[1] else { return nil }
        return (first, second)
    }
}
