import Basics
import CaptureSpace
package import Foundation
import GRDB

/// Summaries of items, sessions and days.
extension CapturePipeline {
    /// Describes an item: by the facts of it and of what was found in it, and the concepts that it is near to.
    ///
    /// - Returns: no narrative where the narrator breaks its own rules.
    func describe(_ item: CapturedItem) async throws -> (narrative: Narrative?, subject: Subject) {
        let children = item.parentID == nil ? try store.children(of: item.id) : []
        var input = try store.narrativeInput([item], children, scope: .item)
        // A capture without a place of its own is where the last one was.
        if input.items[0].place.isEmpty, item.coordinate == nil, item.parentID == nil,
            let last = try store.captures(of: item.sessionID, before: item, limit: 1).last,
            (0..<600).contains(item.capturedAt.timeIntervalSince(last.capturedAt))
        {
            let there = try store.narrativeInput([last], [], scope: .item).items[0]
            (input.items[0].place, input.items[0].isHome) = (there.place, there.isHome)
        }
        let facts = input.items[0]
        if let memory, facts.subject.intent == nil {
            let isPhotographed = [.text, .sheet, .code, .thing].contains(facts.subject.kind)
            input.items[0].intent = await memory.intent(of: facts.words, isPhotographed: isPhotographed)
        }
        // The text of a spine that nobody identified is near to nothing.
        if let memory, item.parentID == nil, facts.subject.kind != .unidentified,
            let near = try? await memory.concepts(
                near: item,
                of: Set(input.concepts.filter { $0.isOwn || $0.isOfHome }.map(\.name))
            )
        {
            for index in input.concepts.indices where near.contains(input.concepts[index].name) {
                input.concepts[index].isNear = true
            }
        }
        return try await (narrate(input), Subject(item, children: children))
    }

    /// Returns a valid narrative of an input without removed tags; nil for none.
    private func narrate(_ input: NarrativeInput) async throws -> Narrative? {
        guard var narrative = try? await narrator.narrative(of: input) else {
            // A narrator that was cut off has not failed.
            try Task.checkCancellation()
            return nil
        }
        narrative.tags.removeAll { input.removedTags.contains($0.lowercased()) }
        if let purpose = narrative.purpose, input.removedTags.contains(purpose.lowercased()) { narrative.purpose = nil }
        return narrative.problems(of: input.scope).isEmpty ? narrative : nil
    }

    /// Describes a capture again when what was found in it has names.
    func describe(item id: UUID) async throws {
        guard let item = try store.item(id), item.state != .archived else { return }
        let (narrative, subject) = try await describe(item)
        guard let narrative else { return }
        let updated = try store.update(id) { item in
            item.adoptTitle(of: subject)
            item.adopt(narrative, at: Date())
        }
        if let updated { try await memory?.remember(updated) }
    }

    /// Describes a session: title, summary, statements, purpose and tags.
    ///
    /// With `isSame`, the items of the earlier description are still the session's, and it is kept when the generator
    /// fails.
    package func describe(session id: UUID, isSame: Bool = false) async throws {
        let items = try store.items(of: id)
        guard !items.isEmpty, let created = try store.session(id)?.createdAt else { return }
        let captures = items.filter { $0.parentID == nil }
        let input = try store.narrativeInput(captures, items, scope: .session)
        guard let narrative = try await narrate(input) else { return }
        let name = narrative.narrator ?? narrator.name
        let title = try store.title(of: id, createdAt: created, input, tags: narrative.tags)
        try store.update(session: id) { session in
            if narrative.fallback != nil, isSame, session.narrator == narrator.name { return }
            (session.summary, session.statements) = (narrative.summary, narrative.statements)
            (session.purpose, session.tags, session.narrator) = (narrative.purpose, narrative.tags, name)
            session.placeName = items.lazy.compactMap { $0.enrichment.placeContext?.name?.known }.first
            if session.titleSource == .automatic { session.title = title ?? "" }
        }
    }

    /// Describes the local calendar day of a moment, and keeps the story.
    func describe(day time: Date, calendar: Calendar = .current) async throws {
        guard let (input, basis, captures) = try store.dayInput(of: time, calendar) else { return }
        guard let narrative = try await narrate(input) else { return }
        try store.keep(narrative, by: narrator.name, of: time, calendar, basis, captures)
    }
}

extension CaptureStore {
    /// Removes a tag from an item, its session and its concepts; neither gets it from this item again.
    ///
    /// - Returns: the item; nil when there is none.
    @discardableResult
    package func remove(tag: String, from id: UUID) throws -> CapturedItem? {
        func isTag(_ text: String) -> Bool { text.lowercased() == tag.lowercased() }
        let item = try update(id) { item in
            item.tags.removeAll(where: isTag)
            item.purposes.removeAll(where: isTag)
            item.removedTags = (item.removedTags ?? []).filter { !isTag($0) } + [tag]
        }
        guard let item else { return nil }
        try update(session: item.sessionID) { session in
            session.tags.removeAll(where: isTag)
            if session.purpose.map(isTag) == true { session.purpose = nil }
        }
        try write { database in
            try database.execute(
                sql: "DELETE FROM conceptSource WHERE itemID = ? AND name = ? COLLATE NOCASE",
                arguments: [id, tag]
            )
            try Self.forgetConcepts(in: database)
        }
        return item
    }
}
