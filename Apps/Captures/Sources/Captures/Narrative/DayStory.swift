package import Foundation

/// Story of the captures of one calendar day, as it is kept.
package struct DayStory: Codable, Sendable, Equatable {
    /// Local calendar day ("2026-11-27").
    package var day: String
    /// The story, at most 1,000 characters.
    package var text: String
    /// Number of captures that it is about; items found in a capture are not counted.
    package var captures: Int
    /// Origin of the text: "rules", or a model's name.
    package var narrator: String
    /// Reason why the requested narrator wrote nothing; nil when it did.
    package var fallback: String?
    package var writtenAt: Date
    /// State of the captures when it was written: another state has another story.
    var basis: String

    /// Returns the local calendar day of a moment ("2026-11-27").
    static func name(of time: Date, _ calendar: Calendar) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: time)
        func digits(_ number: Int?, _ count: Int) -> String {
            let text = String(number ?? 0)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(digits(parts.year, 4))-\(digits(parts.month, 2))-\(digits(parts.day, 2))"
    }

    /// Returns the local calendar day of a moment: its first moment, and that of the next day.
    static func bounds(of time: Date, _ calendar: Calendar) -> (start: Date, end: Date) {
        let start = calendar.startOfDay(for: time)
        return (start, calendar.date(byAdding: .day, value: 1, to: start) ?? start.addingTimeInterval(86_400))
    }
}
