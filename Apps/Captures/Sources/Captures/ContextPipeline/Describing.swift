import Basics
import CaptureReading
import Foundation
import Imaging
import TextRecognition
import VisualSearch

extension EnrichmentData {
    init(_ entity: BookEntity) {
        var book = BookContext(title: entity.title, authors: entity.authors, isbn: entity.isbn)
        (book.year, book.confidence) = (entity.year, entity.confidence)
        self.init(book)
    }
}

extension SceneReading {
    func corners(of quad: Quad) -> Corners {
        let points = [quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft]
        return Corners(points.map { ($0.x, $0.y) }, width: width, height: height)
    }

    /// The transcription's lines with their places.
    var placed: [PlacedText] {
        credible.prefix(MediaMetadata.mostLines).map { PlacedText(text: $0.text, corners: corners(of: $0.quad)) }
    }
}

extension FoundCode {
    var kind: ItemKind {
        if isbn != nil { return .book }
        if isProduct { return .product }
        return webAddress.map(CaptureIntake.kind(ofAddress:)) ?? .qrCode
    }

    /// The address that it is; nil for anything else, and for a part of one.
    private var webAddress: String? { isPartial ? nil : CaptureIntake.webAddress(payload) }

    /// Whether the code is the number of a product: not that of a book, or a text read from one (GS1 General
    /// Specifications, 1.4.2).
    private var isProduct: Bool {
        switch symbology {
        // 979-0 is the number of printed music (ISMN).
        case .ean13: !payload.hasPrefix("978") && (!payload.hasPrefix("979") || payload.hasPrefix("9790"))
        case .ean8, .upcA, .upcE: true
        case .qr, .code128: false
        }
    }

    /// Returns its part of a picture, with a margin of a tenth; nil for one without a place.
    func crop(of image: RasterImage) -> RasterImage? {
        let margin = max(maxX - minX, maxY - minY) / 10
        let (left, top) = (max(0, minX - margin), max(0, minY - margin))
        let (right, bottom) = (min(image.width, maxX + margin), min(image.height, maxY + margin))
        guard right > left, bottom > top else { return nil }
        return image.cropped(x: left, y: top, width: right - left, height: bottom - top)
    }

    func describe(_ item: inout CapturedItem, in scene: SceneReading) {
        let (left, top, right, bottom) = (Double(minX), Double(minY), Double(maxX), Double(maxY))
        item.outline = scene.corners(of: Quad(left: left, top: top, right: right, bottom: bottom))
        let meaning = isPartial ? nil : CodeMeaning(payload)
        item.enrichment.qrContext = QRCodeContext(
            payload: payload,
            symbology: symbology.rawValue,
            meaning: meaning,
            isPartial: isPartial ? true : nil
        )
        // An item that was found before its kind was known.
        if [.qrCode, .web].contains(item.kind) { item.kind = kind }
        if let isbn { item.enrichment.merge(EnrichmentData(bookContext: BookContext(isbn: isbn.digits))) }
        if let url = webAddress { item.url = url }
        guard item.title.isEmpty else { return }
        let shown = TextSecrets(in: payload).redacted
        let text = isPartial ? "Part of a text in several codes: \(shown)" : shown
        item.title = PlainText.line(isbn?.digits ?? meaning?.title ?? text, most: 100)
    }
}

extension ProviderAnswer.Outcome {
    var words: String {
        switch self {
        case .answered: "answered"
        case .nothing: "found nothing"
        case .failed(let reason): "failed: \(reason)"
        case .timedOut: "did not answer in time"
        case .skipped(let reason): "not asked: \(reason)"
        }
    }
}

extension ProviderAnswer {
    /// The provider with the reason of its failure ("timed out after 30 s"); nil when it succeeded.
    var problem: SourceProblem? {
        let reason: String? =
            switch outcome {
            case .answered, .nothing: nil
            case .failed(let reason): reason
            case .timedOut: "timed out after \(Int((duration / .seconds(1)).rounded())) s"
            case .skipped(let reason): "not asked: \(reason)"
            }
        return reason.map { reason in
            let shown = TextSecrets(in: reason.bounded(to: 500)).redacted
            return SourceProblem(
                source: provider,
                reason: shown,
                isPassing: isPassing,
                wait: wait.map { $0 / .seconds(1) }
            )
        }
    }
}

extension [SourceProblem] {
    /// The sources with their reasons; nil for none.
    package var words: String? {
        isEmpty ? nil : map { "\($0.source): \($0.reason)" }.joined(separator: "; ").bounded(to: 500)
    }
}

extension EnrichmentQuery {
    /// Creates a question about an item, with all of its known facts; `url` is its whole address, if it has secrets.
    init(_ item: CapturedItem, url whole: String? = nil, askedAt: Date = Date()) {
        self.init(kind: item.kind, time: item.capturedAt, askedAt: askedAt)
        let book = item.enrichment.bookContext
        url = (whole ?? item.url).flatMap { URL(string: $0) }
        let seen = PlainText.line(item.media.transcription ?? "", most: 60).replacing("…", with: "")
        seenText = TextSecrets(in: seen).redacted.known
        isbn = book?.isbn
        // The text of a spine is not a title.
        title = book?.title ?? (item.unidentifiedTitle == nil ? item.title.known : nil)
        authors = book?.authors ?? []
        coordinate = item.coordinate
        self = refined(by: item.enrichment)
    }
}

extension CapturedItem {
    mutating func describe(address: String) {
        url = address
        if title.isEmpty { title = PlainText.line(TextSecrets(in: address).redacted, most: 100) }
    }

    mutating func describe(_ book: BookEntity, in scene: SceneReading) {
        outline = book.place?.outline.map(scene.corners)
        enrichment.merge(EnrichmentData(book).credited(to: "picture"))
        if !isTitledByUser { title = book.title }
    }

    /// Describes a book of a shelf by its spine; as a draft where it is not identified.
    mutating func describe(_ spine: SeenSpine, in scene: SceneReading) {
        outline = spine.place.outline.map(scene.corners)
        media.transcription = spine.text.joined(separator: "\n").known ?? media.transcription
        if let book = spine.book { return describe(book, in: scene) }
        if title.isEmpty { state = .review }
        if !isTitledByUser { title = unidentifiedTitle ?? "Not identified" }
    }

    /// Whether it is a spine of a shelf without a book, and no person has changed it.
    var isDraft: Bool { kind == .book && parentID != nil && enrichment.bookContext == nil && !isTitledByUser }

    /// Title of a book by the text that was read; nil for an identified one, without text, and for other items.
    var unidentifiedTitle: String? {
        guard kind == .book, enrichment.bookContext?.title == nil, let text = media.transcription?.known else {
            return nil
        }
        let line = TextSecrets(in: text.bounded(to: 4_096)).redacted.split(whereSeparator: \.isWhitespace)
        return "Not identified: “\(line.joined(separator: " ").bounded(to: 60))”"
    }

    /// Adopts the kind of a page's subject: a piece of music, a film or a product.
    mutating func settleKind() {
        if kind == .web { kind = EnrichmentQuery(self).kind }
    }

    /// Whether it is a web address, with any content.
    var isWebPage: Bool { kind == .web || url != nil && [.media, .product].contains(kind) }

    /// Applies a narrative; the existing text is kept when nothing is new, or when the generator that wrote it
    /// failed.
    mutating func take(_ narrative: Narrative, at date: Date) {
        if let reason = narrative.fallback {
            note(ItemEvent(at: date, stage: "narrator", outcome: "summarised by rules: \(reason)"))
            if summary != nil { return }
        }
        summary = narrative.summary
        statements = narrative.statements
        if let purpose = narrative.purpose { purposes.unite([purpose]) }
        // Its own name is not a tag.
        let names = Set([title, bestTitle, enrichment.title].map { FoldedText.key($0 ?? "") })
        tags = narrative.tags.filter { !names.contains(FoldedText.key($0)) }
    }

    /// The best title that is known and has no secrets; nil for none.
    var bestTitle: String? {
        // A book may be called "1984".
        if let book = enrichment.bookContext?.title?.known, book.contains(where: { $0.isLetter || $0.isNumber }) {
            return book
        }
        let titles = [enrichment.musicContext?.title, enrichment.title, title]
        let known = titles.compactMap { $0?.known }
        if let strong = known.first(where: { !EnrichmentData.isWeak(title: $0) }) { return strong }
        if let line = media.transcription?.split(whereSeparator: \.isNewline)
            .first(where: { $0.count > 2 && $0.contains(where: \.isLetter) })
        {
            return PlainText.line(TextSecrets(in: String(line).bounded(to: 4_096)).redacted, most: 60)
        }
        if let thing = NarrativeInput.Item(self).thing, thing.isSure { return PlainText.capitalised(thing.name) }
        // The existing one of several weak titles is kept, independent of a source's name ("Untitled").
        let weak =
            title.known ?? known.first ?? enrichment.placeContext?.name.map { "At \($0)" } ?? media.filename ?? url
        guard let weak = weak.map({ TextSecrets(in: $0).redacted }), !weak.contains(where: \.isLetter) else {
            return weak
        }
        // Digits alone name nothing.
        let noun = [.book: "Book", .product: "Product"][kind] ?? (enrichment.qrContext == nil ? "Number" : "Code")
        return "\(noun) \(weak)"
    }
}

extension NarrativeInput.Item {
    init(_ item: CapturedItem, children: [CapturedItem] = []) {
        self.init(time: item.capturedAt)
        func most(_ labels: [String: Double]) -> (key: String, value: Double)? {
            labels.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { ($0.key, $0.value) }
        }
        label = item.isWebPage ? "web" : most(item.labels.filter { SceneLabel(rawValue: $0.key) != nil })?.key ?? ""
        let things = item.labels.filter {
            SceneLabel(rawValue: $0.key) == nil && $0.value >= NarrativeInput.Thing.leastPerhaps
        }
        thing = most(things).map { NarrativeInput.Thing(name: $0.key, confidence: $0.value) }
        isNote = item.kind == .text && item.parentID == nil
        isHome = item.enrichment.placeContext?.isHome ?? false
        features = Set(
            ([item.kind.rawValue] + item.tags + item.enrichment.categories + item.labels.keys).map { $0.lowercased() }
        )
        let books = children.filter { $0.kind == .book }
        if item.kind == .shelf {
            bookCount = books.count
            self.books = books.compactMap { $0.enrichment.bookContext }.compactMap { book in
                book.title?.known.map { ($0, book.authors) }
            }
        }
        // The title of a picture was made of what is seen on it, unless a person gave it.
        let own = item.isTitledByUser || item.pictures[.original] == nil ? item.title : ""
        // A placeholder ("Untitled") is not a title, and a page without content was not reached.
        let known = item.enrichment.title.flatMap { EnrichmentData.isWeak(title: $0) ? nil : $0 }
        title = known ?? own
        let page = item.enrichment.webContext
        isReached = !item.isWebPage || [known, page?.siteName, page?.textContent].contains { $0?.known != nil }
        text = item.enrichment.webContext?.textContent ?? item.enrichment.descriptionText ?? ""
        let written = item.media.transcription ?? ""
        // The text is cut to the longest quote of any narrator.
        let beginning = written.bounded(to: 600)
        transcription = TextSecrets(in: beginning).redacted + String(written.dropFirst(beginning.count))
        book = item.enrichment.bookContext.flatMap { book in book.title.map { ($0, book.authors) } }
        site = item.isWebPage ? item.enrichment.webContext?.siteName ?? "" : ""
        address = item.url ?? ""
        codes = ([item] + children).compactMap { NarrativeInput.Code($0) }
        music = item.enrichment.musicContext.flatMap { music in music.title.map { ($0, music.artists) } }
        place = item.enrichment.placeContext?.name ?? ""
        categories = item.enrichment.categories
        weather = item.enrichment.weatherContext?.condition ?? ""
        // What is claimed was not measured: no story has it.
    }
}

extension NarrativeInput.Code {
    /// Creates the code that an item is; nil for any other item.
    init?(_ item: CapturedItem) {
        guard let code = item.enrichment.qrContext else { return nil }
        let subject: Subject =
            switch item.kind {
            case .book: .book
            case .product where !item.isWebPage: .product
            case .web, .media, .product: .page
            default: code.meaning == nil ? .text : .meaning
            }
        // Without another name, its title is its content.
        let name = item.enrichment.bookContext?.title ?? item.enrichment.title ?? ""
        let text = item.kind == .book ? item.enrichment.bookContext?.isbn : code.meaning?.title
        let content = TextSecrets(in: text ?? code.payload)
        self.init(content.redacted, subject: subject, name: EnrichmentData.isWeak(title: name) ? "" : name)
        isPartial = code.isPartial == true
        authors = item.enrichment.bookContext?.authors ?? []
    }
}

extension Evidence {
    /// Creates the evidence of an item: texts that were read off its picture and off the one in which it was found,
    /// its page, and its numbers.
    init(_ item: CapturedItem, knowing known: EnrichmentData, in parent: CapturedItem?) {
        let isOwn = ["title", "description"].map { !known.candidates.map(\.source).contains(known.sources[$0] ?? "") }
        var texts = [item.media.transcription, parent?.media.transcription, known.webContext?.textContent]
        texts += [isOwn[0] ? known.title : nil, isOwn[1] ? known.descriptionText : nil]
        if item.isTitledByUser { texts.append(item.title) }
        let numbers = [known.qrContext?.payload, known.bookContext?.isbn]
        self.init(texts: texts.compactMap(\.self), numbers: numbers.compactMap(\.self), place: known.placeContext)
    }
}
