import Basics
import CaptureReading
import Foundation
import Imaging
import VisualSearch

extension EnrichmentData {
    init(_ entity: BookEntity) {
        var book = BookContext(title: entity.title, authors: entity.authors, isbn: entity.isbn)
        (book.year, book.confidence) = (entity.year, entity.confidence)
        self.init(book)
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

    func describe(_ item: inout CapturedItem) {
        let shown = TextSecrets(in: payload).redacted
        item.enrichment.qrContext = QRCodeContext(
            payload: payload,
            symbology: symbology.rawValue,
            redacted: shown == payload ? nil : shown,
            isPartial: isPartial ? true : nil
        )
        // An item that was found before its kind was known.
        if [.qrCode, .web].contains(item.kind) { item.kind = kind }
        if let isbn { item.enrichment.merge(EnrichmentData(bookContext: BookContext(isbn: isbn.digits))) }
        if let url = webAddress { item.url = url }
        guard item.title.isEmpty else { return }
        let title = isbn?.digits ?? (isPartial ? "Part of a text in several codes: \(shown)" : shown)
        item.title = title.bounded(to: 100)
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

extension [ProviderAnswer] {
    /// Failed providers and the reasons ("link: timed out after 30 s"); nil when all succeeded.
    var problem: String? {
        let problems = compactMap { answer -> String? in
            switch answer.outcome {
            case .answered, .nothing: nil
            case .failed(let reason): "\(answer.provider): \(reason)"
            case .timedOut:
                "\(answer.provider): timed out after \(Int((answer.duration / .seconds(1)).rounded())) s"
            case .skipped(let reason): "\(answer.provider): not asked: \(reason)"
            }
        }
        return problems.isEmpty ? nil : problems.joined(separator: "; ").bounded(to: 500)
    }
}

extension EnrichmentQuery {
    /// Creates a question about an item, with all of its known facts.
    init(_ item: CapturedItem, askedAt: Date = Date()) {
        self.init(kind: item.kind, time: item.capturedAt, askedAt: askedAt)
        let book = item.enrichment.bookContext
        url = item.url.flatMap { URL(string: $0) }
        isbn = book?.isbn
        title = book?.title ?? item.title.known
        authors = book?.authors ?? []
        coordinate = item.coordinate
        motion = item.motion
        self = refined(by: item.enrichment)
    }
}

extension CapturedItem {
    mutating func describe(_ book: BookEntity) {
        enrichment.merge(EnrichmentData(book))
        if !isTitledByUser { title = book.title }
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
        tags.unite(narrative.tags)
    }

    /// The best title that is known and has no secrets; nil for none.
    var bestTitle: String? {
        let titles = [enrichment.bookContext?.title, enrichment.musicContext?.title, enrichment.title, title]
        let known = titles.compactMap { $0?.known }
        if let strong = known.first(where: { !EnrichmentData.isWeak(title: $0) }) { return strong }
        if let line = media.transcription?.split(whereSeparator: \.isNewline).first(where: { $0.count > 2 }) {
            return TextSecrets(in: String(line).bounded(to: 4_096)).redacted.bounded(to: 50)
        }
        // The existing one of several weak titles is kept, independent of a source's name ("Untitled").
        let weak =
            title.known ?? known.first ?? enrichment.placeContext?.name.map { "At \($0)" } ?? media.filename ?? url
        return weak.map { TextSecrets(in: $0).redacted }
    }
}

extension NarrativeInput.Item {
    init(_ item: CapturedItem, children: [CapturedItem] = []) {
        self.init(time: item.capturedAt)
        label = item.isWebPage ? "web" : item.labels.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
        title = item.enrichment.title ?? (item.title == item.media.filename ? "" : item.title)
        text = item.enrichment.webContext?.textContent ?? item.enrichment.descriptionText ?? ""
        let written = item.media.transcription ?? ""
        // The text is cut to the longest quote of any narrator.
        let beginning = written.bounded(to: 600)
        transcription = TextSecrets(in: beginning).redacted + String(written.dropFirst(beginning.count))
        book = item.enrichment.bookContext.flatMap { book in book.title.map { ($0, book.authors) } }
        site = item.isWebPage ? item.enrichment.webContext?.siteName ?? "" : ""
        codes = ([item] + children).compactMap { NarrativeInput.Code($0) }
        music = item.enrichment.musicContext.flatMap { music in music.title.map { ($0, music.artists) } }
        place = item.enrichment.placeContext?.name ?? ""
        categories = item.enrichment.categories
        weather = item.enrichment.weatherContext?.condition ?? ""
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
            default: .text
            }
        // Without another name, its title is its content.
        let name = item.enrichment.bookContext?.title ?? item.enrichment.title ?? ""
        let content = TextSecrets(
            in: item.kind == .book ? item.enrichment.bookContext?.isbn ?? code.payload : code.payload
        )
        self.init(content.redacted, subject: subject, name: EnrichmentData.isWeak(title: name) ? "" : name)
        isPartial = code.isPartial == true
    }
}

extension CapturedItem {
    /// Secrets of the code that it is, and of its address.
    var secrets: [String] {
        [enrichment.qrContext?.payload, url].flatMap { $0.map { TextSecrets(in: $0).secrets } ?? [] }
    }
}
