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
        let line = RealNetworks.line
        let pixels = (0..<48).flatMap { row in (0..<3).flatMap { _ in line.pixels[row * 357..<(row + 1) * 357] } }
        let long = RasterImage(width: 3 * 357, height: 48, channels: 1, pixels: pixels)
        let recognitions = try RealNetworks.engine.get().recognizer.recognize([long, line]).lines
        #expect(recognitions.map(\.text) == ["WINTER HARBOUR WINTER HARBOUR WINTER HARBOUR", TextFixture.text])
        let positions = try #require(recognitions.first).characters.map(\.position)
        #expect(positions == positions.sorted())
        // The letters of the last copy are in the last third.
        #expect(positions.suffix(13).allSatisfy { (714...1071).contains($0) })
    }

    @Test func emissionsAreProbabilitiesOfTheLatinClasses() throws {
        let read = try RealNetworks.engine.get().recognizer.recognize([RealNetworks.line])
        let emissions = try #require(read.lines.first?.emissions)
        #expect(emissions.classes == 563)
        for row in stride(from: 0, to: emissions.probabilities.count, by: emissions.classes) {
            // Softmax over the classes that were kept.
            #expect(abs(emissions.probabilities[row..<row + emissions.classes].reduce(0, +) - 1) < 1e-3)
        }
        #expect(read.inferenceTime > .zero)
    }
}

/// PP-OCRv6 tiny reads first, small what is in doubt.
@Suite(.enabled(if: RealNetworks.areThere, RealNetworks.reason))
struct StagedNetworksTests {
    private func reader(_ gate: SpineGate) throws -> StagedReader {
        let look = Look(frame: .turned, shortSide: 64, longSide: 640)
        func stage(_ engine: OpenVINOEngine) -> SpineReader {
            let configuration = SpineReaderConfiguration(firstLook: look)
            return SpineReader(
                detector: engine.detector,
                recognizer: engine.recognizer,
                configuration: configuration
            )
        }
        let tiny = try RealNetworks.engine(.ppOCRv6Tiny, lexicon: Lexicon(text: "winter\nharbour"))
        return StagedReader(first: stage(tiny), then: stage(try RealNetworks.engine.get()), gate: gate)
    }

    @Test(arguments: SpineReaderContract.allCases)
    func keeps(_ contract: SpineReaderContract) throws { try contract.check(reader(.spines)) }

    @Test func sureLineIsReadByTheFirstStage() throws {
        let lines = try reader(.lines).read(TextFixture.line).lines
        #expect(lines.map(\.text) == [TextFixture.text])
        #expect(lines.map(\.network) == ["ppocrv6-tiny"])
    }
}

@Suite(.enabled(if: RealNetworks.areThere, RealNetworks.reason))
struct OpenVINODirectionClassifierTests {
    private func classifier(in folder: String?) throws -> OpenVINODirectionClassifier {
        try OpenVINODirectionClassifier(
            threads: 2,
            precision: .f32,
            modelDirectory: try #require(folder),
            cacheDirectory: nil
        )
    }

    @Test func lineIsToldFromItsReverse() throws {
        let classifier = try classifier(in: RealNetworks.directory)
        // Squeezed from 357 pixels to 192; a short line is padded instead.
        let word = try #require(RealNetworks.line.cropped(x: 0, y: 0, width: 160, height: 48))
        for picture in [RealNetworks.line, word] {
            #expect(try !classifier.isUpsideDown(picture).answer)
            #expect(try classifier.isUpsideDown(picture.rotated(.half)).answer)
        }
    }

    @Test func missingModelSaysHowToGetIt() throws {
        let error = #expect(throws: OpenVINOError.self) { try classifier(in: TemporaryFolder().path) }
        #expect(error?.description.contains("ppocr-mobile-cls.onnx") == true)
        #expect(error?.description.contains("make setup") == true)
    }
}

@Suite struct OpenVINOEngineTests {
    @Test func missingModelIsNamedInTheError() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: OpenVINOError.self) { try RealNetworks.engine(in: folder.path) }
        #expect(error?.description.contains(folder("ppocrv6-small-det.onnx")) == true)
    }

    @Test(arguments: [
        Array("<html>not found</html>".utf8), SmallModel.bytes, Array(SmallModel.bytes.dropLast(100)), [],
    ])
    func fileThatIsNoDetectorIsUnsuitable(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        for file in ["det", "rec"] { try folder.write(bytes, "ppocrv6-small-\(file).onnx") }
        let error = #expect(throws: OpenVINOError.self) { try RealNetworks.engine(in: folder.path) }
        guard case .modelUnsuitable(folder("ppocrv6-small-det.onnx"), _, _) = error else {
            Issue.record("not an unsuitable model: \(String(describing: error))")
            return
        }
    }

    @Test func versionIsThatOfTheLibrary() {
        #expect(OpenVINOEngine.version.first?.isNumber == true)
    }

    @Test func precisionIsTheProcessors() throws {
        let known = try Processor.current.get().precisions
        #expect(known.contains(.f32))
        // A rule of the processor's instructions, which `auto` does not follow.
        let flags = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let isQuick = known.contains(.bf16) && (flags.contains("avx512_bf16") || flags.contains("amx_bf16"))
        #expect(try OpenVINOEngine.resolved(.measured) == (isQuick ? .bf16 : .f32))
        #expect(try OpenVINOEngine.resolved(.auto) == (known.contains(.bf16) ? .bf16 : .f32))
        for precision in [InferencePrecision.f32, .bf16, .f16] {
            if known.contains(precision) {
                #expect(try NetworkLoader(threads: 1, precision: precision).precision == precision)
            } else {
                let error = OpenVINOError.precisionUnknown(precision, known: known)
                #expect(throws: error) { try NetworkLoader(threads: 1, precision: precision) }
            }
        }
    }

    @Test(.enabled(if: RealNetworks.areThere, RealNetworks.reason), arguments: OpenVINOModelSet.fetched)
    func everyModelReadsTheLine(models: OpenVINOModelSet) throws {
        let engine = try RealNetworks.engine(models, canvases: [NetworkShape(width: 640, height: 96)])
        #expect(engine.precision == .f32)
        #expect(try engine.recognizer.fixtureTexts() == [TextFixture.text])
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
        let fetched = try OpenVINOModelSet.ppOCRv4Mobile.files(in: #require(RealNetworks.directory))
        let folder = try TemporaryFolder()
        let own = change == "missing" ? folder("nowhere") : folder.path
        let detector = [UInt8](try Data(contentsOf: URL(filePath: fetched.detection)))
        let recogniser = [UInt8](try Data(contentsOf: URL(filePath: fetched.recognition)))
        let characters = try #require(model(recogniser) { $0.metadata("character") })
        var lines = characters.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if change != "empty" {
            try folder.write(change == "swapped" ? recogniser : detector, "det.onnx")
            let bytes = change == "truncated" ? Array(recogniser.prefix(1 << 20)) : recogniser
            try folder.write(change == "swapped" ? detector : bytes, "rec.onnx")
        }
        switch change {
        case "short": lines.removeLast()
        case "long": lines.append("")
        case "two": try folder.write(detector, "my_det.onnx")
        default: break
        }
        let end = change == "windows" ? "\r\n" : "\n"
        if change == "undecodable" {
            try folder.write([0xFF, 0x0A], "dict.txt")
        } else if change != "metadata", change != "empty" {
            try folder.write(lines.joined(separator: end) + end, "dict.txt")
        }
        func read() throws -> [String] {
            try RealNetworks.engine(#require(OpenVINOModelSet(rawValue: own)), in: "").recognizer.fixtureTexts()
        }
        guard !problem.isEmpty else { return #expect(try read() == [TextFixture.text]) }
        let error = #expect(throws: OpenVINOError.self) { try read() }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("make setup") == false)
    }
}

/// Compiled networks that are kept between processes.
@Suite(.enabled(if: RealNetworks.areThere, RealNetworks.reason))
struct NetworkCacheTests {
    private func blobs(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".blob") }.sorted()
    }

    @Test func compiledNetworksAreKeptAndADamagedOneIsMadeAnew() throws {
        let folder = try TemporaryFolder()
        func read() throws -> [String] { try RealNetworks.engine(cache: folder.path).recognizer.fixtureTexts() }
        func blob() throws -> (name: String, size: Int, changed: Date) {
            let names = try blobs(folder.path)
            let name = try #require(names.count == 1 ? names.first : nil)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder(name))
            return (
                name, try #require(attributes[.size] as? Int), try #require(attributes[.modificationDate] as? Date)
            )
        }
        #expect(try read() == [TextFixture.text])
        let written = try blob()
        #expect(try read() == [TextFixture.text])
        #expect(try blob().changed == written.changed)
        try folder.write([UInt8](repeating: 0x5A, count: 4096), written.name)
        #expect(try read() == [TextFixture.text])
        // Not to the byte: one compilation's blob differs from the next by a few hundred.
        #expect(try blob().size > written.size / 2)
    }

    @Test func firstNetworksAreThoseOfTheFirstCanvasAndOfLines() throws {
        let folder = try TemporaryFolder()
        let engine = try RealNetworks.engine(cache: folder.path)
        try engine.prepareFirst()
        let first = try blobs(folder.path)
        #expect(first.map { $0.contains("-det-") } == [true, false])
        #expect(first.map { $0.contains("-rec-") && $0.contains("-any-") } == [false, true])
        try engine.prepare()
        let all = try blobs(folder.path)
        #expect(Set(all).isSuperset(of: first) && all.count == 3)
    }

    @Test func blobsOfEachPrecisionAreKeptApart() throws {
        let folder = try TemporaryFolder()
        for precision in [InferencePrecision.f32, .auto] {
            let engine = try RealNetworks.engine(precision: precision, lineWidths: [384], cache: folder.path)
            #expect(try engine.recognizer.fixtureTexts() == [TextFixture.text])
        }
        #expect(try blobs(folder.path).map { $0.contains("-f32-") } == [false, true])
    }

    @Test func cacheThatCannotBeWrittenIsDoneWithout() throws {
        let folder = try TemporaryFolder()
        try folder.write([0], "file")
        let engine = try RealNetworks.engine(cache: folder("file/cache"))
        #expect(try engine.recognizer.fixtureTexts() == [TextFixture.text])
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
