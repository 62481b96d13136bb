import Basics
import ContextSpace
package import Foundation

/// Summaries of items, sessions and days.
extension ContextPipeline {
    /// Facts of an item, with what was captured before it in its session, and the concepts that it is near to.
    func input(of item: CapturedItem) async throws -> NarrativeInput {
        let children = item.parentID == nil ? try store.children(of: item.id) : []
        var input = try store.narrativeInput([item], children, scope: .item)
        let before = try store.captures(of: item.sessionID, before: item, limit: 3)
        input.before = before.map { NarrativeInput.Item($0) }
        // A capture without a place of its own is where the last one was.
        if let last = input.before.last, input.items[0].place.isEmpty, item.coordinate == nil, item.parentID == nil,
            (0..<600).contains(item.capturedAt.timeIntervalSince(last.time))
        {
            (input.items[0].place, input.items[0].isHome) = (last.place, last.isHome)
        }
        input.items[0].meaning = try? await memory?.intent(of: Intent.text(of: input.items[0]))
        if let memory, item.parentID == nil, let near = try? await memory.concepts(near: item) {
            for index in input.concepts.indices where near.contains(input.concepts[index].name) {
                input.concepts[index].isNear = true
            }
        }
        return input
    }

    /// Returns the title of a shelf by its books ("Emma, Dune and 17 more books"), of a spine without a book, or of a
    /// picture without text and thing by its code; nil for any other item.
    func foundTitle(of item: CapturedItem) throws -> String? {
        if let spine = item.unidentifiedTitle { return spine }
        guard item.kind == .shelf || item.media.transcription?.known == nil else { return nil }
        let children = try store.children(of: item.id)
        guard item.kind == .shelf else {
            let isThing = NarrativeInput.Item(item).thing?.isSure == true
            return isThing ? nil : children.first { $0.enrichment.qrContext != nil }?.title.known
        }
        let books = children.filter { $0.kind == .book }
        let names = books.compactMap { $0.enrichment.bookContext?.title?.known }.map { PlainText.line($0, most: 40) }
        if books.isEmpty { return nil }
        if names.isEmpty { return "A shelf with \(books.count) book\(books.count == 1 ? "" : "s"), none identified" }
        let rest = books.count - min(2, names.count)
        return PlainText.list(names.prefix(2) + (rest > 0 ? ["\(rest) more book\(rest == 1 ? "" : "s")"] : []))
    }

    /// Describes a capture again when what was found in it has names.
    func describe(item id: UUID) async throws {
        guard let item = try store.item(id), item.state != .archived else { return }
        guard let narrative = try? await narrator.narrative(of: input(of: item)), narrative.problems.isEmpty else {
            return
        }
        let title = try foundTitle(of: item)
        let updated = try store.update(id) { item in
            item.take(narrative, at: Date())
            if !item.isTitledByUser { item.title = title ?? item.bestTitle ?? item.title }
        }
        if let updated { try await memory?.remember(updated) }
    }

    /// Describes a session: title, summary, statements, purpose and tags.
    ///
    /// The earlier description is discarded with `replacesEarlier`, as its items may be deleted; with `isSame`, those
    /// are still the session's, and it is kept when the generator fails.
    package func describe(session id: UUID, replacesEarlier: Bool = false, isSame: Bool = false) async throws {
        let items = try store.items(of: id)
        guard !items.isEmpty, let created = try store.session(id)?.createdAt else { return }
        let captures = items.filter { $0.parentID == nil }
        var input = try store.narrativeInput(captures, items, scope: .session)
        for index in input.items.indices.suffix(20) {
            input.items[index].meaning = try? await memory?.intent(of: Intent.text(of: input.items[index]))
        }
        guard let narrative = try? await narrator.narrative(of: input), narrative.problems.isEmpty else { return }
        let name = narrative.narrator ?? narrator.name
        let title = try store.title(of: id, createdAt: created, input, tags: narrative.tags)
        try store.update(session: id) { session in
            if narrative.fallback != nil, isSame, session.narrator == narrator.name { return }
            session.summary = narrative.summary
            session.statements = narrative.statements
            session.purpose = narrative.purpose ?? (replacesEarlier ? nil : session.purpose)
            if replacesEarlier { session.tags = [] }
            session.tags.unite(narrative.tags)
            session.narrator = name
            session.placeName =
                items.lazy.compactMap { $0.enrichment.placeContext?.name?.known }.first ?? session.placeName
            guard session.titleSource == .automatic else { return }
            if replacesEarlier { session.title = "" }
            if let title { session.title = title }
        }
    }

    /// Describes the local calendar day of a moment, and keeps the story.
    func describe(day time: Date, calendar: Calendar = .current) async throws {
        guard let (input, basis, captures) = try store.dayInput(of: time, calendar) else { return }
        guard let narrative = try? await narrator.narrative(of: input), narrative.problems(of: .day).isEmpty else {
            return
        }
        let story = DayStory(
            day: DayStory.name(of: time, calendar),
            text: narrative.summary,
            captures: captures,
            narrator: narrative.narrator ?? narrator.name,
            fallback: narrative.fallback,
            writtenAt: Date(),
            basis: basis
        )
        try store.keep(story, of: DayStory.bounds(of: time, calendar))
    }
}
