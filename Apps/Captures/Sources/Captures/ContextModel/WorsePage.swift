import CaptureReading

extension EnrichmentData {
    /// Factor by which a page's known text must be longer than the new one for the latter to be worse.
    private static let muchLonger = 3

    /// Returns whether this page has less content than the known one: it replaced the page, lacks the known title, or
    /// has less than a third of its text.
    func isWorsePage(than known: EnrichmentData) -> Bool {
        guard webContext != nil, !known.isInterstitial else { return false }
        if isInterstitial { return true }
        guard let text = known.webContext?.textContent?.known else { return false }
        if title?.known == nil, known.title?.known != nil { return true }
        return (webContext?.textContent ?? "").utf8.count * Self.muchLonger < text.utf8.count
    }

    /// Returns this page without the known title and texts: the facts that a worse page may add.
    func additions(to known: EnrichmentData) -> EnrichmentData {
        var rest = self
        if known.title?.known != nil { rest.title = nil }
        if known.descriptionText?.known != nil { rest.descriptionText = nil }
        if known.image?.known != nil { rest.image = nil }
        // The known facts of the page take precedence.
        if let page = known.webContext { rest.webContext?.merge(page) }
        return rest
    }

    private var isInterstitial: Bool {
        webContext != nil && Interstitial.isOne(title: title, text: webContext?.textContent)
    }
}
