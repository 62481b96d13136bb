public import BookCatalogue
public import Foundation
public import ScanningPolicies
public import Talaria
public import TextRecognition

/// The state and result of one scanned spine.
public struct PhotoScan: Sendable, Equatable, Identifiable {
    /// The status of a scan.
    public enum Status: String, Sendable, Codable, CaseIterable {
        /// A book in the library, with a title.
        case book
        /// A draft in the library with the text that was read; the book is unidentified.
        case draft
        /// Waits for the back end; a book that the device's own catalogue was sure of is in the library already.
        case queued
        /// Neither in the library nor in the queue: no text or book was found, or the back end refused it.
        case unread
    }

    /// Durations of the parts of a scan; detail, not evidence.
    public struct Timings: Sendable, Equatable {
        /// Making the picture ready to be sent; nil when it was not.
        public var preparation: Duration?
        /// Decoding time from the file to pixels for the device's reader; nil when it read none.
        public var decoding: Duration?
        /// Reading on the device, without decoding; nil when the device did not read.
        public var reading: Duration?
        /// Time inside the detection model; part of the reading.
        public var detectionInference: Duration?
        /// Time inside the recognition and orientation models.
        public var recognitionInference: Duration?
        /// Looking the text up on the device.
        public var matching: Duration?
        /// Time from the request to the back end's answer to a text, or to its failure.
        public var enrichment: Duration?
        /// Time from the request to the back end's answer to a picture, or to its failure.
        public var upload: Duration?
    }

    /// Identifier of the scan, also that of its draft and its queued scan.
    public internal(set) var id: UUID
    /// Caller's name of the picture, with the place (#ROW.INDEX) of one of several spines on it.
    public internal(set) var name: String
    /// The way that it went.
    public let strategy: ScanStrategy
    /// The number of the camera's frame; nil for a photo.
    public internal(set) var frame: Int?
    /// Place on the photo reported by the back end; nil if it reports none, and for spines read on the device.
    public internal(set) var place: SpinePlace?
    /// SHA-256 of the picture's file in hexadecimal; nil for a frame.
    public var picture: String?
    /// Lines read on the device, in reading order; quads in the picture's pixels.
    public var lines: [RecognizedLine] = []
    /// Kind of picture on which the lines were read.
    var subject = NamingPolicy.Subject.spine
    /// Match of the device's own catalogue for the lines; nil before its first query.
    var named: NamedText?
    /// Whether the device's own answer became a book before the back end's came: that can only add to it.
    var isBookAlready = false
    /// The book that the device's catalogue named for certain when a frame was read; nil for none.
    var sureBook: BookRecord?
    /// Lines that the back end read off the uploaded picture; nil if no picture was sent or it reports no lines.
    public var remoteLines: [RemoteLine]?
    /// Counts of the stream that delivered the answer to a picture; nil without an answer.
    public var stream: StreamCounts?
    /// Orientation of the text read on the device.
    public var orientation: TextOrientation?
    /// Candidate books, the likeliest first, from the tier that answered.
    public var candidates: [BookMatch] = []
    /// Accepted book; nil if no tier was sure enough.
    public var answer: BookMatch?
    /// Whether the answer is the back end's text, put together as a book: it knows no book of that title.
    public var isDraft = false
    /// Whether the owner should review the answer.
    public var needsReview = false
    /// Tier that supplied the answer.
    public var source = Reconciliation.Source.neither
    /// The tiers that worked on it, in order.
    public var path: [LibraryBook.Tier] = []
    /// Status of the scan.
    public var status = Status.unread
    /// Library record of the spine; nil if it does not exist yet.
    public var book: LibraryBook?
    /// Reason for the back end's missing answer; nil if it answered or was not asked.
    public var problem: String?
    /// Time to wait before the next request to the back end; nil if a request may be sent at once.
    public var retryAfter: Duration?
    /// Traffic from the device for the scan until its result; later cleanups appear in the ledger alone.
    public var egress = EgressLedger.Totals()
    /// Durations of the parts of the scan.
    public var timings = Timings()

    init(id: UUID, name: String, strategy: ScanStrategy, picture: String? = nil) {
        (self.id, self.name, self.strategy, self.picture) = (id, name, strategy, picture)
    }

    /// Whether the device's own answer is a book that its owner should review.
    var isUnsure: Bool { answer.map { $0.confidence < NamingPolicy.standard.sure } ?? false }

    /// Recognised text in the back end's format: lines separated by newlines.
    var text: String { lines.map(\.text).joined(separator: "\n") }

    /// Lines of the draft: those read on the device, or else those that the back end read off the uploaded picture.
    var draftLines: [String] { lines.isEmpty ? (remoteLines ?? []).map(\.text) : lines.map(\.text) }

    /// Mean confidence of the lines that were read here, weighted by their length; nil when nothing was read.
    var readingConfidence: Double? {
        SpineReading(lines: lines, orientation: orientation, timings: StageTimings()).confidence
    }
}

/// An event of a scan, reported at the moment it happens.
public enum Milestone: Sendable, Equatable {
    /// Receiver of events.
    public typealias Handler = @Sendable (Milestone) -> Void

    case text([RecognizedLine])
    /// The ghost entry is in the library (S0-T03).
    case draft(Draft)
    /// The picture is ready to be sent.
    case prepared
    /// The device's own catalogue has been asked; nil when it is not sure.
    case matched(BookMatch?)
    /// The back end's answer is in the library; nil when it knows no book.
    case enriched(LibraryBook?)
    case queued(String)
}
