import Basics
import CaptureSpace
package import Foundation
import GRDB

extension CaptureStore {
    /// Returns the stories of days with captures, the newest first.
    package func days(limit: Int, calendar: Calendar) throws -> [DayStory] {
        var (stories, end) = ([DayStory](), Date.distantFuture)
        while stories.count < limit {
            let sql = """
                SELECT max(capturedAt) FROM item WHERE capturedAt < ? AND parentID IS NULL AND state <> 'archived'
                """
            let last = try read { try Double.fetchOne($0, sql: sql, arguments: [end.timeIntervalSince1970]) }
            guard let last else { break }
            let time = Date(timeIntervalSince1970: last)
            if let story = try dayStory(of: time, calendar: calendar) { stories.append(story) }
            end = DayStory.bounds(of: time, calendar).start
        }
        return stories
    }

    /// Returns the story of the local calendar day of a moment; nil without captures.
    ///
    /// It is kept; rules write it again when its captures were changed, archived or deleted since.
    package func dayStory(of time: Date, calendar: Calendar) throws -> DayStory? {
        let name = DayStory.name(of: time, calendar)
        guard let basis = try basis(of: DayStory.bounds(of: time, calendar)) else { return nil }
        let sql = "SELECT body FROM day WHERE day = ?"
        // A damaged story is written again.
        let kept = try? StoredJSON.decode(
            DayStory.self,
            read { try String.fetchOne($0, sql: sql, arguments: [name]) }
        )
        if let kept, kept.basis == basis { return kept }
        guard let (input, basis, captures) = try dayInput(of: time, calendar) else { return nil }
        let narrator = RuleNarrator()
        return try keep(narrator.narrative(of: input), by: narrator.name, of: time, calendar, basis, captures)
    }

    /// Keeps a narrative as the story of a day; one that was kept is replaced.
    @discardableResult
    func keep(
        _ narrative: Narrative,
        by narrator: String,
        of time: Date,
        _ calendar: Calendar,
        _ basis: String,
        _ captures: Int
    ) throws -> DayStory {
        let story = DayStory(
            day: DayStory.name(of: time, calendar),
            text: narrative.summary,
            captures: captures,
            narrator: narrative.narrator ?? narrator,
            fallback: narrative.fallback,
            writtenAt: Date(),
            basis: basis
        )
        let (start, end) = DayStory.bounds(of: time, calendar)
        let row: StatementArguments = [
            story.day, start.timeIntervalSince1970, end.timeIntervalSince1970, try StoredJSON.encode(story),
        ]
        try write { try $0.execute(sql: "INSERT OR REPLACE INTO day VALUES (?, ?, ?, ?)", arguments: row) }
        return story
    }

    /// Returns the facts of the local calendar day of a moment, with the captures' state and number; nil without
    /// captures.
    func dayInput(
        of time: Date,
        _ calendar: Calendar
    ) throws -> (input: NarrativeInput, basis: String, captures: Int)? {
        let day = DayStory.bounds(of: time, calendar)
        guard let basis = try basis(of: day) else { return nil }
        let ofDay = "capturedAt >= ?1 AND capturedAt < ?2 AND state <> 'archived'"
        let condition = """
            \(ofDay) AND coalesce(parentID, id) IN (
                SELECT id FROM item WHERE \(ofDay) AND parentID IS NULL ORDER BY capturedAt DESC, sequence DESC LIMIT ?3)
            """
        let (start, end) = (day.start.timeIntervalSince1970, day.end.timeIntervalSince1970)
        let items = try items(condition, [start, end, Self.mostOfDay], order: "capturedAt, sequence")
        // A capture and its copies are one.
        var originals: Set<UUID> = []
        let captures = items.filter { $0.parentID == nil && originals.insert($0.copyOf ?? $0.id).inserted }
        guard !captures.isEmpty else { return nil }
        let counting = "SELECT count(DISTINCT original) FROM item WHERE \(ofDay) AND parentID IS NULL"
        let all = try read { try Int.fetchOne($0, sql: counting, arguments: [start, end]) } ?? captures.count
        var input = try narrativeInput(captures, items, scope: .day)
        input.omitted = all - captures.count
        return (input, basis, all)
    }

    /// Captures of a day that its story is made of: the latest ones; others are counted.
    private static let mostOfDay = 300

    /// Returns the state of a day's captures; nil without any.
    private func basis(of day: (start: Date, end: Date)) throws -> String? {
        let sql = """
            SELECT iif(sum(parentID IS NULL), count(*) || ' ' || sum(sequence) || ' ' || coalesce(max(updatedAt), 0), NULL)
            FROM item WHERE capturedAt >= ? AND capturedAt < ? AND state <> 'archived'
            """
        let window: StatementArguments = [day.start.timeIntervalSince1970, day.end.timeIntervalSince1970]
        return try read { try String.fetchOne($0, sql: sql, arguments: window) }
    }

    // MARK: - Facts

    /// Returns the facts of captures, with the items found in them, for a narrator.
    func narrativeInput(
        _ captures: [CapturedItem],
        _ items: [CapturedItem],
        scope: NarrativeInput.Scope
    ) throws -> NarrativeInput {
        var secrets = try secrets()
        for item in captures + items where item.hasSecret == true { secrets += try secret(of: item.id)?.texts ?? [] }
        let children = Dictionary(grouping: items.filter { $0.parentID != nil }) { $0.parentID }
        let facts = captures.map { NarrativeInput.Item($0, children: children[$0.id] ?? []) }
        let ofHome = facts.contains(where: \.isHome) ? try conceptsOfHome() : []
        let concepts = try concepts().map { concept in
            let isOfHome = ofHome.contains(concept.name.lowercased())
            let isOwn = concept.isAutomatic != true
            return NarrativeInput.Concept(name: concept.name, weight: concept.weight, isOwn: isOwn, isOfHome: isOfHome)
        }
        var input = NarrativeInput(facts, scope: scope, concepts: concepts, secrets: secrets)
        input.removedTags = Set((captures + items).flatMap { $0.removedTags ?? [] }.map { $0.lowercased() })
        // One capture alone is neither rare nor common.
        if scope == .day || captures.count > 1, let last = captures.map(\.capturedAt).max() {
            input.counts = try featureCounts(until: last)
        }
        return input
    }

    /// Returns the last captures of a session before one of its items, the last one last.
    func captures(of session: UUID, before item: CapturedItem, limit: Int) throws -> [CapturedItem] {
        let condition = """
            sessionID = ? AND parentID IS NULL AND capturedAt <= ? AND sequence < (SELECT sequence FROM item WHERE id = ?)
            """
        let arguments: StatementArguments = [
            session, item.capturedAt.timeIntervalSince1970, item.parentID ?? item.id,
        ]
        return try items(condition, arguments, order: "sequence DESC LIMIT \(limit)").reversed()
    }

    /// Days of captures by which a thing is rare or common.
    private static let historyDays = 90.0

    /// Returns the number of captures by their kinds, tags, categories and labels, in lower case, of the 90 days until
    /// a moment.
    func featureCounts(until end: Date) throws -> [String: Int] {
        let sql = """
            SELECT value AS name, count(DISTINCT original) AS count FROM item, json_each(features)
            WHERE parentID IS NULL AND state <> 'archived' AND capturedAt > ?1 AND capturedAt <= ?2 GROUP BY value
            """
        let start = end.addingTimeInterval(-Self.historyDays * 86_400)
        let times: StatementArguments = [start.timeIntervalSince1970, end.timeIntervalSince1970]
        let rows = try read { try Row.fetchAll($0, sql: sql, arguments: times) }
        return Dictionary(rows.map { ($0["name"], $0["count"]) }) { first, _ in first }
    }

    /// Returns the title of a session by what sets it apart from the others; nil where nothing names it.
    func title(of session: UUID, createdAt: Date, _ input: NarrativeInput, tags: [String]) throws -> String? {
        let candidates = SessionTitle.candidates(input, tags: tags)
        return try read { database in
            func count(_ sql: String, _ more: StatementArguments) throws -> Int {
                try Int.fetchOne(database, sql: "SELECT count(\(sql)", arguments: more) ?? 0
            }
            let others = try candidates.map { candidate in
                let others =
                    switch candidate.origin {
                    case .place: "*) FROM session WHERE placeName = ? AND id <> ?"
                    case .tag, .thing:
                        "DISTINCT sessionID) FROM conceptSource JOIN item ON item.id = itemID WHERE name = ? AND sessionID <> ?"
                    case .name, .text: "DISTINCT sessionID) FROM item WHERE title = ? COLLATE NOCASE AND sessionID <> ?"
                    }
                return try count(others, [candidate.text, session])
            }
            let sessions = try count("*) FROM session WHERE id <> ?", [session])
            guard
                let title = SessionTitle.title(
                    candidates,
                    captures: input.items.count,
                    sessions: sessions,
                    others: others
                )
            else { return nil }
            let earlier = """
                *) FROM session WHERE (createdAt < ?2 OR createdAt = ?2 AND id < ?3) AND (title = ?1
                    OR substr(title, 1, length(?1) + 2) = ?1 || ', ' AND (title LIKE '%, again' OR title LIKE '% time'))
                """
            return try SessionTitle.repeated(
                title,
                earlier: count(earlier, [title, createdAt.timeIntervalSince1970, session])
            )
        }
    }
}
