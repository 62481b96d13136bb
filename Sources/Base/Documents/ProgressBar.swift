/// The progress of a long work, as one line that is redrawn.
package enum ProgressBar {
    /// Returns "fast ██████░░░░ 12/40, 3.1/s, 9 s left", no wider than the terminal: the bar is shortened first, then
    /// the news, then the label.
    ///
    /// `total` is nil if time decides, and then the bar is omitted; `news` is ordered from the least to the most
    /// important; `width` is in columns; the last one is left free: some terminals wrap the line there.
    package static func line(_ label: String, done: Int, total: Int?, news: [String], width: Int) -> String {
        let room = max(10, width - 1)
        var news = news
        func counts() -> String {
            ([total.map { "\(done)/\($0)" } ?? "\(done) done"] + news).joined(separator: ", ")
        }
        let head = label.isEmpty ? "" : label + " "
        while news.count > 1, TextWidth.of(head + counts()) + (total == nil ? 0 : 9) > room { news.removeFirst() }
        let left = room - TextWidth.of(counts())
        guard let total else { return TextWidth.cut(head, to: max(0, left)) + TextWidth.cut(counts(), to: room) }
        let bar = min(30, left - TextWidth.of(head) - 1)
        guard bar >= 8 else { return TextWidth.cut(TextWidth.cut(head, to: max(0, left)) + counts(), to: room) }
        let filled = total == 0 ? bar : min(bar, bar * done / total)
        return head + String(repeating: "█", count: filled) + String(repeating: "░", count: bar - filled) + " "
            + counts()
    }
}
