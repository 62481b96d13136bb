import ArgumentParser
import Basics
import CommandSupport
import Foundation
import HTTPTypes
import Harness
import Imaging
import ScanningPipeline
import ServerSupport
import SpineDatasets
import TestSupport
import Testing
import TextRecognition

@testable import spinebench_tools

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
            try folder.write("no picture", "photos/c.jpg")
            photos = try LabelPhoto.all(["a.png", "b <i>.png", "c.jpg"].map { [folder] in folder("photos/\($0)") })
            for (place, seed) in [(0, 1), (1, 2)] as [(Int, UInt64)] { try picture(photos[place].path, seed) }
        }

        /// Writes a PNG of noise.
        func picture(_ path: String, _ seed: UInt64) throws {
            var random = SplitMix64(state: seed)
            let pixels = (0..<200 * 400).map { _ in UInt8.random(in: 0...255, using: &random) }
            let image = RasterImage(width: 200, height: 400, channels: 1, pixels: pixels)
            let file = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(try ImageCodec.encodePNG(image)).write(to: file)
        }

        func store(
            _ name: String = "set",
            _ photos: [LabelPhoto]? = nil,
            blind: Bool = false,
            by labeller: String = "ann"
        ) throws -> LabelStore {
            let reader = SpineScanner(reader: FixedReader(lines: ["HESSE", "4", "Out of the Dust"]))
            return try LabelStore(
                photos ?? self.photos,
                in: URL(filePath: folder(name)),
                proposer: SpineProposer(SpinePipeline(reader: reader, shelf: nil, matcher: nil), reader: "fixed"),
                labeller: labeller,
                isBlind: blind
            )
        }
    }

    private let whole = Quad(left: 0, top: 0, right: 200, bottom: 400)
    private let huge = Quad(left: 0, top: 0, right: 1e308, bottom: 1e308)

    private func label(
        _ title: String = "Out of the Dust",
        outline: Quad = Quad(left: 10, top: 10, right: 60, bottom: 390),
        category: SampleCategory = .vertical
    ) -> SpineLabel {
        SpineLabel(
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
        _ label: SpineLabel? = nil,
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
        defer { store.end() }
        await store.readAll()
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
        await #expect(throws: InputError.self) { try await store.answer(answer(.complete)) }
        let dataset = try #require(try await store.write(name: nil, licence: nil))
        let digest = try SHA256.hex(ofFile: place.photos[0].path)
        #expect(dataset.samples.map(\.id) == ["a-\(digest.prefix(8))-2"] && dataset.shelves.isEmpty)
        #expect(dataset.samples[0].labelled?.kind == .drawn && dataset.samples[0].labelled?.by == "ann")
        #expect(dataset.samples[0].quad == outlines[0] && dataset.samples[0].group?.hasPrefix("a-") == true)
    }

    private func secondProcess(_ place: Workplace) async throws {
        let store = try place.store()
        #expect(await store.overview().photos.map(\.open) == [1, 1, 0])
        await store.readAll()
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
        await store.readAll()
        try await store.answer(answer(.label, "1", label(outline: whole), photo: 1))
        let dataset = try #require(try await store.write(name: nil, licence: nil))
        let digest = try SHA256.hex(ofFile: place.photos[1].path)
        #expect(dataset.samples.map(\.image) == ["images/b--i--\(digest.prefix(8)).png"])
        #expect(
            dataset.samples[0].quad == whole && dataset.samples[0].group?.hasSuffix("-\(digest.prefix(16))") == true
        )
        #expect(dataset.samples[0].labelled?.kind == .confirmed)
    }

    @Test func aBlindLabellerSeesNoText() async throws {
        let place = try Workplace()
        let store = try place.store(blind: true)
        await store.readAll()
        let view = try #require(try await store.view(0))
        #expect(view.spines[0].proposal == ProposedSpine(blank: whole))
        try await store.answer(answer(.label, "1", label("Dust")))
        let origin = try #require(try await store.view(0)?.spines[0].label?.origin)
        #expect(origin.kind == .typed && !origin.shown && origin.proposed == "Out of the Dust")
    }

    @Test func whatCannotBeALabelIsRejectedAndNotStored() async throws {
        let place = try Workplace()
        let store = try place.store()
        await store.readAll()
        let outside = Quad(left: 10, top: 10, right: 900, bottom: 390)
        let corners = [Point(x: 0, y: 0), Point(x: 100, y: 100), Point(x: 100, y: 0), Point(x: 0, y: 100)]
        var untyped = label()
        untyped.transcription = ""
        for bad in [
            answer(.label, "1", untyped), answer(.label, "1", label("")), answer(.label, "1", label("a\u{200B}b")),
            answer(.label, "9", label()),
            answer(.label, "1", label(outline: outside)), answer(.label, "1", label(outline: Quad(corners: corners))),
            answer(.label, "1"), answer(.remove, "9"), answer(.label, "1", label(), photo: 7),
            answer(.label, "1", label(outline: huge)), answer(.complete, photo: 2),
        ] {
            await #expect(throws: InputError.self) { try await store.answer(bad) }
        }
        for (photo, outline) in [(0, huge), (2, whole)] {
            let bad = answer(.outline, photo: photo, outlines: [outline])
            await #expect(throws: InputError.self) { try await store.draw(bad) }
        }
        #expect(try place.folder.text(of: "set/labels.jsonl").isEmpty)
    }

    @Test func aPhotoThatWasReplacedIsNotLabelledFurther() async throws {
        let place = try Workplace()
        let first = try place.store()
        await first.readAll()
        first.end()
        try place.folder.write(tinyPNG, "photos/a.png")
        let store = try place.store()
        await #expect(throws: InputError.self) { _ = try await store.view(0) }
        try await store.answer(answer(.label, "1", label(outline: whole)))
        await #expect(throws: HarnessError.self) { _ = try await store.write(name: nil, licence: nil) }
    }

    /// Of one name, or copies that would have one in the dataset.
    @Test(arguments: [("x/a b.jpg", "x/a-b.jpeg", true), ("x/a b.jpg", "y/a b.jpg", false)])
    func twoPhotosOfOneNameAreRejected(_ one: String, _ other: String, areEqual: Bool) throws {
        let folder = try TemporaryFolder()
        for path in [one, other] { try folder.write(areEqual ? "same" : path, path) }
        let error = #expect(throws: InputError.self) { _ = try LabelPhoto.all([folder(other), folder(one)]) }
        #expect(error?.description.hasPrefix("\(folder(one)) and \(folder(other)) ") == true)
        // Other pictures, or another name.
        if areEqual {
            try folder.write("another", other)
            try folder.write("same", "x/c.jpg")
            #expect(try LabelPhoto.all([one, other, "x/c.jpg"].map { folder($0) }).count == 3)
        }
    }

    /// Names that are equal without their endings or signs differ by the digest.
    @Test func eachPhotoHasItsOwnName() throws {
        let names = ["a b.heic", "a-b.png", "полка.jpg"].map {
            PhotoProposal(photo: $0, digest: "0123456789", reader: "x").name
        }
        #expect(names == ["a-b-01234567", "a-b-01234567", "------01234567"])
    }

    @Test func agreementTellsPhotosApartByTheirContent() async throws {
        let place = try Workplace()
        try place.picture(place.folder("others/a.png"), 9)
        let inside = Quad(left: 1, top: 1, right: 199, bottom: 399)
        func dataset(_ name: String, _ outline: Quad, _ photo: String) async throws -> Dataset {
            let store = try place.store(name, try LabelPhoto.all([place.folder(photo)]))
            await store.readAll()
            try await store.answer(answer(.label, "1", label(outline: outline)))
            return try #require(try await store.write(name: nil, licence: nil))
        }
        let ann = try await dataset("ann", whole, "photos/a.png")
        var ben = try await dataset("ben", inside, "photos/a.png")
        // As 'dataset merge' renames a group.
        ben.samples[0].group = "ben-\(ben.samples[0].group ?? "")"
        let agreement = LabelAgreement(ann, ben)
        // 198 · 398 of 200 · 400 pixels.
        #expect(agreement.spines == 1 && abs((agreement.meanOverlap ?? 0) - 0.985_05) < 1e-12)
        let other = try await dataset("other", whole, "others/a.png")
        #expect(LabelAgreement(ann, other).spines == 0)
    }

    @Test func writesAtTheSameTimeDoNotDisturbEachOther() async throws {
        let place = try Workplace()
        let store = try place.store()
        await store.readAll()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                let outline = Quad(left: 10, top: 10, right: Double(60 + number), bottom: 390)
                let answer = answer(.label, "1", label(outline: outline), photo: number % 2)
                group.addTask {
                    try await store.answer(answer)
                    _ = try await store.write(name: nil, licence: nil)
                }
            }
            try await group.waitForAll()
        }
        #expect(try DatasetLoader().load(place.folder("set")).samples.count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder("set/images")).count == 2)
    }

    @Test func labelledPhotosThatAreMissingAndUnreadableOnesAreKnown() async throws {
        let place = try Workplace()
        try await labelA(place)
        let store = try place.store("set", Array(place.photos.dropFirst()))
        #expect(await store.missing == ["a.png"])
        #expect(try await store.checkUnread(.header).map { $0.prefix(6) } == ["c.jpg:"])
        let photos = await store.overview().photos
        #expect(photos.map(\.name) == ["b <i>.png", "c.jpg"] && photos.map(\.isRead) == [false, true])
    }

    private func labelA(_ place: Workplace) async throws {
        let only = try place.store("set", [place.photos[0]])
        await only.readAll()
        try await only.answer(answer(.label, "1", label()))
        only.end()
    }

    @Test func aLineOfLabelsWithAnOutlineOutsideThePhotoIsAnError() async throws {
        let place = try Workplace()
        try await labelA(place)
        let text = try place.folder.text(of: "set/labels.jsonl")
        try place.folder.write(text.replacing("390", with: "1e308"), "set/labels.jsonl")
        let error = #expect(throws: DatasetError.self) { _ = try place.store() }
        #expect(error.map { "\($0)" }?.contains("labels.jsonl:1: the outline is outside") == true)
    }

    @Test func theDatasetIsBesideThePhotosAndADeviceIsRejected() throws {
        let here = FileManager.default.currentDirectoryPath
        for path in [".", "./", here] {
            #expect(try LabelCommand.parse([path]).folder.path == here + "-dataset")
        }
        #expect(try LabelCommand.parse(["a", "b", "--out", "/x/y/"]).folder.path == "/x/y")
        #expect(throws: (any Error).self) { _ = try LabelCommand.parse(["/dev/null"]) }
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
            // The line without its newline alone is complete.
            #expect(found.map(\.spine) == (end == 1 ? ["1", "2"] : ["1"]))
            let journal = try LineJournal<LabelEntry>(path)
            _ = try journal.entries()
            try journal.append(entry("3"))
            #expect(try folder.lines(of: "labels.jsonl").count == (end == 1 ? 3 : 2))
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
        await store.readAll()
        let journal = place.folder("set/labels.jsonl")
        let server = LabelServer(store: store, write: { "written" }, port: 0, token: "abc123")
        try await server.server.serve { (client: TestClient) async throws in
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
                let response = try await client.send(method, path, headers: headers, body: Array(body.utf8))
                return (response.status.code, response.text)
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
                "photo=0&turn=cw&quad=nan,1,2,3,4,5,6,7", "photo=0&turn=cw&quad=0,0,1e308,0,1e308,1e308,0,1e308",
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
