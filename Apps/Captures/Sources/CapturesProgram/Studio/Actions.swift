import ArgumentParser
import Basics
import BookCatalogue
import Captures
import Foundation

/// Something that a person does with a session or an item: a row of ``StudioActions``.
protocol StudioAction: SendableMetatype {
    /// Options of its command.
    associatedtype Options: ParsableArguments = NoOptions
    static var name: String { get }
    static var help: String { get }
    static var value: ActionValue { get }
    static func run(_ input: ActionInput) async throws -> ActionResult
}

extension StudioAction { static var value: ActionValue { .none } }

struct NoOptions: ParsableArguments {}

/// What an action needs besides its session or item.
enum ActionValue: Sendable {
    case none
    /// A text of 1 to 200 characters.
    case text(String)
    /// Another session.
    case session
}

/// The session or item, the value, and where the action finds what it needs.
struct ActionInput: Sendable {
    var store: CaptureStore
    /// Of the session or item.
    var id: UUID
    var value = ""
    /// Books that an item may be; nil in a command.
    var catalogue: BookCatalogue?
    /// Opens the owner's library; nil in a command.
    var library: (@Sendable () throws -> LibraryStore)?
    /// Folder of exports; nil in a command.
    var downloads: URL?

    func session() throws -> CaptureSession {
        guard let session = try store.session(id) else { throw CaptureFault.noSession(id) }
        return session
    }

    /// The item; nil for a session.
    func item() throws -> CapturedItem? { try store.item(id) }

    func existingItem() throws -> CapturedItem {
        guard let item = try item() else { throw CaptureFault.noItem(id) }
        return item
    }

    /// The session that the value names.
    func target() throws -> UUID {
        guard let target = UUID(uuidString: value) else {
            throw StudioProblem("Invalid session '\(value)': expected an id.")
        }
        return target
    }
}

struct ActionResult: Encodable {
    /// What was done, as a sentence.
    var text: String
    /// The session to show next.
    var session: UUID?
    /// Number of items that wait to be processed now.
    var waiting: Int?
}

/// An action that cannot be done, or an invalid request.
struct StudioProblem: Error, Equatable, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// All actions: `sessions NAME` and the page's `POST /api/act` are two loops over them.
enum StudioActions {
    /// Those that are commands, too.
    static let commands: [any StudioAction.Type] = [
        Rename.self, Untag.self, Duplicate.self, Reprocess.self, Retry.self, Merge.self, Archive.self, Unarchive.self,
        Delete.self,
    ]
    static let all = commands + [Move.self, Answer.self, NameBook.self, AddToLibrary.self, Export.self]

    /// Does an action after checking its value.
    static func run(_ action: any StudioAction.Type, _ input: ActionInput) async throws -> ActionResult {
        if case .text(let name) = action.value, !(1...200).contains(input.value.count) || input.value.known == nil {
            throw StudioProblem("Invalid \(name) of \(input.value.count) characters: expected 1 to 200.")
        }
        return try await action.run(input)
    }
}

// MARK: - Rows

private enum Rename: StudioAction {
    static let name = "rename"
    static let help = "Set the title of a session or an item for good."
    static let value = ActionValue.text("title")

    static func run(_ input: ActionInput) throws -> ActionResult {
        if let item = try input.item() {
            try input.store.rename(item: item.id, input.value)
        } else {
            let items = try input.store.items(of: input.id)
            try input.store.update(session: input.id) { session in
                let isTag = session.tags.contains(input.value) || items.contains { $0.tags.contains(input.value) }
                (session.title, session.titleSource) = (input.value, isTag ? .tag : .user)
            }
        }
        return ActionResult(text: "Renamed to “\(input.value)”.")
    }
}

private enum Untag: StudioAction {
    static let name = "untag"
    static let help = "Remove a tag from a session or an item for good."
    static let value = ActionValue.text("tag")

    static func run(_ input: ActionInput) throws -> ActionResult {
        // A session's tags are those of its items.
        let one = try input.item()
        let items = try one.map { [$0] } ?? input.store.items(of: input.session().id)
        for item in items where one != nil || item.parentID == nil || item.tags.contains(input.value) {
            try input.store.remove(tag: input.value, from: item.id)
        }
        return ActionResult(text: "The tag “\(input.value)” is removed.")
    }
}

private enum Duplicate: StudioAction {
    static let name = "duplicate"
    static let help = "Copy a session with all known facts of its items."

    static func run(_ input: ActionInput) throws -> ActionResult {
        let copy = try input.store.duplicate(session: input.id, at: Date())
        return ActionResult(text: "“\(copy.title)” is session \(copy.id.firstLetters).", session: copy.id)
    }
}

private enum Reprocess: StudioAction {
    typealias Options = PipelineOptions
    static let name = "reprocess"
    static let help = "Process the items of a session again, keeping known facts."

    static func run(_ input: ActionInput) throws -> ActionResult {
        let count = try input.store.reprocess(session: input.id)
        let text =
            count > 0
            ? "\(LocalTime.count(count, "item")) will be processed again."
            : "No item of \(input.id.firstLetters) can be processed again: the session is archived, or its items are queued."
        return ActionResult(text: text, waiting: count)
    }
}

private enum Retry: StudioAction {
    typealias Options = PipelineOptions
    static let name = "retry"
    static let help = "Query the failed sources of a session or an item again."

    static func run(_ input: ActionInput) throws -> ActionResult {
        let item = try input.item()
        let count =
            try item.map { try input.store.retry(item: $0.id) ? 1 : 0 } ?? input.store.retry(session: input.id)
        let text =
            count > 0
            ? "The failed sources of \(LocalTime.count(count, "item")) will be queried again."
            : "No source of \((item?.sessionID ?? input.id).firstLetters) failed."
        return ActionResult(text: text, waiting: count)
    }
}

private enum Merge: StudioAction {
    static let name = "merge"
    static let help = "Move all items into another session, and delete the first."
    static let value = ActionValue.session

    static func run(_ input: ActionInput) async throws -> ActionResult {
        let target = try input.target()
        guard input.id != target else {
            throw StudioProblem("A session cannot be merged into itself: specify two sessions.")
        }
        try input.store.merge(session: input.id, into: target)
        try await input.store.describe(session: target)
        return ActionResult(text: "The sessions are merged.", session: target)
    }
}

private enum Archive: StudioAction {
    static let name = "archive"
    static let help = "Archive a session: lists and searches omit it."

    static func run(_ input: ActionInput) throws -> ActionResult {
        try input.store.archive(session: input.id)
        return ActionResult(text: "\(try input.session().shownName) is archived.")
    }
}

private enum Unarchive: StudioAction {
    static let name = "unarchive"
    static let help = "Unarchive a session."

    static func run(_ input: ActionInput) throws -> ActionResult {
        let count = try input.store.unarchive(session: input.id)
        return ActionResult(text: "\(try input.session().shownName) is \(count == 0 ? "not archived" : "unarchived").")
    }
}

private enum Delete: StudioAction {
    static let name = "delete"
    static let help = "Delete a session or an item, with its items and their pictures, permanently."

    static func run(_ input: ActionInput) async throws -> ActionResult {
        guard let item = try input.item() else {
            let name = try input.session().shownName
            try input.store.delete(session: input.id)
            return ActionResult(text: "\(name) is deleted.")
        }
        try input.store.delete(item: item.id)
        // Its description is deleted, too.
        try? await input.store.describe(session: item.sessionID)
        return ActionResult(text: "“\(item.title)” is deleted.")
    }
}

private enum Move: StudioAction {
    static let name = "move"
    static let help = "Move an item to another session."
    static let value = ActionValue.session

    static func run(_ input: ActionInput) async throws -> ActionResult {
        let (item, target) = try (input.existingItem(), input.target())
        try input.store.move(item: item.id, into: target)
        for session in Set([item.sessionID, target]) {
            try await input.store.describe(session: session)
        }
        return ActionResult(text: "“\(item.title)” is moved.", session: target)
    }
}

private enum Answer: StudioAction {
    static let name = "answer"
    static let help = "Say what a picture shows; an empty answer forgets the earlier one."

    static func run(_ input: ActionInput) throws -> ActionResult {
        _ = try input.existingItem()
        try input.store.answer(item: input.id, thing: input.value)
        return ActionResult(
            text: input.value.known.map { "Remembered as “\($0)”." } ?? "The answer is forgotten.",
            waiting: 1
        )
    }
}

private enum NameBook: StudioAction {
    static let name = "book"
    static let help = "Say which book an item is: by its number in the catalogue (#7), its ISBN, or its title."
    static let value = ActionValue.text("book")

    static func run(_ input: ActionInput) throws -> ActionResult {
        let text = input.value
        let (number, isbn) = (text.hasPrefix("#") ? Int64(text.dropFirst()) : nil, ISBN.all(in: text).first)
        let found =
            try number.flatMap { try input.catalogue?.book(id: $0) }
            ?? isbn.flatMap { try input.catalogue?.books(isbn: $0).first }
        guard let book = found ?? (isbn == nil && number == nil ? BookRecord(title: text) : nil) else {
            throw StudioProblem("The catalogue has no book '\(text)': type its title.")
        }
        guard try input.store.answer(item: input.id, book: book) != nil else { throw CaptureFault.noItem(input.id) }
        return ActionResult(text: "It is “\(book.title)”.", waiting: 1)
    }
}

private enum AddToLibrary: StudioAction {
    static let name = "library"
    static let help = "Add the book of an item to the library."

    static func run(_ input: ActionInput) throws -> ActionResult {
        guard let library = input.library, let book = try input.existingItem().enrichment.bookContext,
            let title = book.title
        else {
            throw StudioProblem("The item has no title of a book: answer “Which book is it?” first.")
        }
        let isbn = book.isbn.flatMap { ISBN($0) }
        let record = BookRecord(title: title, authors: book.authors, isbn: isbn, year: book.year)
        let kept = try library().upsert(LibraryBook(record, addedAt: Date(), tier: .manual))
        return ActionResult(text: "“\(kept.title)” is in your library.")
    }
}

private enum Export: StudioAction {
    static let name = "export"
    static let help = "Save a session and its pictures to a new folder among the downloads."

    static func run(_ input: ActionInput) throws -> ActionResult {
        let whole = try WholeSession.read(input.id, in: input.store)
        guard let downloads = input.downloads else { throw StudioProblem("There is no folder of downloads.") }
        let letters = whole.session.title.map { $0.isLetter || $0.isNumber ? $0 : " " }
        let name = String(letters).bounded(to: 60).trimmingSpace.known ?? input.id.firstLetters
        var (folder, number) = (downloads.appending(path: name), 1)
        while FileManager.default.fileExists(atPath: folder.path) {
            number += 1
            folder = downloads.appending(path: "\(name) \(number)")
        }
        let missing = try whole.save(to: folder, from: input.store).count
        let without = missing > 0 ? ", without \(LocalTime.count(missing, "picture"))" : ""
        return ActionResult(text: "\(LocalTime.count(whole.items.count, "item")) saved to \(folder.path)\(without).")
    }
}

extension CaptureSession {
    /// The title in quotation marks, else the first letters of the id.
    fileprivate var shownName: String { title.isEmpty ? id.firstLetters : "“\(title)”" }
}
