import CaptureReading

/// Source of facts, the most trusted first.
package enum SourceID: String, Codable, Sendable, CaseIterable, Comparable {
    /// The person.
    case user
    /// A picture that looks like it, of which a person said what it shows.
    case remembered
    /// This device's catalogue of books.
    case catalogue = "book"
    case link
    /// A service of earlier programs, whose answers are kept.
    case books
    case home, place, weather, music
    /// What was read off the picture itself.
    case picture
    /// A search service: it answers any question, and counts only where evidence agrees.
    case search = "web-search"

    package static func < (a: SourceID, b: SourceID) -> Bool {
        allCases.firstIndex(of: a) ?? 0 < allCases.firstIndex(of: b) ?? 0
    }
}

/// A source that failed when it was asked last.
package struct SourceProblem: Codable, Sendable, Equatable {
    var source: SourceID
    var reason: String
    /// Whether another try may succeed: after a timeout, a 5xx, or a server that is left alone for a while.
    var isPassing: Bool
    /// Seconds before another try that its server asked for.
    var wait: Double?
    /// Whether it was not asked, as its server had failed repeatedly or had asked for a wait; nil where it was.
    var isUnasked: Bool?
}

extension SourceProblem {
    init(_ source: SourceID, _ error: any Error) {
        self.init(source: source, reason: "\(error)", isPassing: true)
        var pause: Duration?
        switch error {
        case EnrichmentError.busy(_, let wait): pause = wait
        case EnrichmentError.postponed(_, let wait): (reason, isUnasked, pause) = ("not asked: \(reason)", true, wait)
        case is CancellationError: reason = "it was cancelled"
        default: isPassing = false
        }
        reason = TextSecrets(in: reason.bounded(to: 500)).redacted
        wait = pause.map { $0 / .seconds(1) }
    }
}

extension [SourceProblem] {
    /// The sources with their reasons; nil for none.
    package var words: String? {
        isEmpty ? nil : map { "\($0.source.rawValue): \($0.reason)" }.joined(separator: "; ").bounded(to: 500)
    }
}

/// Facts that one source said of an item.
struct SourceAnswer: Codable, Sendable, Equatable {
    var source: SourceID
    var facts = Facts()
    /// Failure when it was asked last; its facts are those of before.
    var failure: SourceProblem?
    /// Agreement of a search service's answer with the other sources; nil before they are compared, and for others.
    var agreement: Evidence.Agreement?

    /// Whether the source was asked.
    var isAsked: Bool { failure?.isUnasked != true }

    /// The outcome of asking, for the log.
    var outcome: String {
        failure.map { isAsked ? "failed: \($0.reason)" : $0.reason }
            ?? (facts == Facts() ? "found nothing" : "answered")
    }
}

extension [SourceAnswer] {
    /// Facts that a source said; nil where it said nothing.
    subscript(source: SourceID) -> Facts? { first { $0.source == source }?.facts }

    /// Keeps a source's newer answer, completed by its earlier one.
    ///
    /// After a failure, of a poorer page and of a later
    /// weather, it only completes that one. Another answer of a search service replaces it.
    mutating func keep(_ new: SourceAnswer) {
        guard let place = firstIndex(where: { $0.source == new.source }) else {
            return insert(new, at: firstIndex { $0.source > new.source } ?? endIndex)
        }
        self[place].failure = new.failure
        var (facts, known) = (new.facts, self[place].facts)
        if new.source == .search {
            if facts == Facts() { return }
        } else {
            if new.failure != nil || new.source == .weather || facts.isPoorer(than: known) { swap(&facts, &known) }
            facts.fill(from: known)
        }
        self[place].facts = facts
    }
}

extension Facts {
    /// Creates the facts of an item: each is that of the most trusted source that has it.
    ///
    /// A search service adds title and description where evidence agrees; a service for books that answered about
    /// another book adds nothing.
    init(folding answers: [SourceAnswer]) {
        self.init()
        for answer in answers.sorted(by: { $0.source < $1.source }) {
            var facts = answer.facts
            switch answer.source {
            case .search:
                guard answer.agreement == .agrees else { continue }
                facts = Facts(title: facts.title, descriptionText: facts.descriptionText)
            case .catalogue, .books:
                if let book = bookContext, facts.bookContext?.differs(from: book) == true { continue }
            default: break
            }
            fill(from: facts)
        }
    }

    /// Factor by which a page's known text must be longer than the new one for the latter to be poorer.
    private static let muchLonger = 3

    /// Returns whether this page has less content than the known one: it replaced the page, lacks the known title, or
    /// has less than a third of its text.
    fileprivate func isPoorer(than known: Facts) -> Bool {
        guard webContext != nil, !known.isInterstitial else { return false }
        if isInterstitial { return true }
        guard let text = known.webContext?.textContent?.known else { return false }
        if title?.known == nil, known.title?.known != nil { return true }
        return (webContext?.textContent ?? "").utf8.count * Self.muchLonger < text.utf8.count
    }

    private var isInterstitial: Bool {
        webContext != nil && Interstitial.isOne(title: title, text: webContext?.textContent)
    }
}
