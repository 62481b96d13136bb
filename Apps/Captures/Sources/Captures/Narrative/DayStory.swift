import Foundation

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
    var fallback: String?
    var writtenAt: Date
    /// State of the captures when it was written: another state has another story.
    var basis: String

    /// Returns the local calendar day of a moment ("2026-11-27").
    static func name(of time: Date, _ calendar: Calendar) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: time)
        return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }

    /// Returns the local calendar day of a moment: its first moment, and that of the next day.
    static func bounds(of time: Date, _ calendar: Calendar) -> (start: Date, end: Date) {
        let start = calendar.startOfDay(for: time)
        return (start, calendar.date(byAdding: .day, value: 1, to: start) ?? start.addingTimeInterval(86_400))
    }
}
