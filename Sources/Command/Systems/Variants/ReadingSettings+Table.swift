import Basics
import OpenVINOEngine
package import SpineReaders
import TextRecognition

extension ReadingSettings: Settings {
    package static let kindName = "engine"
    package static let standard = fast
    package var kind: Engine { engine }

    /// Engines whose lines a network finds, and the one whose lines a network reads, too.
    private static let networks: [Engine] = [.openVINO, .tesseractLines]
    private static let recognizer: [Engine] = [.openVINO]

    private static let sets =
        OpenVINOModelSet.fetched.map(\.rawValue).joined(separator: ", ") + ", or the path of a folder"

    package static let table: [Setting<ReadingSettings>] = [
        .init("engine", \.engine, .choice, "Engine that detects and reads the text."),
        .init(
            "models",
            \.models,
            SettingValues(
                allowed: sets,
                text: \.rawValue,
                value: { OpenVINOModelSet(rawValue: $0.withHomeFolder) }
            ),
            of: networks,
            "Networks for text detection and recognition, or the folder of your own."
        ),
        .init(
            "first-stage",
            \.firstStage,
            SettingValues(
                allowed: "none, \(sets)",
                text: { $0?.rawValue ?? noWordList },
                value: {
                    $0 == noWordList ? .some(nil) : OpenVINOModelSet(rawValue: $0.withHomeFolder).map(Optional.some)
                }
            ),
            of: recognizer,
            isOptional: true,
            "Quicker networks that find and read all lines first, so that models reads only what gate asks for."
        ),
        .init(
            "gate",
            \.gate,
            .choice,
            of: recognizer,
            isOptional: true,
            "With first-stage, what models reads: doubtful lines, or also spines that seem to lack lines or a sure title."
        ),
        .init(
            "looks",
            \.looks,
            .list(
                "1 to 8 of turned:<short>x<long> and across:<short>x<long> with + between, sides of 16 to 4096 pixels",
                most: 8,
                text: { "\($0.frame.rawValue):\($0.shortSide)x\($0.longSide)" },
                element: look
            ),
            of: networks,
            "Detection passes over a spine: which side is horizontal, and the size it is scaled to."
        ),
        .init(
            "further-looks",
            \.reader.furtherLooksWhen,
            .choice,
            of: networks,
            "Spines on which the additional passes run."
        ),
        .init(
            "canvases",
            \.writtenCanvases,
            .list(
                "1 to 16 of <width>x<height> with + between, multiples of 32 up to 4096",
                text: { "\($0.width)x\($0.height)" },
                element: canvas
            ),
            of: networks,
            "Input sizes of the detector; a pass that fits none of them is split into tiles."
        ),
        .init(
            "orientation",
            \.reader.orientation,
            .choice,
            of: networks,
            "How text direction is determined: not at all, by reading the longest line both ways up in doubt or "
                + "always, or by a classifier."
        ),
        .init(
            "sure-confidence",
            \.reader.sureConfidence,
            .share,
            of: networks,
            "Confidence from which a line is certain."
        ),
        .init(
            "minimum-confidence",
            \.reader.minimumConfidence,
            .share,
            of: networks,
            "Minimum confidence of a reported line."
        ),
        .init(
            "precision",
            \.precision,
            .choice,
            of: networks,
            "Precision of the networks: auto lets OpenVINO choose, measured is bf16 on processors with bf16 instructions, else f32."
        ),
        .init("threads", \.threads, .integer(1...256), of: networks, "CPU threads for the networks."),
        .init(
            "line-widths",
            \.lineWidths,
            .list("1 to 16 multiples of 8 from 64 to 4096 with + between", text: \.description) { text in
                Int(plain: text, in: 64...4096).flatMap { $0 % 8 == 0 ? $0 : nil }
            },
            of: recognizer,
            "Widths of the sheets on which lines are packed, for a network of variable width; a line longer than the "
                + "widest is read in windows."
        ),
        .init("alphabet", \.alphabet, .choice, of: recognizer, "Characters that may be recognised."),
        .init(
            "correction",
            \.correction,
            .toggle,
            of: [.openVINO, .vision],
            "Correction of doubtful words: by word lists, or by Vision."
        ),
        .init(
            "word-list",
            \.wordList,
            .file(without: noWordList),
            of: recognizer,
            isOptional: true,
            "File of additional valid words, such as author names, one per line; used for correction."
        ),
        .init(
            "languages",
            \.languages,
            .text("names of Tesseract's language data with + between, such as eng+fra") { text in
                text.wholeMatch(of: /[A-Za-z0-9_]+(\+[A-Za-z0-9_]+){0,15}/).map { _ in text }
            },
            of: [.tesseract, .tesseractLines],
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
        .init(
            "prewarm",
            \.prewarm,
            .toggle,
            of: networks,
            "Whether all networks are loaded at start rather than on first use."
        ),
    ]

    private var looks: [Look] {
        get { [reader.firstLook] + reader.furtherLooks }
        set { (reader.firstLook, reader.furtherLooks) = (newValue[0], Array(newValue.dropFirst())) }
    }

    private var writtenCanvases: [NetworkShape] {
        get { resolvedCanvases }
        set { canvases = newValue }
    }

    @Sendable private static func look(_ text: Substring) -> Look? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let frame = Look.Frame(rawValue: String(parts[0])),
            let (short, long) = pair(parts[1], in: 16...4096), short <= long
        else { return nil }
        return Look(frame: frame, shortSide: short, longSide: long)
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
