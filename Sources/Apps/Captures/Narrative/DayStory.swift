import Foundation

/// Description of a day by the log of its events.
enum DayStory {
    package struct Event: Sendable {
        var time: Date
        /// Statement about the event ("Reading “Emma” by Jane Austen.").
        var text: String
    }

    /// Length of the described period.
    static let window: TimeInterval = 24 * 3_600

    /// Parts of the day with their first hours.
    private static let parts: [(name: String, from: Int)] = [
        ("Night", 0), ("Morning", 5), ("Afternoon", 12), ("Evening", 17),
    ]

    /// Returns a sentence of the parts of the day, in their order; nil when nothing happened in the 24 hours before
    /// `now`.
    ///
    /// - Returns: the story, such as "Morning: reading “Emma” by Jane Austen. Evening: opening a page, and 3 more."
    static func tell(_ events: [Event], now: Date, calendar: Calendar) -> String? {
        let start = now.addingTimeInterval(-window)
        let events = events.filter { $0.time > start && $0.time <= now }.sorted { $0.time < $1.time }
        guard !events.isEmpty else { return nil }
        var story: [(key: DateComponents, name: String, texts: [String])] = []
        for event in events {
            let text = PlainText.sentence(event.text, most: Narrative.mostStatement).dropLast()
            guard !text.isEmpty else { continue }
            var key = calendar.dateComponents([.year, .month, .day, .hour], from: event.time)
            let hour = key.hour ?? 0
            let part = parts.last { $0.from <= hour } ?? parts[0]
            key.hour = part.from
            if story.last?.key != key { story.append((key, part.name, [])) }
            let words = text.prefix(1).lowercased() + text.dropFirst()
            if !story[story.count - 1].texts.contains(words) { story[story.count - 1].texts.append(words) }
        }
        guard !story.isEmpty else { return nil }
        return story.map { part in
            let shown = part.texts.prefix(2).joined(separator: ", then ")
            let more = part.texts.count > 2 ? ", and \(part.texts.count - 2) more" : ""
            return "\(part.name): \(shown)\(more)."
        }.joined(separator: " ")
    }
}
