import Foundation
import Imaging
import TestSupport
import Testing
import TextRecognition

@testable import OpenVINOEngine

/// The real networks keep the contracts of every engine.
@Suite(.enabled(if: RealNetworks.areThere, RealNetworks.reason))
struct OpenVINOContractTests {
    @Test(arguments: TextDetectorContract.allCases)
    func detectorKeeps(_ contract: TextDetectorContract) throws {
        try contract.check(RealNetworks.engine.get().detector)
    }

    @Test(arguments: LineRecognizerContract.allCases)
    func recognizerKeeps(_ contract: LineRecognizerContract) throws {
        try contract.check(RealNetworks.engine.get().recognizer)
    }

    @Test(arguments: SpineReaderContract.allCases)
    func readerKeeps(_ contract: SpineReaderContract) throws {
        let engine = try RealNetworks.engine.get()
        try contract.check(
            SpineReader(
                detector: engine.detector,
                recognizer: engine.recognizer,
                configuration: SpineReaderConfiguration(
                    firstLook: Look(frame: .turned, shortSide: 64, longSide: 640),
                    furtherLooks: [Look(frame: .across, shortSide: 128, longSide: 640)]
                )
            )
        )
    }
}

@Suite(.enabled(if: RealNetworks.areThere, RealNetworks.reason))
struct OpenVINOLineRecognizerTests {
    @Test func lineWiderThanTheWidestNetworkIsReadInWindows() throws {
        // The fixture three times over, 1,071 pixels wide at a height of 48: two windows of 640 at most.
        let line = TextFixture.line.resized(width: 357, height: 48)
        var long = RasterImage(width: 3 * 357, height: 48, channels: 1, filledWith: 255)
        for row in 0..<48 {
            let pixels = line.pixels[row * 357..<(row + 1) * 357]
            for copy in 0..<3 {
                let start = row * long.width + copy * 357
                long.pixels.replaceSubrange(start..<start + 357, with: pixels)
            }
        }
        let recognitions = try RealNetworks.engine.get().recognizer.recognize([long, line]).lines
        #expect(recognitions.map(\.text) == ["WINTER HARBOUR WINTER HARBOUR WINTER HARBOUR", TextFixture.text])
        let positions = try #require(recognitions.first).characters.map(\.position)
        #expect(positions == positions.sorted())
        // The letters of the last copy are in the last third.
        #expect(positions.suffix(13).allSatisfy { (714...1071).contains($0) })
    }

    @Test func emissionsAreProbabilitiesOfTheLatinClasses() throws {
        let line = TextFixture.line.resized(width: 357, height: 48)
        let read = try RealNetworks.engine.get().recognizer.recognize([line])
        let emissions = try #require(read.lines.first?.emissions)
        #expect(emissions.classes == 563)
        for row in stride(from: 0, to: emissions.probabilities.count, by: emissions.classes) {
            // Softmax over the classes that were kept.
            #expect(abs(emissions.probabilities[row..<row + emissions.classes].reduce(0, +) - 1) < 1e-3)
        }
        #expect(read.inferenceTime > .zero)
    }
}

/// PP-OCRv4 mobile reads first, PP-OCRv6 small what is in doubt.
@Suite(.enabled(if: RealNetworks.areThere, RealNetworks.reason))
struct CascadedLineRecognizerTests {
    private func first(_ lexicon: Lexicon?) throws -> OpenVINOLineRecognizer {
        try OpenVINOEngine(
            models: .ppOCRv4Mobile,
            options: RealNetworks.options,
            lexicon: lexicon,
            modelDirectory: RealNetworks.directory ?? "",
            cacheDirectory: nil
        ).recognizer
    }

    @Test(arguments: LineRecognizerContract.allCases)
    func keeps(_ contract: LineRecognizerContract) throws {
        let second = try RealNetworks.engine.get().recognizer
        try contract.check(CascadedLineRecognizer(first: first(Lexicon(text: "winter\nharbour".utf8)), second: second))
    }

    /// Without word lists no line has a probability: all are in doubt.
    @Test(arguments: [Lexicon(text: "winter\nharbour".utf8), nil])
    func onlyASureLineIsReadOnce(lexicon: Lexicon?) throws {
        let second = try RealNetworks.engine.get().recognizer
        let cascade = try CascadedLineRecognizer(first: first(lexicon), second: second)
        let blank = RasterImage(width: 357, height: 48, channels: 1, filledWith: 255)
        let read = try cascade.recognize([blank, TextFixture.line.resized(width: 357, height: 48), blank]).lines
        #expect(read.map(\.text) == ["", TextFixture.text, ""])
        // Their alphabets differ in size.
        let isSecond = read.map { $0.emissions?.classes == second.classes }
        #expect(isSecond == [true, lexicon == nil, true])
        let quad = Quad(left: 0, top: 0, right: 357, bottom: 48)
        #expect(cascade.line(of: read[1], at: quad).text == TextFixture.text)
    }
}

@Suite struct OpenVINOEngineTests {
    @Test func missingModelIsNamedInTheError() throws {
        try withTemporaryFolder { folder in
            let error = #expect(throws: OpenVINOError.self) { try engine(in: folder) }
            #expect(error.map { "\($0)".contains("\(folder)/ppocrv6-small-det.onnx") } == true)
        }
    }

    @Test(arguments: [
        Array("<html>not found</html>".utf8), SmallModel.bytes, Array(SmallModel.bytes.dropLast(100)), [],
    ])
    func fileThatIsNoDetectorIsUnsuitable(bytes: [UInt8]) throws {
        try withTemporaryFolder { folder in
            let path = "\(folder)/ppocrv6-small-det.onnx"
            for file in ["det", "rec"] { try write(bytes, to: "\(folder)/ppocrv6-small-\(file).onnx") }
            let error = #expect(throws: OpenVINOError.self) { try engine(in: folder) }
            guard case .modelUnsuitable(path, _, _) = error else {
                Issue.record("not an unsuitable model: \(String(describing: error))")
                return
            }
        }
    }

    @Test func versionIsThatOfTheLibrary() {
        #expect(OpenVINOEngine.version.first?.isNumber == true)
    }

    @Test(.enabled(if: RealNetworks.areThere, RealNetworks.reason))
    func compiledNetworksAreKeptAndADamagedOneIsMadeAnew() throws {
        try withTemporaryFolder { folder in
            let models = try #require(RealNetworks.directory)
            let cache = "\(folder)/cache"
            let line = TextFixture.line.resized(width: 357, height: 48)
            func read() throws -> [LineRecognition] {
                try engine(in: models, cacheDirectory: cache).recognizer.recognize([line]).lines
            }
            func blob() throws -> (path: String, size: Int, changed: Date) {
                let files = try FileManager.default.contentsOfDirectory(atPath: cache)
                let path = "\(cache)/\(try #require(files.first))"
                #expect(files.count == 1 && path.hasSuffix(".blob"))
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                return (
                    path, try #require(attributes[.size] as? Int), try #require(attributes[.modificationDate] as? Date)
                )
            }

            let compiled = try read()
            #expect(compiled.map(\.text) == [TextFixture.text])
            let written = try blob()
            let imported = try read()
            #expect(imported.map(\.text) == compiled.map(\.text))
            #expect(try blob().changed == written.changed)

            try write([UInt8](repeating: 0x5A, count: 4096), to: written.path)
            #expect(try read().map(\.text) == [TextFixture.text])
            // Not to the byte: one compilation's blob differs from the next by a few hundred.
            #expect(try blob().size > written.size / 2)
        }
    }

    @Test(.enabled(if: RealNetworks.areThere, RealNetworks.reason))
    func firstNetworksAreThoseOfTheFirstCanvasAndOfLines() throws {
        try withTemporaryFolder { folder in
            let engine = try engine(in: try #require(RealNetworks.directory), cacheDirectory: folder)
            try engine.prepareFirst()
            func blobs() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".blob") }.sorted()
            }
            let first = try blobs()
            #expect(first.count == 2)
            #expect(
                first.contains { $0.contains("-det-") }
                    && first.contains { $0.contains("-rec-") && $0.contains("-any-") }
            )
            try engine.prepare()
            let all = try blobs()
            #expect(Set(all).isSuperset(of: first) && all.count == RealNetworks.options.detectorCanvases.count + 1)
        }
    }

    @Test(.enabled(if: RealNetworks.areThere, RealNetworks.reason), arguments: OpenVINOModelSet.fetched)
    func everyModelReadsTheLine(models: OpenVINOModelSet) throws {
        var options = RealNetworks.options
        options.detectorCanvases = [NetworkShape(width: 640, height: 96)]
        let engine = try OpenVINOEngine(
            models: models,
            options: options,
            modelDirectory: try #require(RealNetworks.directory),
            cacheDirectory: nil
        )
        #expect(engine.precision == .f32)
        let line = TextFixture.line.resized(width: 357, height: 48)
        #expect(try engine.recognizer.recognize([line]).lines.map(\.text) == [TextFixture.text])
        #expect(try engine.detector.detect(in: TextFixture.line(onWidth: 640, height: 96)).lines.isEmpty == false)
    }

    /// PP-OCRv4 mobile as a user's folder; what is wrong with it, and a part of the error.
    @Test(
        .enabled(if: RealNetworks.areThere, RealNetworks.reason),
        arguments: [
            ("nothing", ""), ("metadata", ""), ("windows", ""),
            // Counted with Python's `onnx`: 6623 characters, 6625 classes.
            ("short", "dict.txt: expected 6623 characters, as"), ("long", "with blank and space, found 6624"),
            ("swapped", "det.onnx: expected a detector with an input of ?×3×?×?"),
            ("truncated", "rec.onnx: expected a recogniser with an input of ?×3×48×?"),
            ("empty", "has no detector: expected a file such as det.onnx, found nothing"),
            ("missing", "cannot be read as a folder of networks"),
            ("two", "has det.onnx and my_det.onnx; expected one"),
            ("undecodable", "dict.txt is not UTF-8"),
        ]
    )
    func ownNetworksReadOrSayWhatIsWrong(change: String, problem: String) throws {
        let fetched = try OpenVINOModelSet.ppOCRv4Mobile.files(in: try #require(RealNetworks.directory))
        try withTemporaryFolder { folder in
            let (det, rec, dictionary) = ("\(folder)/det.onnx", "\(folder)/rec.onnx", "\(folder)/dict.txt")
            var own = folder
            let recogniser = [UInt8](try Data(contentsOf: URL(filePath: fetched.recognition)))
            let characters = try #require(ONNXModel(bytes: recogniser).metadata("character"))
            var lines = characters.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            if change != "empty" {
                try FileManager.default.copyItem(atPath: fetched.detection, toPath: det)
                try write(change == "truncated" ? Array(recogniser.prefix(1 << 20)) : recogniser, to: rec)
            }
            switch change {
            case "short": lines.removeLast()
            case "long": lines.append("")
            case "swapped":
                try FileManager.default.moveItem(atPath: det, toPath: "\(folder)/x")
                try FileManager.default.moveItem(atPath: rec, toPath: det)
                try FileManager.default.moveItem(atPath: "\(folder)/x", toPath: rec)
            case "two": try FileManager.default.copyItem(atPath: det, toPath: "\(folder)/my_det.onnx")
            case "missing": own += "/nowhere"
            default: break
            }
            let end = change == "windows" ? "\r\n" : "\n"
            if change == "undecodable" {
                try write([0xFF, 0x0A], to: dictionary)
            } else if change != "metadata", change != "empty" {
                try write(Array((lines.joined(separator: end) + end).utf8), to: dictionary)
            }
            func read() throws -> [String] {
                let models = try #require(OpenVINOModelSet(rawValue: own))
                let line = TextFixture.line.resized(width: 357, height: 48)
                return try OpenVINOEngine(
                    models: models,
                    options: RealNetworks.options,
                    modelDirectory: "",
                    cacheDirectory: nil
                ).recognizer.recognize([line]).lines.map(\.text)
            }
            guard !problem.isEmpty else { return #expect(try read() == [TextFixture.text]) }
            let error = #expect(throws: OpenVINOError.self) { try read() }
            #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
            #expect(error?.description.contains("make setup") == false)
        }
    }

    @Test(.enabled(if: RealNetworks.areThere, RealNetworks.reason))
    func cacheThatCannotBeWrittenIsDoneWithout() throws {
        try withTemporaryFolder { folder in
            try write([0], to: "\(folder)/file")
            let models = try #require(RealNetworks.directory)
            let line = TextFixture.line.resized(width: 357, height: 48)
            let engine = try engine(in: models, cacheDirectory: "\(folder)/file/cache")
            #expect(try engine.recognizer.recognize([line]).lines.map(\.text) == [TextFixture.text])
        }
    }

    private func engine(in folder: String, cacheDirectory: String? = nil) throws -> OpenVINOEngine {
        try OpenVINOEngine(
            models: .ppOCRv6Small,
            options: RealNetworks.options,
            modelDirectory: folder,
            cacheDirectory: cacheDirectory
        )
    }
}

@Suite struct RecognitionAlphabetTests {
    @Test(arguments: ["A", "ß", "ž", "Ậ", " ", "&", "…", "’", "€", "№", "™"])
    func latinSignsAreAdmitted(text: String) {
        #expect(RecognitionAlphabet.latin.admits(text))
        #expect(RecognitionAlphabet.all.admits(text))
    }

    @Test(arguments: ["書", "Ж", "α", "\u{3000}", "A書", "\t"])
    func otherSignsAreAdmittedOnlyByTheWholeAlphabet(text: String) {
        #expect(!RecognitionAlphabet.latin.admits(text))
        #expect(RecognitionAlphabet.all.admits(text))
    }
}
