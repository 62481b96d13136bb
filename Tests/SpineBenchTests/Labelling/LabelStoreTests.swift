import Basics
import Foundation
import HTTPTypes
import Hummingbird
import Imaging
import NIOCore
import ScanningPipeline
import ServerSupport
import SpineDatasets
import TestSupport
import Testing
import TextRecognition

@testable import spinebench_apps

/// Reader that reads the same lines on every picture.
private struct FixedReader: SpineTextReader {
    var lines: [String]

    func read(_ image: RasterImage) throws -> SpineReading {
        let lines = lines.enumerated().map { place, text in
            let left = Double(1_000 * place)
            let quad = Quad(left: left, top: 0, right: left + Double(10 * text.count), bottom: 20)
            return RecognizedLine(text: text, confidence: 1, quad: quad)
        }
        return SpineReading(lines: lines, orientation: .clockwise, timings: StageTimings())
    }
}

/// Labelling of a folder with two spines and a file that is not a picture.
@Suite(.inTurns) struct LabelStoreTests {
    private struct Workplace {
        let folder: TemporaryFolder
        let photos: [LabelPhoto]

        init() throws {
            folder = try TemporaryFolder()
            for (name, seed) in [("a.png", 1), ("b <i>.png", 2)] as [(String, UInt64)] {
                var random = SplitMix64(state: seed)
                let pixels = (0..<200 * 400).map { _ in UInt8.random(in: 0...255, using: &random) }
                let image = RasterImage(width: 200, height: 400, channels: 1, pixels: pixels)
                try folder.write(try ImageCodec.encodePNG(image), "photos/\(name)")
            }
            try folder.write("no picture", "photos/c.jpg")
            photos = try LabelPhoto.all(["a.png", "b <i>.png", "c.jpg"].map { [folder] in folder("photos/\($0)") })
        }

        func store(_ name: String = "set", blind: Bool = false, by labeller: String = "ann") throws -> LabelStore {
            let reader = SpineScanner(reader: FixedReader(lines: ["HESSE", "4", "Out of the Dust"]))
            return try LabelStore(
                photos,
                in: URL(filePath: folder(name)),
                proposer: SpineProposer(SpinePipeline(reader: reader, shelf: nil, matcher: nil), reader: "fixed"),
                labeller: labeller,
                isBlind: blind
            )
        }
    }

    private func label(
        _ title: String = "Out of the Dust",
        outline: Quad = Quad(left: 10, top: 10, right: 60, bottom: 390),
        category: SampleCategory = .vertical
    ) -> LabelStore.Answer.Label {
        LabelStore.Answer.Label(
            outline: outline,
            title: title,
            author: "HESSE",
            transcription: "HESSE \(title)",
            orientation: .clockwise,
            category: category,
            legible: true
        )
    }

    private func answer(
        _ act: LabelEntry.Act,
        _ spine: String? = nil,
        _ label: LabelStore.Answer.Label? = nil,
        photo: Int = 0,
        outlines: [Quad]? = nil
    ) -> LabelStore.Answer {
        LabelStore.Answer(
            photo: photo,
            act: act,
            spine: spine,
            label: label,
            isCorrected: false,
            seconds: 2,
            outlines: outlines,
            after: nil
        )
    }

    @Test func onlyAnswersAreInTheDatasetAndTheyOutliveTheProcess() async throws {
        let place = try Workplace()
        try await firstProcess(place)
        try await secondProcess(place)
    }

    private func firstProcess(_ place: Workplace) async throws {
        let store = try place.store()
        try await store.readAll()
        #expect(try await store.write(name: nil, licence: nil) == nil)
        let overview = await store.overview()
        #expect(overview.photos.map(\.open) == [1, 1, 0])
        #expect(overview.photos[2].error?.isEmpty == false)
        // A shelf of two spines beside the outline that is the whole photo.
        let outlines = [
            Quad(left: 10, top: 10, right: 60, bottom: 390), Quad(left: 70, top: 10, right: 120, bottom: 390),
        ]
        let drawn = try await store.draw(answer(.outline, outlines: outlines))
        #expect(drawn.map(\.id) == ["2", "3"] && drawn[0].proposal.title == "Out of the Dust")
        try await store.answer(answer(.label, "2", label()))
        try await store.answer(answer(.remove, "1"))
        await #expect(throws: LabelProblem.self) { try await store.answer(answer(.complete)) }
        let dataset = try #require(try await store.write(name: nil, licence: nil))
        #expect(dataset.samples.map(\.id) == ["a-2"] && dataset.shelves.isEmpty)
        #expect(dataset.samples[0].labelled?.kind == .drawn && dataset.samples[0].labelled?.by == "ann")
        #expect(dataset.samples[0].quad == outlines[0] && dataset.samples[0].group == "a")
    }

    private func secondProcess(_ place: Workplace) async throws {
        let store = try place.store()
        #expect(await store.overview().photos.map(\.open) == [1, 1, 0])
        try await store.readAll()
        let second = Quad(left: 70, top: 10, right: 120, bottom: 390)
        try await store.answer(answer(.label, "3", label("Crow", outline: second)))
        try await store.answer(answer(.complete))
        var dataset = try #require(try await store.write(name: "mine", licence: "CC0-1.0"))
        #expect(dataset.samples.map(\.title) == ["Out of the Dust", "Crow"])
        #expect(dataset.shelves.map { $0.books.map(\.title) } == [["Out of the Dust", "Crow"]])
        let loaded = try DatasetLoader().load(place.folder("set"))
        #expect(loaded.digest == dataset.digest && loaded.manifest.licence == "CC0-1.0")
        let card = try place.folder.text(of: "set/CARD.md")
        #expect(card.contains("* b <i>.png: 1 spine without an answer") && card.contains("* c.jpg: "))

        // A corrected outline replaces the crop, and an undone answer takes the shelf away.
        let wider = Quad(left: 10, top: 10, right: 66, bottom: 390)
        try await store.answer(answer(.label, "2", label(outline: wider)))
        try await store.answer(answer(.reopen, "3"))
        dataset = try #require(try await store.write(name: nil, licence: nil))
        #expect(dataset.samples.map(\.quad) == [wider] && dataset.shelves.isEmpty)
        let images = try FileManager.default.contentsOfDirectory(atPath: place.folder("set/images"))
        #expect(images.count == 1 && !place.folder.contains("set/shelves.jsonl"))
    }

    @Test func aPhotoOfOneSpineIsItsOwnSample() async throws {
        let place = try Workplace()
        let store = try place.store()
        try await store.readAll()
        let whole = Quad(left: 0, top: 0, right: 200, bottom: 400)
        try await store.answer(answer(.label, "1", label(outline: whole), photo: 1))
        let dataset = try #require(try await store.write(name: nil, licence: nil))
        #expect(dataset.samples.map(\.image) == ["images/b--i-.png"] && dataset.samples[0].quad == nil)
        #expect(dataset.samples[0].labelled?.kind == .confirmed)
    }

    @Test func aBlindLabellerSeesNoText() async throws {
        let place = try Workplace()
        let store = try place.store(blind: true)
        try await store.readAll()
        let view = try #require(try await store.view(0))
        #expect(view.spines[0].proposal == ProposedSpine(blank: Quad(left: 0, top: 0, right: 200, bottom: 400)))
        try await store.answer(answer(.label, "1", label("Dust")))
        let origin = try #require(try await store.view(0)?.spines[0].label?.origin)
        #expect(origin.kind == .typed && !origin.shown && origin.proposed == "Out of the Dust")
    }

    @Test func whatCannotBeALabelIsRejectedAndNotStored() async throws {
        let place = try Workplace()
        let store = try place.store()
        try await store.readAll()
        let outside = Quad(left: 10, top: 10, right: 900, bottom: 390)
        let corners = [Point(x: 0, y: 0), Point(x: 100, y: 100), Point(x: 100, y: 0), Point(x: 0, y: 100)]
        for bad in [
            answer(.label, "1", label("")), answer(.label, "1", label("a\u{200B}b")), answer(.label, "9", label()),
            answer(.label, "1", label(outline: outside)), answer(.label, "1", label(outline: Quad(corners: corners))),
            answer(.label, "1"), answer(.remove, "9"), answer(.label, "1", label(), photo: 7),
        ] {
            await #expect(throws: LabelProblem.self) { try await store.answer(bad) }
        }
        #expect(try place.folder.text(of: "set/labels.jsonl").isEmpty)
    }

    @Test func aPhotoThatWasReplacedIsNotLabelledFurther() async throws {
        let place = try Workplace()
        try await place.store().readAll()
        try place.folder.write(tinyPNG, "photos/a.png")
        let store = try place.store()
        await #expect(throws: LabelProblem.self) { _ = try await store.view(0) }
        let outline = Quad(left: 0, top: 0, right: 200, bottom: 400)
        try await store.answer(answer(.label, "1", label(outline: outline)))
        await #expect(throws: DatasetError.self) { _ = try await store.write(name: nil, licence: nil) }
    }

    @Test func twoPhotosOfOneNameAreRejected() {
        #expect(throws: LabelProblem.self) { _ = try LabelPhoto.all(["x/a.jpg", "y/a.jpg"]) }
    }

    @Test func eachPhotoHasItsOwnStem() throws {
        let photos = try LabelPhoto.all(["x/a.jpg", "x/A.png", "x/é?.jpg", "x/a b.heic", "x/a-b.png"])
        #expect(photos.map(\.stem) == ["A", "a-b", "a-b-2", "a-2", "photo"])
    }

    // MARK: - The journal

    private func entry(_ spine: String) -> LabelEntry {
        LabelEntry(at: "2026-11-26T00:00:00Z", by: "ann", photo: "a.png", act: .remove, spine: spine)
    }

    @Test func anIncompleteLastLineIsRemovedAndADamagedOneIsAnError() throws {
        let folder = try TemporaryFolder()
        let path = folder("labels.jsonl")
        var journal: LineJournal<LabelEntry>? = try LineJournal(path)
        try journal?.append(entry("1"))
        try journal?.append(entry("2"))
        journal = nil
        let whole = try folder.text(of: "labels.jsonl")
        for end in 1..<(whole.utf8.count / 2) {
            try folder.write(Array(whole.utf8.dropLast(end)), "labels.jsonl")
            let found = try LineJournal<LabelEntry>(path).entries()
            #expect(found.map(\.spine) == ["1"])
            let journal = try LineJournal<LabelEntry>(path)
            _ = try journal.entries()
            try journal.append(entry("3"))
            #expect(try folder.lines(of: "labels.jsonl").count == 2)
        }
        try folder.write("{\"at\":\n" + whole, "labels.jsonl")
        let error = #expect(throws: DatasetError.self) { _ = try LineJournal<LabelEntry>(path).entries() }
        #expect(error.map { "\($0)" }?.contains("labels.jsonl:1: not a record") == true)
    }

    @Test func oneProcessHasTheJournal() throws {
        let folder = try TemporaryFolder()
        let journal = try LineJournal<LabelEntry>(folder("labels.jsonl"))
        #expect(throws: (any Error).self) { _ = try LineJournal<LabelEntry>(folder("labels.jsonl")) }
        withExtendedLifetime(journal) {}
    }

    // MARK: - The server

    @Test func thePageIsForItsOwnBrowserOnly() async throws {
        let place = try Workplace()
        let store = try place.store()
        try await store.readAll()
        let journal = place.folder("set/labels.jsonl")
        let server = LabelServer(store: store, write: { "written" }, port: 0, token: "abc123")
        try await server.application().serve { (client: PatientClient) async throws in
            func send(
                _ method: HTTPRequest.Method,
                _ path: String,
                _ body: String = "",
                cookie: String? = "abc123",
                isOwn: Bool = true
            )
                async throws -> (Int, String)
            {
                var headers: HTTPFields = [.contentType: "application/json"]
                if let cookie { headers[.cookie] = "spinebench-label-80=\(cookie)" }
                if isOwn, let name = HTTPField.Name("x-spinebench") { headers[name] = "1" }
                let response = try await client.executeRequest(
                    uri: path,
                    method: method,
                    headers: headers,
                    body: method == .post ? ByteBuffer(string: body) : nil
                )
                return (response.status.code, String(buffer: response.body))
            }
            for path in ["/", "/label.js", "/api/overview", "/api/photo?photo=0", "/picture?photo=0", "/?token=wrong"] {
                #expect(try await send(.get, path, cookie: nil).0 == 403)
                #expect(try await send(.get, path, cookie: "wrong").0 == 403)
            }
            let remove = #"{"photo":0,"act":"remove","spine":"1"}"#
            #expect(try await send(.post, "/api/answer", remove, isOwn: false).0 == 403)
            #expect(try String(contentsOfFile: journal, encoding: .utf8).isEmpty)
            #expect(try await send(.get, "/").0 == 200)
            #expect(try await send(.get, "/picture?photo=0").0 == 200)
            #expect(try await send(.get, "/crop?photo=0&turn=cw&quad=10,10,60,10,60,390,10,390").0 == 200)
            for bad in [
                "photo=0&turn=cw&quad=1,2", "photo=0&turn=up&quad=10,10,60,10,60,390,10,390",
                "photo=9&turn=cw&quad=10,10,60,10,60,390,10,390", "photo=0&turn=cw&quad=10,10,1e9,10,60,390,10,390",
                "photo=0&turn=cw&quad=nan,1,2,3,4,5,6,7",
            ] {
                #expect(try await send(.get, "/crop?\(bad)").0 == 422, "\(bad)")
            }
            #expect(try await send(.post, "/api/answer", "{").0 == 400)
            #expect(try await send(.post, "/api/answer", remove).0 == 200)
            #expect(try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n").count == 1)
            #expect(try await send(.get, "/elsewhere").0 == 404)
        }
    }
}
