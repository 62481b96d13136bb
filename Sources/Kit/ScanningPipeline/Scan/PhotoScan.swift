public import BookCatalogue
public import Foundation
public import ScanningPolicies
public import Talaria
public import TextRecognition

/// What has become of one spine.
public struct PhotoScan: Sendable, Equatable, Identifiable {
    /// Where it stands.
    public enum Status: String, Sendable, Codable, CaseIterable {
        /// In the library, under a title.
        case book
        /// In the library, as what was read: nobody knows the book.
        case draft
        /// Waits for the back end; a book that the device's own catalogue was sure of is in the library already.
        case queued
        /// Neither in the library nor in the queue: nobody found text or a book on it, or the back end refused it.
        case unread
    }

    /// Where the time went; detail, not evidence.
    public struct Timings: Sendable, Equatable {
        /// Making the picture ready to be sent; nil when it was not.
        public var preparation: Duration?
        /// From the picture's file to pixels, for the device's reader; nil when it read none.
        public var decoding: Duration?
        /// Reading on the device, without decoding; nil when the device did not read.
        public var reading: Duration?
        /// Of that, inside the detection model.
        public var detectionInference: Duration?
        /// And inside the recognition and orientation models.
        public var recognitionInference: Duration?
        /// Looking the text up on the device.
        public var matching: Duration?
        /// From the request to the back end's answer to a text, or to its failure.
        public var enrichment: Duration?
        /// Likewise, to a picture.
        public var upload: Duration?
    }

    /// Of the draft and of the queued scan as well.
    public internal(set) var id: UUID
    /// What the caller calls the picture, with the place (#ROW.INDEX) of one of several spines on it.
    public internal(set) var name: String
    /// The way that it went.
    public let strategy: ScanStrategy
    /// The number of the camera's frame; nil for a photo.
    public internal(set) var frame: Int?
    /// Place on the photo that the back end gives it; nil where it gives none, and for what was read on the device.
    public internal(set) var place: SpinePlace?
    /// SHA-256 of the picture's file in hexadecimal; nil for a frame.
    public var picture: String?
    /// As read on the device, in reading order; quads in the picture's pixels.
    public var lines: [RecognizedLine] = []
    /// Where they were read.
    var subject = NamingPolicy.Subject.spine
    /// What the device's own catalogue says of them; nil when it was not asked yet.
    var named: NamedText?
    /// The book that the device's catalogue named for certain when a frame was read; nil for none.
    var sureBook: BookRecord?
    /// As the back end read it off the picture that it was sent; nil when it was sent none, or does not say.
    public var remoteLines: [ReadLine]?
    /// How the answer to a picture came; nil when none did.
    public var stream: StreamCounts?
    /// Of the text, as read on the device.
    public var orientation: TextOrientation?
    /// Books that it may be, the likeliest first, from whoever answered.
    public var candidates: [BookMatch] = []
    /// The book that it is taken for; nil when nobody was sure enough.
    public var answer: BookMatch?
    /// Whether the answer is what the back end read, put together as a book: it knows no book of that title.
    public var isDraft = false
    /// Whether its owner should look at the answer.
    public var needsReview = false
    /// Whose answer it is.
    public var source = Reconciliation.Source.neither
    /// The tiers that worked on it, in order.
    public var path: [LibraryBook.Tier] = []
    /// Where it stands.
    public var status = Status.unread
    /// Its record; nil when there is none yet.
    public var book: LibraryBook?
    /// Why the back end did not answer; nil when it did, or was not asked.
    public var problem: String?
    /// How long the back end is not to be asked for; nil when it may be asked at once.
    public var retryAfter: Duration?
    /// What left the device for it until its result; what a cleanup sends later is in the ledger alone.
    public var egress = EgressLedger.Totals()
    /// Where the time went.
    public var timings = Timings()

    init(id: UUID, name: String, strategy: ScanStrategy) {
        self.id = id
        self.name = name
        self.strategy = strategy
    }

    /// What was read, as the back end takes it: a line on each line.
    var text: String { lines.map(\.text).joined(separator: "\n") }

    /// What a draft shows: what the device read, or else what the back end read off the picture that it was sent.
    var draftLines: [String] { lines.isEmpty ? (remoteLines ?? []).map(\.text) : lines.map(\.text) }

    /// Mean confidence of the lines that were read here, weighted by their length; nil when nothing was read.
    var readingConfidence: Double? {
        SpineReading(lines: lines, orientation: orientation, timings: StageTimings()).confidence
    }
}

/// What happens on a spine's way, told at the moment it happens.
public enum Milestone: Sendable, Equatable {
    case text([RecognizedLine])
    /// The ghost entry is in the library (S0-T03).
    case draft(Draft)
    /// The device's own catalogue has been asked; nil when it is not sure.
    case matched(BookMatch?)
    /// The back end's answer is in the library; nil when it knows no book.
    case enriched(LibraryBook?)
    case queued(String)
}
