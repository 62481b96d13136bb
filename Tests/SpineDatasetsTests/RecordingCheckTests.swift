import Evaluation
import Foundation
import SpineBenchKit
import SpineDatasets
import TestSupport
import Testing

@testable import DatasetExchange
@testable import Harness

/// What a recording of a phone shows, and what a text that claims to be one does not.
///
/// `signed.jsonl` was written by hand in the form of `SpineBenchKit` 2 and signed with `openssl dgst -sha256 -sign`; its private
/// key is thrown away. Three readings, 41.5 and 40.25 ms in one process and 39 ms in a second one, are of pictures whose contents
/// are a letter and a line feed.
@Suite struct RecordingCheckTests {
    private static let key =
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEmRMSFY5XE2jv7qDmfTkDc2SBLNmT8Cca1yXQrJQwpuz8MMdBx7q5LiT3rID4nTlha7wtcCeQZS91HoKAplovkA=="
    private static let other =
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEPm2in1zcgOukbunUBGa08KDxOqFLwK8uVigfdsAl2Co1AiHh7sxtzV7SazpMbhAujXNZfwlTyrYZWinehW6ZSw=="
    private let folder: TemporaryFolder
    private let signed: String

    init() throws {
        folder = try TemporaryFolder()
        let file = try #require(Bundle.module.path(forResource: "Fixtures/readings/signed.jsonl", ofType: nil))
        signed = try String(contentsOfFile: file, encoding: .utf8)
        for (image, letter) in [("x/1.jpg", "a"), ("x/2.jpg", "b"), ("y/1.jpg", "c")] {
            try folder.write("\(letter)\n", image)
        }
    }

    private var dataset: Dataset {
        Dataset(
            path: folder.path,
            manifest: DatasetManifest(name: "set"),
            digest: "sha256:0",
            samples: [("a", "x/1.jpg"), ("b", "x/2.jpg"), ("c", "y/1.jpg")].map {
                Sample(
                    id: $0.0,
                    image: $0.1,
                    category: .vertical,
                    title: "Ulysses",
                    transcription: "Ulysses",
                    orientation: .upright
                )
            }
        )
    }

    private func suite(keys: [String]) throws -> Suite {
        let catalogue = VariantCatalogue(bases: [("fast", "fast")]) { base, _ in ["base": base] }
        let keys = keys.map { "\"\($0)\"" }.joined(separator: ", ")
        let text = "suite: s\ndescription: One.\nvariants: [fast]\ngate: [fast]\nrecordings: { keys: [\(keys)] }\n"
        return try SuiteFile.parse(text, path: "s.yaml", catalogue: catalogue)
    }

    private func variant(_ text: String, keys: [String]? = [key]) throws -> Variant {
        try folder.write(text, "phone.jsonl")
        var options = ReadingScore.Options()
        options.suite = try keys.map(suite)
        let source = ReadingScore.Source(name: "fast", path: folder("phone.jsonl"))
        let score = try ReadingScore([source], over: dataset, tool: "test", options: options)
        return try #require(score.configuration.variants.first)
    }

    private func problems(_ text: String, keys: [String]? = [key]) throws -> [String] {
        let variant = try variant(text, keys: keys)
        let problems = variant.origin?.problems ?? []
        #expect(variant.evidence == (problems.isEmpty ? .measuredOnDevice : .reportedByRecording))
        #expect((variant.origin?.key == nil) == !problems.isEmpty)
        return problems
    }

    @Test func aSignedRecordingIsMeasuredOnItsDevice() throws {
        let variant = try variant(signed)
        #expect(
            variant.evidence == .measuredOnDevice && variant.origin?.problems == nil && variant.origin?.isPhone == true
        )
        #expect(variant.origin?.key == Self.key)
        // Tier and gate are the suite's.
        #expect(variant.tier == "fast" && variant.gates)
        #expect(try problems(signed, keys: [Self.other, Self.key]).isEmpty)
        // A blank line at its end is no part of it.
        #expect(try problems(signed + "\n\r\n").isEmpty)
    }

    @Test(
        "a signature is refused by name",
        arguments: [
            ("a changed byte", "Ulysses", "Ulyssez", "signature: does not fit the file"),
            (
                "a changed space", "{\"battery\":0.8,\"began\":1", "{\"battery\":0.8, \"began\":1",
                "signature: does not fit the file"
            ),
            ("a truncated signature", "JNDQ1I\"", "\"", "signature: not base64"),
            ("a signature that is none", "\"MEYCIQD7", "\"?", "signature: not base64"),
            ("another key", "DcSBLNmT8C", "DcSBLNmT8D", "signature: its key is none of the suite's"),
        ]
    )
    func refusedSignature(_ name: String, _ text: String, _ replacement: String, _ expected: String) throws {
        let changed = signed.replacing(text, with: replacement, maxReplacements: 1)
        let isOfKey = name == "another key"
        let text = isOfKey ? signed : changed
        let found = try problems(text, keys: isOfKey ? [Self.other] : [Self.key])
        #expect(found.count == 1 && found[0].hasPrefix(expected), "\(name): \(found)")
    }

    @Test func aSignatureIsOfOneFileAlone() throws {
        let lines = signed.split(separator: "\n").map(String.init)
        let replayed =
            lines[0].replacing("iPhone17,1", with: "iPhone14,6") + "\n" + lines[1...].joined(separator: "\n") + "\n"
        #expect(
            try problems(replayed) == ["signature: does not fit the file: a byte was changed, or it is another file's"]
        )
        #expect(try problems(lines.dropLast().joined(separator: "\n") + "\n") == ["signature: absent"])
        #expect(
            try problems(signed, keys: nil) == ["signature: not checked without the suite that names its key (--suite)"]
        )
        #expect(try problems(signed, keys: []) == ["signature: its key is none of the suite's"])
        // What follows was not signed.
        let more = signed + #"{"sample": "a", "repetition": 2, "text": "Ulysses"}"# + "\n"
        do {
            _ = try variant(more)
            Issue.record("a line after the signature was read")
        } catch { #expect("\(error)".contains("phone.jsonl:6: follows the signature")) }
    }

    /// Checks beside that of the signature, which no longer fits.
    @Test(arguments: [
        (#""version":"2"}"#, #""version":"9"}"#, "version: \"9\" is not known"),
        ("\"digest\":\"1310", "\"digest\":\"", "app: the digest of its program is absent"),
        ("\"app\":{", "\"ape\":{", "app: absent"),
        (
            "iPhone17,1", "computer",
            "device: \"computer\" is not the identifier of a phone or tablet, such as iPhone17,1"
        ),
        ("iPhone17,1", "iPhone", "device: \"iPhone\" is not the identifier of a phone or tablet, such as iPhone17,1"),
        ("\"os\":\"iOS 26.1\"", "\"os\":\"iOS 26.1\",\"simulator\":true", "device: a simulator"),
        ("\"picture\":\"8742", "\"picture\":\"8743", "pictures: line 2: the digest is not that of x/1.jpg"),
        ("\"picture\"", "\"pictures\"", "pictures: line 2: absent (3 readings)"),
        ("\"began\":50000000", "\"began\":40000000", "clock: line 3: goes backwards"),
        ("\"session\":2", "\"session\":1", "clock: line 4: goes backwards"),
        ("\"latency\":41.5", "\"latency\":1.5", "clock: line 2: 41.5 ms passed, and the latency is 1.5 ms"),
        ("\"ended\"", "\"end\"", "clock: line 2: absent (3 readings)"),
        (",\"thermal\":\"nominal\"", "", "thermal states: line 2: absent (3 readings)"),
    ])
    func eachCheckIsNamed(_ text: String, _ replacement: String, _ expected: String) throws {
        let isOfAll = expected.contains("readings)")
        let changed = signed.replacing(text, with: replacement, maxReplacements: isOfAll ? .max : 1)
        let found = try problems(changed)
        #expect(
            found.first == expected && found.count == 2 && found[1].hasPrefix("signature: does not fit"),
            "\(found)"
        )
    }

    /// A script's header with the labels as readings and 1 ms: what was "measured on device" before.
    @Test func aForgedHeaderIsNamed() throws {
        let header =
            #"{"readings": 1, "recorder": {"name": "SpineBenchKit"}, "device": {"model": "iPhone17,1", "os": "iOS 26.1"}}"#
        let lines = ["a", "b", "c"].map { #"{"sample": "\#($0)", "text": "Ulysses", "latency": 1}"# }
        let text = ([header] + lines).joined(separator: "\n") + "\n"
        #expect(
            try problems(text) == [
                "version: absent", "app: absent", "pictures: line 2: absent (3 readings)",
                "clock: line 2: absent (3 readings)", "thermal states: line 2: absent (3 readings)",
                "signature: absent",
            ]
        )
        #expect(try variant(text).origin?.isPhone == true)
        #expect(try variant(text.replacing("SpineBenchKit", with: "script")).evidence == .reported)
    }

    /// What the recorder signs is what is checked.
    @Test func theRecorderSignsWhatIsChecked() async throws {
        let file = URL(filePath: folder("own.jsonl"))
        let recorder = try Recorder(
            file: file,
            system: .init(name: "my-app", version: "2.1"),
            device: .init(model: "iPhone17,1", os: "iOS 26.1"),
            app: .init(identifier: "org.example.my-app", version: "2.1", digest: String(repeating: "0", count: 64))
        )
        for (sample, image) in [("a", "x/1.jpg"), ("b", "x/2.jpg"), ("c", "y/1.jpg")] {
            try await recorder.measure(sample, picture: URL(filePath: folder(image))) { Recorder.Answer(lines: []) }
        }
        var message = Data()
        try recorder.sign(key: try #require(Data(base64Encoded: Self.key))) {
            message = $0
            return Data("no signature".utf8)
        }
        #expect(RecordingCheck.signed(try Data(contentsOf: file)) == message)
        let found = try problems(try folder.text(of: "own.jsonl"))
        #if os(Linux)
        #expect(
            found == [
                "thermal states: line 2: absent (3 readings)",
                "signature: does not fit the file: a byte was changed, or it is another file's",
            ]
        )
        #endif
    }

    @Test func aScoredRunIsCheckedAgainstTheSuite() throws {
        try folder.write(signed, "phone.jsonl")
        func score(_ path: String, keys: [String]?) throws -> ReadingScore {
            var options = ReadingScore.Options()
            options.suite = try keys.map(suite)
            return try ReadingScore([.init(name: "fast", path: path)], over: dataset, tool: "test", options: options)
        }
        _ = try score(folder("phone.jsonl"), keys: [Self.key]).write(to: folder("run"))
        #expect(try score(folder("run"), keys: [Self.key]).configuration.variants.first?.evidence == .measuredOnDevice)
        for keys in [nil, [Self.other]] {
            let variant = try #require(try score(folder("run"), keys: keys).configuration.variants.first)
            #expect(variant.evidence == .reportedByRecording)
            #expect(variant.origin?.problems == ["signature: its key is none of a suite's (--suite)"])
        }
    }
}
