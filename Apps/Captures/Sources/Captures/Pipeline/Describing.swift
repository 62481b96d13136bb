import Basics
import CaptureReading
import Foundation
import Imaging
import TextRecognition
import VisualSearch

extension Facts {
    init(_ entity: BookEntity) {
        var book = BookContext(title: entity.title, authors: entity.authors, isbn: entity.isbn)
        (book.year, book.confidence) = (entity.year, entity.confidence)
        self.init(book)
    }
}

extension SceneReading {
    func corners(of quad: Quad) -> Corners { Corners(quad, width: width, height: height) }

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

    var box: PixelBox { PixelBox(minX: minX, minY: minY, maxX: maxX, maxY: maxY) }

    /// Returns its part of a picture, with a margin of a tenth; nil for one without a place.
    func crop(of image: RasterImage) -> RasterImage? { image.cropped(to: box.grown(by: 0.1)) }

    func describe(_ item: inout CapturedItem, in scene: SceneReading) {
        item.outline = scene.corners(of: box.quad)
        let meaning = isPartial ? nil : CodeMeaning(payload)
        let code = QRCodeContext(
            payload: payload,
            symbology: symbology.rawValue,
            meaning: meaning,
            isPartial: isPartial ? true : nil
        )
        item.answer(.picture, Facts(qrContext: code, bookContext: isbn.map { BookContext(isbn: $0.digits) }))
        // An item that was found before its kind was known.
        if [.qrCode, .web].contains(item.kind) { item.kind = kind }
        if let url = webAddress { item.url = url }
        item.adoptTitle()
    }
}

extension EnrichmentQuery {
    /// Creates a question about an item, with all of its known facts; `url` is its whole address, if it has secrets.
    init(_ item: CapturedItem, url whole: String? = nil, askedAt: Date = Date()) {
        self.init(kind: item.kind, askedAt: askedAt)
        let book = item.enrichment.bookContext
        url = (whole ?? item.url).flatMap { URL(string: $0) }
        let seen = PlainText.line(item.media.transcription ?? "", most: 60).replacing("…", with: "")
        seenText = TextSecrets(in: seen).redacted.known
        isbn = book?.isbn ?? item.printedISBN
        let subject = Subject(item)
        title = book?.title ?? [.unidentified: nil, .code: subject.text.known][subject.kind, default: item.title.known]
        authors = book?.authors ?? []
        coordinate = item.coordinate
        self = refined(by: item.enrichment)
    }
}

extension CapturedItem {
    mutating func describe(address: String) {
        url = address
        adoptTitle()
    }

    mutating func describe(_ book: BookEntity, in scene: SceneReading) {
        outline = book.place?.outline.map(scene.corners)
        answer(.picture, Facts(book))
        adoptTitle()
    }

    /// Describes a book of a shelf by its spine; as a draft where it is not identified.
    mutating func describe(_ spine: SeenSpine, in scene: SceneReading) {
        outline = spine.place.outline.map(scene.corners)
        media.transcription = spine.text.joined(separator: "\n").known ?? media.transcription
        if let book = spine.book { return describe(book, in: scene) }
        if title.isEmpty { state = .review }
        adoptTitle()
    }

    /// Whether it is a spine of a shelf without a book, and no person has changed it.
    var isDraft: Bool { kind == .book && parentID != nil && enrichment.bookContext == nil && !isTitledByUser }

    /// Adopts the kind of its subject: of a page, a piece of music, a film or a product; of a text that is
    /// nothing but a book's number, or a picture with one, that book.
    mutating func settleKind() {
        if kind == .web { kind = EnrichmentQuery(self).kind }
        guard let book = enrichment.bookContext, book.title?.known != nil, book.isbn == printedISBN else { return }
        // The words of a number: "ISBN-13".
        let letters = media.transcription?.replacing(/(?i)isbn/, with: "").count { $0.isLetter && !"XxOo".contains($0) }
        if [.image, .document].contains(kind) || kind == .text && letters == 0 { kind = .book }
    }

    /// Whether it is a web address, with any content.
    var isWebPage: Bool { kind == .web || url != nil && [.media, .product].contains(kind) }

    /// Applies a narrative; the existing text is kept when nothing is new, or when the generator that wrote it
    /// failed.
    mutating func adopt(_ narrative: Narrative, at date: Date) {
        if let reason = narrative.fallback {
            note(ItemEvent(at: date, stage: "narrator", outcome: "summarised by rules: \(reason)"))
            if summary != nil { return }
        }
        (summary, statements) = (narrative.summary, narrative.statements)
        purposes = narrative.purpose.map { [$0] } ?? []
        // Its own name is not a tag.
        tags = narrative.tags.filter { FoldedText.key($0) != FoldedText.key(title) }
    }

    /// Takes its title from its subject, which may have others in it, where no person has named it; without one, from
    /// its place or its file.
    mutating func adoptTitle(of subject: Subject? = nil) {
        guard !isTitledByUser else { return }
        let place = enrichment.placeContext?.name?.known.map { "At \($0)" }
        title = (subject ?? Subject(self)).name ?? place ?? title.known ?? media.filename ?? ""
    }
}
