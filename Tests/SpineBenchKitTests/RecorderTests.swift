import Foundation
import Imaging
import SpineBenchKit
import TesseractEngine
import TestSupport
import Testing
import TextRecognition

@Suite struct RecorderTests {
    private let folder: TemporaryFolder
    private let file: URL
    private static let system = Recording.Header.Program(name: "app", version: "2.1")
    private static let phone = Recording.Header.Device(model: "iPhone17,1", os: "iOS 26.1")
    private static let answer = Recorder.Answer(lines: [.init("THE HOBBIT", confidence: 0.9)])

    init() throws {
        folder = try TemporaryFolder()
        file = URL(filePath: folder("readings.jsonl"))
    }

    private func recorder(_ system: Recording.Header.Program = system) throws -> Recorder {
        try Recorder(file: file, system: system, device: Self.phone)
    }

    private func recording() throws -> Recording { try Recording(try Data(contentsOf: file)) }

    @Test func aReadingIsInTheFileBeforeTheNext() async throws {
        let recorder = try recorder()
        try await recorder.measure("a") {
            try await Task.sleep(for: .milliseconds(20))
            return Recorder.Answer(
                lines: [.init("J.R.R. TOLKIEN", quad: [[0, 0], [9, 0], [9, 4], [0, 4]])],
                book: .init(title: "The Hobbit", isbn: "9780261103283"),
                stages: ["detect": 12.5]
            )
        }
        try await recorder.measure("b") {
            let earlier = try recording().readings
            #expect(earlier.map(\.sample) == ["a"])
            return Self.answer
        }
        let readings = try recording().readings
        #expect(readings.map(\.sample) == ["a", "b"])
        let first = try #require(readings.first)
        #expect(first.lines?.first?.quad == [[0, 0], [9, 0], [9, 4], [0, 4]])
        #expect(first.book?.isbn == "9780261103283" && first.stages == ["detect": 12.5])
        #expect(try #require(first.latency) >= 20)
        // The test and its process have memory that the system counts.
        let (memory, peak) = (try #require(first.memory), try #require(first.memoryPeak))
        #expect(peak >= memory)
        // No thermal state and no battery here.
        #if os(Linux)
        #expect(first.thermal == nil && first.battery == nil)
        #endif
        let header = try recording().header
        #expect(header.readings == 1 && header.system == Self.system && header.device == Self.phone)
        #expect(header.recorder == .init(name: "SpineBenchKit", version: "2"))
        #expect(try Date(header.started, strategy: .iso8601) <= Date())
        // The format as a reader of it finds it.
        #expect(try folder.lines(of: "readings.jsonl")[0].contains(#""device":{"model":"iPhone17,1","os":"iOS 26.1"}"#))
    }

    /// Digests by sha256sum; lengths around those at which a block is filled up.
    @Test(arguments: [
        (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (55, "463eb28e72f82e0a96c0a4cc53690c571281131f672aa229e0d45ae59b598b59"),
        (56, "da2ae4d6b36748f2a318f23e7ab1dfdf45acdc9d049bd80e59de82a60895f562"),
        (64, "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108"),
        (1000, "4e4c294b331f7a2099a379bec34b9f9fc03dc46ab465d998f4d683da53487e6d"),
    ])
    func thePicturesDigestIsRecorded(_ count: Int, _ digest: String) async throws {
        try folder.write((0..<count).map { UInt8($0 % 251) }, "a.png")
        let reading = try await recorder().measure("a", picture: URL(filePath: folder("a.png"))) { Self.answer }
        #expect(reading?.picture == digest)
    }

    @Test func timesGoForwardWithinASession() async throws {
        for (session, samples) in [["a", "b", "c"], ["d", "e"]].enumerated() {
            let recorder = try recorder()
            for sample in samples { try await recorder.measure(sample) { Self.answer } }
            let own = try recording().readings.filter { $0.session == session + 1 }
            #expect(own.map(\.sample) == samples)
            let times = try own.flatMap { [try #require($0.began), try #require($0.ended)] }
            #expect(times == times.sorted() && (times.first ?? -1) >= 0)
            for reading in own {
                let passed = Double(try #require(reading.ended) - #require(reading.began)) / 1e6
                #expect(abs(passed - (try #require(reading.latency))) <= 0.001)
            }
        }
    }

    @Test func aReadingAfterTheSignatureRemovesIt() async throws {
        let first = try recorder()
        try await first.measure("a") { Self.answer }
        let unsigned = try folder.text(of: "readings.jsonl")
        var message = Data()
        try first.sign(key: Data([1, 2])) {
            message = $0
            return Data([3])
        }
        #expect(message == Data(unsigned.utf8))
        #expect(try folder.text(of: "readings.jsonl") == unsigned + #"{"key":"AQI=","signature":"Aw=="}"# + "\n")
        let signed = try recording()
        #expect(signed.signature?.key == "AQI=" && signed.signature?.signature == "Aw==" && signed.readings.count == 1)
        // Signed again, it has one signature.
        try first.sign(key: Data([1, 2])) { $0 == message ? Data([4]) : Data() }
        #expect(try recording().signature?.signature == "BA==")
        try await first.measure("b") { Self.answer }
        #expect(try recording().signature == nil && recording().readings.count == 2)
        try first.sign(key: Data([1, 2])) { _ in Data([3]) }
        let second = try recorder()
        #expect(second.isRecorded("a") && second.isRecorded("b"))
        try await second.measure("c") { Self.answer }
        #expect(try recording().signature == nil && recording().readings.map(\.session) == [1, 1, 2])
    }

    @Test func aRecordingOfAnotherProgramIsNotContinued() async throws {
        func recorder(_ digest: String) throws -> Recorder {
            try Recorder(file: file, system: Self.system, device: Self.phone, app: .init(version: "2", digest: digest))
        }
        try await recorder("aa").measure("a") { Self.answer }
        let error = #expect(throws: RecorderError.self) { try recorder("bb") }
        #expect(
            "\(try #require(error))".contains(
                "(app 2, sha256:aa), not of app 2.1 on iPhone17,1, iOS 26.1 (app 2, sha256:bb)"
            )
        )
    }

    @Test func memoryIsAboveTheStart() async throws {
        let recorder = try recorder()
        let reading = try await recorder.measure("a") {
            // 64 MB, written to: they count.
            let bytes = [UInt8](repeating: 1, count: 64_000_000)
            try await Task.sleep(for: .milliseconds(30))
            return Recorder.Answer(lines: [.init("\(bytes.count)")])
        }
        #expect(try #require(reading?.memoryPeak) > 50)
    }

    private struct Blurred: Error {}

    private static func fail() async throws -> Recorder.Answer {
        await Task.yield()
        throw Blurred()
    }

    @Test func anErrorIsAReading() async throws {
        let recorder = try recorder()
        try await recorder.measure("a") { try await Self.fail() }
        let readings = try recording().readings
        #expect(readings.map(\.error) == ["Blurred()"])
        #expect(readings.allSatisfy { $0.lines == nil && $0.latency != nil })
        #expect(recorder.isRecorded("a"))
    }

    @Test func aCancelledReadingIsNotRecorded() async throws {
        let recorder = try recorder()
        await #expect(throws: CancellationError.self) {
            try await recorder.measure("a") { throw CancellationError() }
        }
        let readings = try recording().readings
        #expect(readings == [])
        #expect(!recorder.isRecorded("a"))
    }

    /// Returns the readings, each a sample with a repetition, that were not in the file.
    private func measure(_ readings: [String], by recorder: Recorder) async throws -> [String] {
        var read: [String] = []
        for reading in readings {
            let (sample, repetition) = (String(reading.prefix(1)), reading.last?.wholeNumberValue ?? 0)
            let recorded = try await recorder.measure(sample, repetition: repetition) { Self.answer }
            if recorded != nil { read.append(reading) }
        }
        return read
    }

    @Test func aRecordingContinues() async throws {
        let first = try recorder()
        #expect(try await measure(["a1", "b1", "a2"], by: first) == ["a1", "b1", "a2"])
        // A process that is killed has written half of the last line.
        let text = try folder.text(of: "readings.jsonl")
        try folder.write(String(text.dropLast(40)), "readings.jsonl")
        let cut = try recording().readings
        #expect(cut.map(\.sample) == ["a", "b"])

        let second = try recorder()
        #expect(second.header == first.header)
        let isRecorded = [("a", 1), ("b", 1), ("a", 2)].map { second.isRecorded($0, repetition: $1) }
        #expect(isRecorded == [true, true, false])
        #expect(try await measure(["a1", "b1", "a2", "b2"], by: second) == ["a2", "b2"])
        let readings = try recording().readings
        #expect(readings.map { "\($0.sample ?? "")\($0.repetition)" } == ["a1", "b1", "a2", "b2"])
    }

    /// A process that was killed in the header leaves a part of it.
    @Test func aHalfHeaderIsWrittenAgain() async throws {
        try folder.write(#"{"readings": 1, "sys"#, "readings.jsonl")
        try await recorder().measure("a") { Self.answer }
        let readings = try recording().readings
        #expect(readings.count == 1)
    }

    @Test func aRecordingOfAnotherSystemIsNotContinued() async throws {
        try await recorder().measure("a") { Self.answer }
        let error = #expect(throws: RecorderError.self) { try recorder(.init(name: "app", version: "2.2")) }
        #expect("\(try #require(error))".contains("of app 2.1 on iPhone17,1, iOS 26.1, not of app 2.2 on iPhone17,1"))
        try folder.write("a diary\n", "readings.jsonl")
        #expect(throws: RecordingError(line: 1, reason: "invalid JSON")) { try recorder() }
        #expect(try folder.text(of: "readings.jsonl") == "a diary\n")
    }

    private static let header = """
        {"readings": 1, "system": {"name": "app", "version": "1"}, "device": {"model": "m", "os": "o"}, \
        "recorder": {"name": "r", "version": "1"}, "started": "2026-11-26T10:00:00Z"}

        """

    @Test(arguments: [
        (#"{"repetition": 1, "lines": []}"#, #""sample" or "image" is missing"#),
        (#"{"sample": "a", "repetition": 0, "lines": []}"#, #""repetition" is 0; expected 1 or more"#),
        (#"{"sample": "a", "lines": []}"#, #""repetition" is missing"#),
        (#"{"sample": "a", "repetition": 1}"#, #""lines" or "error" is missing"#),
        (
            #"{"sample": "a", "repetition": 1, "lines": [{"text": "t", "confidence": 2}]}"#,
            "confidence 2.0; expected 0 to 1"
        ),
        (
            #"{"sample": "a", "repetition": 1, "lines": [{"text": "t", "quad": [[1, 2]]}]}"#,
            #""quad": expected four corners [x, y]"#
        ),
        (#"{"sample": "a", "repetition": 1, "lines": [], "latency": -1}"#, #""latency" is -1.0; expected 0 or more"#),
        (#"{"sample": "a", "repetition": 1, "lines": [], "battery": 85}"#, #""battery" is 85.0; expected 0 to 1"#),
        ("{", "invalid JSON"),
    ])
    func anInvalidLineIsNamed(_ line: String, _ reason: String) throws {
        #expect(throws: RecordingError(line: 2, reason: reason)) {
            try Recording(Data((Self.header + line + "\n").utf8))
        }
    }

    @Test func anotherVersionIsRejected() {
        let text = Self.header.replacing(#""readings": 1"#, with: #""readings": 2"#)
        #expect(throws: RecordingError(line: 1, reason: "\"readings\" is 2; expected 1")) {
            try Recording(Data(text.utf8))
        }
        #expect(throws: RecordingError(line: 1, reason: "the header is missing")) { try Recording(Data()) }
    }

    /// A reader of this machine over spines of the committed dataset, stopped and continued.
    @Test(.enabled(if: (try? TesseractInstallation.find()) != nil, "Tesseract's English model is missing"))
    func aReaderIsMeasured() async throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let dataset = try DatasetBundle(folder: root.appending(path: "Datasets/spines-1"))
        let samples = dataset.samples.prefix(4)
        let scanner = SpineScanner(reader: try TesseractSpineReader(languages: "eng"))
        for count in [2, 4] {
            let recorder = try Recorder(file: file, system: .init(name: "tesseract", version: "5"))
            for sample in samples.prefix(count) {
                try await recorder.measure(sample.id) {
                    let bytes = [UInt8](try Data(contentsOf: dataset.url(of: sample)))
                    let reading = try scanner.scan(bytes, name: sample.image).reading
                    return Recorder.Answer(lines: reading.lines.map { .init($0.text, confidence: $0.confidence) })
                }
            }
        }
        let readings = try recording().readings
        #expect(readings.compactMap(\.sample) == samples.map(\.id))
        #expect(readings.allSatisfy { $0.error == nil && ($0.latency ?? 0) > 1 })
        #expect(readings.contains { $0.lines?.isEmpty == false })
        #expect(try recording().header.device == .current)
    }
}
