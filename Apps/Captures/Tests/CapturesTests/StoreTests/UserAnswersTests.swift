import Basics
import BookCatalogue
import Foundation
import Imaging
import TestSupport
import Testing
import TextRecognition

@testable import CaptureReading
@testable import Captures
@testable import VisualSearch

/// What a person says about a picture is kept, and given to pictures that look like it.
@Suite struct UserAnswersTests {
    private func picture(_ store: CaptureStore) throws -> CapturedItem {
        try store.capture(NewCapture(kind: .image, capturedAt: Date()))
    }

    /// Unit vectors at an angle with this cosine to the first axis.
    private func vector(_ cosine: Float) -> [Float] {
        [cosine, (1 - cosine * cosine).squareRoot()] + [Float](repeating: 0, count: 1_278)
    }

    /// 12.2 − 19.5 · 0.9 = −5.35: 0.995; at 0.5 the curve is at 0.08, which is no answer.
    @Test func aPictureThatLooksTheSameGetsTheGivenName() throws {
        let store = try CaptureStore.inMemory()
        let (named, like, unlike) = (try picture(store), try picture(store), try picture(store))
        #expect(try store.givenName(of: named.id, like: vector(1)) == nil)
        let item = try #require(try store.answer(item: named.id, thing: "  my  violin "))
        #expect(item.givenName == "my violin" && item.title == "My violin" && item.labels["my violin"] == 1)
        #expect(item.state == .queued)
        let answer = try #require(try store.givenName(of: like.id, like: vector(0.9)))
        #expect(answer.name == "my violin" && abs(answer.confidence - 0.995) < 0.001)
        #expect(try store.givenName(of: unlike.id, like: vector(0.5)) == nil)
        // Its own picture is no evidence.
        #expect(try store.givenName(of: named.id, like: vector(1)) == nil)
        try store.answer(item: named.id, thing: "")
        #expect(try store.item(named.id)?.givenName == nil)
        #expect(try store.givenName(of: like.id, like: vector(0.9)) == nil)
        #expect(try store.answer(item: UUID(), thing: "x") == nil)
    }

    /// The person's book is the item's: its text is no title any more, and reading the shelf again changes nothing.
    @Test func aPersonSaysWhichBookItIs() throws {
        let store = try CaptureStore.inMemory()
        let shelf = try picture(store)
        let spine = SeenSpine(text: ["SOLARIS 796"])
        let draft: (inout CapturedItem) -> Void = { $0.describe(spine, in: SceneReading(width: 9, height: 9)) }
        let child = try #require(try store.keepChildren(of: shelf.id, [("spine:0.0", .book, draft)]).first)
        #expect(child.isDraft && child.title == "Not identified")
        let record = BookRecord(title: "Solaris", authors: ["Stanisław Lem"], isbn: ISBN("9780156027601"))
        let item = try #require(try store.answer(item: child.id, book: record))
        #expect(item.title == "Solaris" && item.state == .queued && !item.isDraft)
        #expect(item.enrichment.bookContext?.isbn == "9780156027601" && item.answers.map(\.source) == [.user])
        let again = try #require(try store.keepChildren(of: shelf.id, [("spine:0.0", .book, draft)]).first)
        #expect(again.title == "Solaris" && again.enrichment.bookContext?.authors == ["Stanisław Lem"])
    }

    private func seen(_ name: String, _ confidence: Double) -> ThingNamer.SeenThing {
        let answer = ThingAnswer(name: name, confidence: confidence)
        return ThingNamer.SeenThing(answers: [answer], label: answer, vector: [], map: [])
    }

    @Test func aPersonsWordComesFirst() throws {
        let store = try CaptureStore.inMemory()
        var item = try picture(store)
        var scene = SceneReading(width: 10, height: 10)
        scene.thing = seen("mug", 0.7)
        item.label(by: scene, similar: nil)
        #expect(item.labels == ["mug": 0.7] && Subject(item).sentence == "A mug.")
        #expect(item.media.themes.prefix(2) == ["mug", "cup"])
        item.label(by: scene, similar: ThingAnswer(name: "Anna's mug", confidence: 0.9))
        #expect(item.labels == ["Anna's mug": 0.9] && item.things?.map(\.name) == ["Anna's mug", "mug"])
        item.answer(.user, Facts(thing: ThingAnswer(name: "pot", confidence: 1)))
        item.label(by: scene, similar: nil)
        #expect(item.labels == ["pot": 1] && Subject(item).name == "Pot")
    }

    /// The network sees layouts as things: with a code or much text, it names nothing; with a word, it does.
    @Test(arguments: [
        (0, "", ["water bottle"]), (1, "", ["code"]), (0, "Neubaugasse", ["text", "water bottle"]),
        (0, "Green Grocer\nApples and pears\nTotal with taxes", ["text"]),
    ])
    func aNameNeedsSupport(codes: Int, text: String, labels: [String]) throws {
        let store = try CaptureStore.inMemory()
        var item = try picture(store)
        var scene = SceneReading(width: 10, height: 10)
        scene.codes = Array(repeating: FoundCode(symbology: .ean13, payload: "4006381333931"), count: codes)
        scene.lines = text.split(separator: "\n").map { line in
            RecognizedLine(text: String(line), confidence: 0.9, quad: Quad(left: 0, top: 0, right: 9, bottom: 1))
        }
        scene.thing = seen("water bottle", 0.8)
        item.label(by: scene, similar: nil)
        #expect(item.labels.keys.sorted() == labels)
    }

    /// A code is shown at once, and held for two frames on which it is not seen.
    @Test func aCodeDoesNotFlicker() throws {
        let look = LiveLook(search: nil, things: nil)
        let code = try ImageCodec.decode(DrawnCode.ean13("9780141439587").png(), name: "code").image
        let blank = RasterImage(width: 320, height: 240, channels: 3, filledWith: 200)
        let counts = try [blank, code, blank, blank, blank].map { try look.look(at: $0).codes.count }
        #expect(counts == [0, 1, 1, 1, 0])
    }
}
