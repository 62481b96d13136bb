import Basics
import Evaluation
import Foundation
import Harness
import Imaging
import SpineDatasets
import TestSupport
import Testing

@testable import DatasetExchange

/// Judgements of failed and missed spines.
@Suite struct FaultJudgeTests {
    // MARK: Readings of the 240 drawn spines

    /// Labels of `Datasets/spines-1`, right by construction, and what `fast`, `accurate` and Tesseract read on 29 November 2026.
    private struct Drawn {
        struct Texts: Decodable {
            var id: String
            var fast: String
            var accurate: String
            var tesseract: String

            var byReader: [String: String] { ["fast": fast, "accurate": accurate, "tesseract": tesseract] }
        }

        var samples: [Sample]
        let texts: [String: [String: String]]

        init() throws {
            // A part with hardly a picture: labels alone are needed.
            let part = try #require(Part(number: 1, of: 999))
            let folder = Project.folder.appending(path: "Datasets/spines-1").path
            samples = try DatasetLoader(lookingAt: .read(part)).load(folder).samples
            let path = try #require(Bundle.module.path(forResource: "Fixtures/readings/spines-1.jsonl", ofType: nil))
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            let decoded = try lines.map { try JSONDecoder().decode(Texts.self, from: Data($0.utf8)) }
            texts = Dictionary(uniqueKeysWithValues: decoded.map { ($0.id, $0.byReader) })
        }

        /// Returns the faults of each of `readers`, by its name and the spine's id.
        func faults(_ readers: [String]) -> [String: [String: SpineFault]] {
            let all = samples.map { sample in
                let own = readers.map {
                    let network = $0 == "tesseract" ? "lstm" : "ppocr"
                    return FaultJudgeTests.witness($0, texts[sample.id]?[$0], network: network, of: sample.id)
                }
                return (sample.id, own)
            }
            let byID = Dictionary(uniqueKeysWithValues: all)
            let judge = FaultJudge(samples, byID)
            let found = readers.enumerated().map { place, reader in
                (reader, byID.compactMapValues { judge.fault(of: $0[place].record, by: reader, nil) })
            }
            return Dictionary(uniqueKeysWithValues: found)
        }

        /// Ids of spines whose title and author both of two readers have read.
        func read(_ readers: [String]) -> [String] {
            samples.filter { sample in
                sample.legible
                    && readers.allSatisfy { reader in
                        [sample.title, sample.author].allSatisfy {
                            FieldRead(field: $0 ?? "", in: texts[sample.id]?[reader] ?? "").isRead != false
                        }
                    }
            }.map(\.id)
        }
    }

    private static func witness(
        _ reader: String,
        _ text: String?,
        network: String,
        of id: String = "a"
    ) -> FaultJudge.Witness {
        var record = SampleRecord(measurement: reader, repetition: 1, position: 0, id: id)
        record.prediction = text.map { Prediction(lines: Prediction.lines(of: $0)) }
        if text == nil { record.outcome = .failed }
        var variant = Variant(name: reader, tier: nil, settings: [:])
        variant.models = ["net": network]
        return FaultJudge.Witness(variant, record)
    }

    @Test(arguments: [["fast", "tesseract"], ["fast", "accurate", "tesseract"], ["tesseract"], ["fast"]])
    func noRightLabelIsBlamedForWhatIsMisread(readers: [String]) throws {
        let drawn = try Drawn()
        for (reader, faults) in drawn.faults(readers) {
            let others = faults.values.filter { $0.owner != .reader }
            // The one that the drawer made illegible.
            #expect(others.allSatisfy { $0.id == "spine-00094" && $0.owner == .picture }, "\(reader): \(others)")
            #expect(faults.count >= 20, "\(reader) missed \(faults.count)")
        }
    }

    /// Wrong labels of spines that two readers without a common network read are found, and no right one is blamed.
    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func twentyWrongLabelsAreFound(seed: UInt64) throws {
        var drawn = try Drawn()
        var random = SplitMix64(state: seed)
        let wrong = Array(random.shuffled(drawn.read(["fast", "tesseract"])).prefix(20))
        let labels = Dictionary(uniqueKeysWithValues: drawn.samples.map { ($0.id, $0) })
        for (place, id) in wrong.enumerated() {
            guard let index = drawn.samples.firstIndex(where: { $0.id == id }) else { continue }
            if place < 10, let other = labels[wrong[place ^ 1]] {
                (drawn.samples[index].title, drawn.samples[index].author) = (other.title, other.author)
                (drawn.samples[index].transcription, drawn.samples[index].lines) = (other.transcription, other.lines)
            } else {
                (drawn.samples[index].title, drawn.samples[index].author) = ("Xylophone Quartet \(place)", "Zyx Qwfp")
                (drawn.samples[index].transcription, drawn.samples[index].lines) = (
                    "Xylophone Quartet \(place) Zyx Qwfp", nil
                )
            }
        }
        for (reader, faults) in drawn.faults(["fast", "tesseract"]) {
            let found = Set(faults.values.filter { $0.owner == .label }.map(\.id))
            #expect(found.symmetricDifference(wrong).isEmpty, "\(reader)")
        }
    }

    // MARK: By hand

    private func judged(
        _ texts: [(reader: String, text: String?, network: String)],
        picture: PictureTraits? = nil,
        label change: (inout Sample) -> Void = { _ in },
        record changeRecord: (inout SampleRecord) -> Void = { _ in }
    ) -> SpineFault? {
        var sample = Sample.made("a", title: "Silent Spring", author: "Rachel Carson")
        sample.transcription = "Rachel Carson Silent Spring"
        change(&sample)
        let other = Sample.made("b", title: "Jane Eyre", author: "Charlotte Brontë")
        var witnesses = texts.map { Self.witness($0.reader, $0.text, network: $0.network) }
        changeRecord(&witnesses[0].record)
        let elsewhere = Self.witness("mine", "a mess", network: "own", of: "b")
        let judge = FaultJudge([sample, other], ["a": witnesses, "b": [elsewhere]])
        return judge.fault(of: witnesses[0].record, by: texts[0].reader, picture)
    }

    @Test(
        arguments: [
            (["silent spring"], nil),
            (["silent song"], "reader: letters misread: spring; read “silent song”"),
            ([""], "reader: nothing read"),
            // What no other reader confirms is no evidence against a label.
            (["Walden Henry Thoreau"], "reader: not read: silent spring; read “Walden Henry Thoreau”"),
            (
                ["Walden Thoreau", "Thoreau Walden"],
                "label: r0 and r1 both read “thoreau walden”, and nothing of “Silent Spring”"
            ),
            // One word may be a misreading that both make.
            (["Walden Thoreaux", "Thorau Walden"], "reader: not read: silent spring; read “Walden Thoreaux”"),
            // The author is read: the label is that of the book.
            (
                ["Walden Thoreau Carson", "Thoreau Walden"],
                "reader: not read: silent spring; read “Walden Thoreau Carson”"
            ),
            (["a mess", "SILENT SPRING"], "reader: not read: silent spring; read “a mess”; r1 read the title"),
        ] as [([String], String?)]
    )
    func textsDecide(texts: [String], expected: String?) {
        let fault = judged(texts.enumerated().map { ("r\($0)", $1, "net \($0)") })
        #expect(fault.map { "\($0.owner.rawValue): \($0.evidence)" } == expected)
    }

    @Test func readersWithOneNetworkAreOneWitness() {
        let fault = judged([("r0", "Walden Thoreau", "net"), ("r1", "Thoreau Walden", "net")])
        #expect(fault?.owner == .reader)
    }

    @Test func theLabelOfAnotherSpineIsEvidenceUnlessTheReaderReadItThere() {
        let text = "JANE EYRE Charlotte Bronte"
        let fault = judged([("mine", text, "own")])
        #expect(fault?.evidence == "mine read “Jane Eyre”, the label of b, and nothing of “Silent Spring”")
        #expect(fault?.owner == .label)
        // "other" has read nothing of b, so nobody knows what it would have read.
        #expect(judged([("other", text, "own")])?.owner == .reader)
        #expect(judged([("mine", "JANE EYRE", "own")])?.owner == .reader, "a title alone")
        #expect(judged([("mine", text + " Carson", "own")])?.owner == .reader, "the label's author was read, too")
    }

    @Test func aTitleThatTheLabelsOwnTextLacksIsTheLabels() {
        let fault = judged([("r0", "Rachel Carson Silent Spring", "net")], label: { $0.title = "Silent Autumn" })
        #expect(fault?.owner == .label)
        #expect(fault?.evidence == "“autumn” of its title is not in its own text, which r0 read")
        let misread = judged([("r0", "a mess", "net")], label: { $0.title = "Silent Autumn" })
        #expect(misread?.owner == .reader)
    }

    @Test func aNamedBookOfTheCatalogueIsEvidence() {
        func fault(_ text: String, _ answer: BookOutcome.Answer) -> FaultOwner? {
            let sample = Sample.made("a", title: "Silent Spring", author: "Rachel Carson")
            var witness = Self.witness("hybrid", text, network: "net")
            witness.hasCatalogue = true
            witness.record.book = BookOutcome(answer)
            witness.record.prediction?.answer = BookCandidate(title: "Walden", authors: ["Henry David Thoreau"])
            return FaultJudge([sample], ["a": [witness]]).fault(of: witness.record, by: "hybrid", nil)?.owner
        }
        #expect(fault("WALDEN Thoreau", .wrong) == .label)
        #expect(fault("WAL Thor", .wrong) == .reader)
        #expect(fault("WALDEN Thoreau Silent", .wrong) == .reader)
    }

    @Test(
        arguments: [
            ("", 2, 3, 60, FaultOwner.picture), ("", 3, 3, 60, .reader), ("", 2, 16, 60, .reader),
            ("", 90, 900, 7, .picture), ("", 90, 900, 8, .reader), ("Carson", 2, 3, 7, .reader),
        ]
    )
    func aPictureIsIllegibleBelowAllThatWasEverRead(
        text: String,
        contrast: Int,
        sharpness: Int,
        shortSide: Int,
        owner: FaultOwner
    ) {
        let flat = PictureTraits(RasterImage(width: 9, height: 9, channels: 1, filledWith: 9))
        var picture = flat
        (picture.contrast, picture.sharpness, picture.shortSide) = (contrast, sharpness, shortSide)
        #expect(judged([("r", text, "net")], picture: picture)?.owner == owner)
        #expect(flat.contrast == 0 && flat.sharpness == 0)
    }

    @Test func anIllegibleLabelIsThePicturesAndADistractorNobodys() {
        #expect(judged([("r", "", "net")], label: { $0.legible = false })?.owner == .picture)
        #expect(judged([("r", "Silent Spring", "net")], label: { $0.legible = false }) == nil)
        #expect(
            judged([("r", "", "net")], label: { ($0.distractor, $0.legible, $0.title) = (true, false, nil) }) == nil
        )
    }

    @Test(arguments: [nil, .machine, .harness, .picture] as [FaultOwner?])
    func aFailureIsOwedToWhomTheHarnessSaw(owner: FaultOwner?) {
        for outcome in SampleRecord.Outcome.allCases where outcome != .read {
            let fault = judged(
                [("r", nil, "net")],
                record: { ($0.outcome, $0.owner, $0.problem) = (outcome, owner, "why") }
            )
            #expect(fault == SpineFault(id: "a", owner: owner ?? .reader, evidence: "why"))
        }
    }

    @Test func recordsThatDoNotFitAreTheHarnesses() {
        #expect(judged([("r", "Silent Spring", "net")], record: { $0.id = "stranger" })?.owner == .harness)
        let sample = Sample.made("a", title: "Silent Spring")
        for (text, owner) in [("a mess", FaultOwner.harness), ("Silent Spring", nil)] {
            let fault = judged(
                [("r", "Silent Spring", "net")],
                record: { $0.score = SampleScore(text, against: sample) }
            )
            #expect(fault?.owner == owner)
        }
    }
}
