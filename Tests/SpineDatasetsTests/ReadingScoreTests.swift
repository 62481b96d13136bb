import Evaluation
import Foundation
import Harness
import SpineDatasets
import TestSupport
import Testing

@testable import DatasetExchange

/// The run that files of readings make.
@Suite struct ReadingScoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func dataset(_ images: [(id: String, image: String)]) -> Dataset {
        Dataset(
            path: folder.path,
            manifest: DatasetManifest(name: "set"),
            digest: "sha256:0",
            samples: images.map {
                Sample(
                    id: $0.id,
                    image: $0.image,
                    category: .vertical,
                    title: "Ulysses",
                    transcription: "Ulysses",
                    orientation: .upright
                )
            }
        )
    }

    private var three: Dataset { dataset([("a", "x/1.jpg"), ("b", "x/2.jpg"), ("c", "y/1.jpg")]) }

    private func score(
        _ texts: [String],
        over dataset: Dataset? = nil,
        names: [String?] = [],
        _ change: (inout ReadingScore.Options) -> Void = { _ in }
    ) throws -> ReadingScore {
        var options = ReadingScore.Options()
        change(&options)
        let sources = try texts.enumerated().map { index, text in
            try folder.write(text, "\(index).jsonl")
            return ReadingScore.Source(name: index < names.count ? names[index] : "v", path: folder("\(index).jsonl"))
        }
        return try ReadingScore(sources, over: dataset ?? three, tool: "test", options: options)
    }

    private func refusal(_ texts: [String], over dataset: Dataset? = nil, names: [String?] = []) -> String {
        do {
            _ = try score(texts, over: dataset, names: names)
            return ""
        } catch { return "\(error)".replacing(folder.path + "/", with: "") }
    }

    @Test func missingSamplesFail() throws {
        let score = try score([#"{"sample": "b", "text": "Ulysses", "latency": 3}"#])
        #expect(
            score.records.map(\.id) == ["a", "b", "c"] && score.records.map(\.outcome) == [.failed, .read, .failed]
        )
        #expect(score.records[0].problem == "no reading in 0.jsonl" && score.records[0].score?.title.isRead == false)
        #expect(score.records[1].milliseconds == 3 && score.records[1].score?.title.isRead == true)
        #expect(score.remarks == ["v: 2 readings missing in 0.jsonl, which count as failed"])
        let origin = try #require(score.configuration.variants.first?.origin)
        #expect(origin.repetitions == 1 && origin.files.first?.hasPrefix("0.jsonl sha256:") == true)
        #expect(score.configuration.variants.first?.evidence == .reported)
    }

    @Test func filesOfOneNameAreOneVariant() throws {
        let texts = [
            #"{"sample": "a", "text": "1"}"#, #"{"sample": "b", "text": "2"}"#, #"{"sample": "a", "text": "3"}"#,
        ]
        let score = try score(texts, names: ["v", "v", "w"])
        #expect(score.configuration.variants.map(\.name) == ["v", "w"])
        #expect(score.records.map { $0.text ?? "" } == ["1", "2", "", "3", "", ""])
        #expect(score.records.last?.measurement == "w")
    }

    @Test func repetitionsAreCountedForEachVariant() throws {
        let twice = #"{"sample": "a", "text": "1"}"# + "\n" + #"{"sample": "a", "repetition": 2, "text": "2"}"#
        let score = try score([twice, #"{"sample": "a", "text": "3"}"#], names: ["v", "w"])
        #expect(score.records.map(\.repetition) == [1, 1, 1, 2, 2, 2, 1, 1, 1])
        #expect(score.configuration.repetitions == 2)
        let gap = #"{"sample": "a", "repetition": 3, "text": "2"}"#
        #expect(refusal([gap]).contains("readings of repetition 3, and none of repetition 1"))
        #expect(refusal([gap.replacing("3", with: "1000000000")]).contains("none of repetition 1"))
    }

    @Test func duplicatesNameBothLines() {
        let lines = #"{"sample": "a", "text": "1"}"# + "\n" + #"{"image": "x/1.jpg", "text": "2"}"#
        let error = refusal([lines])
        #expect(error.contains("0.jsonl:2: a second reading of a, repetition 1") && error.contains("0.jsonl:1"))
    }

    @Test func unknownSamplesAreNamed() throws {
        let text = #"{"sample": "a", "text": "1"}"# + "\n" + #"{"sample": "z", "text": "2"}"#
        #expect(refusal([text]).contains("1 reading of unknown samples"))
        #expect(refusal([text]).contains("0.jsonl:2: \"z\""))
        let ignored = try score([text]) { $0.ignoresUnknown = true }
        #expect(ignored.records.count == 3 && ignored.remarks.first == "v: 1 reading of unknown samples left out")
    }

    /// A picture by its path, its name and any ending; two of one name by their folders alone.
    @Test(
        arguments: [
            ("b", 1), ("x/2.jpg", 1), ("2.jpg", 1), ("2.png", 1), ("2", 1), ("/photos/x/2.jpg", 1), (#"x\2.jpg"#, 1),
            ("/photos/y/1.jpg", 2), ("b.hocr", 1), ("3.jpg", nil), ("", nil),
        ] as [(String, Int?)]
    )
    func samplesAreFound(_ name: String, _ expected: Int?) throws {
        #expect(try SampleFinder(three.samples).find([name]) == expected)
    }

    @Test func aPictureOfTwoSamplesIsAmbiguous() {
        #expect(refusal([#"{"image": "1.jpg", "text": "1"}"#]).contains("is of 2 samples (a, c); name the sample"))
        let shared = dataset([("a", "1.jpg"), ("b", "1.jpg")])
        #expect(refusal([#"{"image": "1.jpg", "text": "1"}"#], over: shared).contains("is of 2 samples (a, b)"))
        #expect(refusal([#"{"sample": "b", "text": "1"}"#], over: shared) == "")
    }

    @Test func namesAreThoseOfSystemsAndFolders() throws {
        let header = #"{"readings": 1, "system": {"name": "My App", "version": "2"}}"# + "\n"
        let score = try score([header + #"{"sample": "a", "text": "1"}"#], names: [nil])
        #expect(score.configuration.variants.map(\.name) == ["My-App-2"])
        for name in ["a.txt", "b.txt"] { try folder.write("Ulysses\n", "tess/\(name)") }
        let sources = ["tess/a.txt", "tess/b.txt"].map { ReadingScore.Source(name: nil, path: folder($0)) }
        var options = ReadingScore.Options()
        options.format = .program(.named("text"))
        let texts = try ReadingScore(sources, over: three, tool: "test", options: options)
        #expect(texts.configuration.variants.map(\.name) == ["tess"])
        let whole = try ReadingScore(
            [.init(name: nil, path: folder("tess"))],
            over: three,
            tool: "test",
            options: options
        )
        #expect(whole.records.map(\.outcome) == texts.records.map(\.outcome) && whole.records[0].text == "Ulysses")
    }

    @Test func tiersAndGatesAreOfKnownVariants() throws {
        let text = [#"{"sample": "a", "text": "1"}"#]
        let judged = try score(text) { ($0.gates, $0.tiers) = (["v"], ["v": "fast"]) }
        #expect(
            judged.configuration.variants.map(\.gates) == [true] && judged.configuration.variants.first?.tier == "fast"
        )
        #expect(throws: HarnessError.configuration("unknown variant \"w\"; the files make v")) {
            try score(text) { $0.gates = ["w"] }
        }
    }
}
