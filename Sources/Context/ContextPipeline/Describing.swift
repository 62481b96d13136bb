import Basics
import ContextModel
import Enrichment
import Foundation
import Narrative
import Raster
import Sifting
import VisualSearch

extension EnrichmentData {
    /// What visual search says of a book.
    init(_ entity: BookEntity) {
        self.init()
        title = entity.title
        categories = ["Books"]
        var book = BookContext()
        book.title = entity.title
        book.authors = entity.authors
        book.isbn = entity.isbn
        book.year = entity.year
        book.confidence = entity.confidence
        bookContext = book
    }
}

extension FoundCode {
    /// Kind of the item that it makes.
    var kind: ItemKind {
        if isbn != nil { return .book }
        return CaptureIntake.webAddress(payload) == nil ? .qrCode : .web
    }

    /// Describes the item that it makes.
    func describe(_ item: inout CapturedItem) {
        item.enrichment.qrContext = QRCodeContext(payload: payload, symbology: symbology.rawValue)
        if let isbn {
            var book = BookContext()
            book.isbn = isbn.digits
            var data = EnrichmentData()
            data.bookContext = book
            item.enrichment.merge(data)
        }
        if let url = CaptureIntake.webAddress(payload) { item.url = url }
        if item.title.isEmpty { item.title = String(payload.prefix(100)) }
    }
}

extension ProviderAnswer.Outcome {
    /// As a log says it.
    var words: String {
        switch self {
        case .answered: "answered"
        case .nothing: "knows nothing"
        case .failed(let reason): "failed: \(reason)"
        case .timedOut: "gave no answer in time"
        case .skipped(let reason): "not asked: \(reason)"
        }
    }
}

extension CapturedItem {
    /// Takes over what is told of it; what is told already stays where nothing new is.
    mutating func take(_ narrative: Narrative) {
        summary = narrative.summary
        statements = narrative.statements
        if let purpose = narrative.purpose { purposes.unite([purpose]) }
        tags.unite(narrative.tags)
    }

    /// The best title that is known; nil for none.
    var bestTitle: String? {
        let titles = [enrichment.bookContext?.title, enrichment.musicContext?.title, enrichment.title, title]
        let known = titles.compactMap { $0?.known }
        if let strong = known.first(where: { !EnrichmentData.isWeak(title: $0) }) { return strong }
        if let line = media.transcription?.split(separator: "\n").first(where: { $0.count > 2 }) {
            return String(line.prefix(50))
        }
        return known.first ?? enrichment.placeContext?.name.map { "At \($0)" } ?? media.filename ?? url
    }
}

extension NarrativeInput.Item {
    /// What is known of an item.
    init(_ item: CapturedItem) {
        self.init(time: item.capturedAt)
        label = item.kind == .web ? "web" : item.labels.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
        title = item.enrichment.title ?? item.title
        text = item.enrichment.webContext?.textContent ?? item.enrichment.descriptionText ?? ""
        transcription = item.media.transcription ?? ""
        book = item.enrichment.bookContext.flatMap { book in book.title.map { ($0, book.authors) } }
        site = item.kind == .web ? item.enrichment.webContext?.siteName ?? "" : ""
        codes = item.enrichment.qrContext.map { [$0.payload] } ?? []
        music = item.enrichment.musicContext.flatMap { music in music.title.map { ($0, music.artists) } }
        place = item.enrichment.placeContext?.name ?? ""
        categories = item.enrichment.categories
        weather = item.enrichment.weatherContext?.condition ?? ""
    }
}

extension RasterImage {
    /// Itself where its long side is no longer than that, else a copy whose is.
    func fitted(to side: Int) -> RasterImage {
        let scale = Double(side) / Double(max(width, height))
        guard scale < 1 else { return self }
        return resized(
            width: max(1, Int((Double(width) * scale).rounded())),
            height: max(1, Int((Double(height) * scale).rounded()))
        )
    }
}
