import Foundation
import SpineReaders
import TestSupport
import Testing

@testable import CaptureSpace
@testable import Captures

/// Purpose of a capture by its words, against a person's labels.
@Suite struct IntentTests {
    /// Of several captures, most decide; a tie decides nothing, nor do one of four.
    @Test(
        arguments: [
            ([.dining], .dining), ([nil], nil), ([.dining, .reading], nil), ([.dining, .dining, .reading], .dining),
            ([.dining, nil, nil], .dining), ([.dining, nil, nil, nil], nil), ([], nil),
        ] as [([Intent?], Intent?)]
    )
    func mostDecide(intents: [Intent?], purpose: Intent?) {
        let items = intents.map { NarrativeInput.Item(time: .distantPast, intent: $0) }
        #expect(NarrativeInput(items).intent == purpose)
    }

    /// The content of a code is our word: no sign of programming.
    @Test func aCodeIsNotCoding() {
        var item = CapturedItem(sessionID: UUID(), kind: .web, capturedAt: .distantPast)
        item.url = "https://api.example/git"
        #expect(NarrativeInput.Item(item).words.isEmpty)
        item.said.qrContext = QRCodeContext(payload: "https://api.example/git")
        #expect(NarrativeInput.Item(item).words.isEmpty)
        item.said.title = "Error code 17, git"
        #expect(NarrativeInput.Item(item).words == "Error code 17, git. ")
    }

    /// 200 texts by a writer who saw nothing of the program: 75.0 and 93.8 %, where OpenVINO's rounded inputs gave 93.0 %.
    ///
    /// Nothing is fitted on them: who changes the classifier looks at other texts.
    @Test func intentsOfTextsOfAnotherWriter() throws {
        let (classifier, model) = (try IntentClassifier(), try MiniLM(folder: Installation.modelDirectory))
        let url = try #require(Bundle.module.url(forResource: "Fixtures/intents-blind", withExtension: "tsv"))
        var (recall, precision) = (Quality(), Quality())
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        where !line.hasPrefix("intent\t") {
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            let answer = classifier.intent(of: model.embed(parts[1].replacing("\t", with: ". ")))
            let isRight = answer?.rawValue == parts[0]
            if parts[0] != "None" { recall.add(isRight) }
            if answer != nil { precision.add(isRight) }
        }
        recall.expect("recall of intents", atLeast: 70)
        precision.expect("precision of intents", atLeast: 90)
    }

    /// By hand: scores 1 and 0 of two classes give e / (e + 1) = 0.7311 for the first.
    @Test func probabilitiesByHand() throws {
        let classifier = try IntentClassifier(weights: "one-word\t0.7\nReading\t0\t100\nNone\t0\t0\n", dimensions: 1)
        #expect(abs(classifier.ranked([1])[0].probability - 0.731_06) < 1e-4)
        #expect(classifier.intent(of: [1]) == .reading && classifier.intent(of: [0]) == nil)
        #expect(throws: CaptureSpaceError.weightsDamaged(line: 2)) {
            try IntentClassifier(weights: "one-word\t0.7\nReading\t0\tmuch\n", dimensions: 1)
        }
    }

    /// What was read off a photo has a purpose only where it is surer: receipts of groceries are no meals.
    @Test(
        arguments: [
            (
                "SPAR Supermarkt\nHauptstrasse 12, 1010 Wien\nMilch 1L 1,39\nBrot 2,49\nButter 250g 2,79\nSUMME EUR 6,67",
                nil
            ),
            ("BILLA\nKassenbon\nNudeln 1.29\nReis 1.99\nSumme 3.28 EUR", nil), ("SCAN TO PAY\nThank you", nil),
            ("TRATTORIA ROMA\nPizza Margherita 9.50\nTiramisu 5.00\nTotal 14.50", .dining),
            ("MENU\nSoup of the day 5.20\nGrilled trout 14.90\nDesserts", .dining),
        ] as [(String, Intent?)]
    )
    func aPhotographedPurposeNeedsEvidence(text: String, purpose: Intent?) throws {
        let vector = try MiniLM(folder: Installation.modelDirectory).embed(text)
        #expect(try IntentClassifier().intent(of: vector, isPhotographed: true) == purpose)
    }
}
