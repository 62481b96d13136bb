import Basics
import Foundation

/// A time of an event as people write it.
///
/// Source: RFC 5545, 3.3.4 (date), 3.3.5 (date-time), 3.3.6 (duration), 3.3.10 (recurrence rule), 3.6.1 (a day's end).
package struct CalendarTime {
    /// "2026-11-27", or "2026-11-27 18:30 UTC"; the value itself where it is neither a date nor a time.
    package private(set) var text: String
    /// The day, where it has no time.
    private var day: Date?

    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    package init(_ line: ContentLine) {
        let value = line.value.trimmingCharacters(in: .whitespacesAndNewlines)
        text = value
        let form = /(\d{4})-?(\d\d)-?(\d\d)(?:[Tt ]?(\d\d):?(\d\d)(?::?(\d\d))?([Zz])?)?/
        guard let match = value.wholeMatch(of: form)?.output, let year = Int(match.1), let month = Int(match.2),
            let number = Int(match.3), Int(match.4 ?? "") ?? 0 < 24, Int(match.5 ?? "") ?? 0 < 60
        else { return }
        let date = DateComponents(year: year, month: month, day: number)
        guard date.isValidDate(in: Self.calendar) else { return }
        text = "\(match.1)-\(match.2)-\(match.3)"
        guard let hour = match.4, let minute = match.5 else {
            day = Self.calendar.date(from: date)
            return
        }
        text += " \(hour):\(minute)"
        if match.7 != nil {
            text += " UTC"
        } else if let zone = line.parameter("TZID"), !zone.allSatisfy(\.isWhitespace) {
            // Outlook's names begin with their own bracket.
            text += zone.hasPrefix("(") ? " \(zone)" : " (\(zone))"
        }
    }

    /// Returns an end: of days it is the last one, as DTEND is the day behind it; nil for the end of one day.
    package func text(after begin: CalendarTime?) -> String? {
        guard let day, let first = begin?.day else { return text }
        guard let last = Self.calendar.date(byAdding: .day, value: -1, to: day), last > first else { return nil }
        return last.formatted(.iso8601.year().month().day())
    }

    /// Returns a duration such as "PT1H30M" in words; itself where it is none.
    package static func duration(_ value: String) -> String {
        let form = /\+?P(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?/.ignoresCase()
        guard let match = value.trimmingCharacters(in: .whitespacesAndNewlines).wholeMatch(of: form)?.output else {
            return value
        }
        let parts = [(match.1, "week"), (match.2, "day"), (match.3, "hour"), (match.4, "minute"), (match.5, "second")]
        let words = parts.compactMap { number, unit -> String? in
            guard let count = number.flatMap({ Int($0) }), count > 0 else { return nil }
            return NumberText.count(count, unit)
        }
        return words.isEmpty ? value : words.joined(separator: " ")
    }

    /// Returns a rule such as "FREQ=WEEKLY;COUNT=10" in words, parts without words as written; itself where it is none.
    package static func repetition(_ rule: String) -> String {
        var parts: [(name: String, value: String)] = rule.split(separator: ";").map { part in
            let sides = part.split(separator: "=", maxSplits: 1).map {
                String($0).trimmingCharacters(in: .whitespacesAndNewlines)
            }
            return (sides.first?.uppercased() ?? "", sides.count > 1 ? sides[1] : "")
        }
        func take(_ name: String) -> String? {
            parts.firstIndex { $0.name == name }.map { parts.remove(at: $0).value }
        }
        let units = [
            "SECONDLY": "second", "MINUTELY": "minute", "HOURLY": "hour", "DAILY": "day", "WEEKLY": "week",
            "MONTHLY": "month", "YEARLY": "year",
        ]
        guard let unit = take("FREQ").flatMap({ units[$0.uppercased()] }) else { return rule }
        let interval = take("INTERVAL").flatMap { Int($0) } ?? 1
        var words = [interval > 1 ? "every \(interval) \(unit)s" : "every \(unit)"]
        let days = [
            "MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday",
            "SU": "Sunday",
        ]
        if let listed = take("BYDAY") {
            words[0] +=
                " on "
                + listed.split(separator: ",").map { days[$0.uppercased()] ?? String($0) }.joined(separator: ", ")
        }
        if let count = take("COUNT") { words.append("\(count) times") }
        if let until = take("UNTIL") { words.append("until " + CalendarTime(ContentLine("UNTIL", until)).text) }
        return (words + parts.filter { $0.name != "WKST" }.map { "\($0.name)=\($0.value)" }).joined(separator: ", ")
    }
}
