import ArgumentParser
import BookCatalogue
import Captures
import CommandSupport
import Foundation

/// A session with its items, as it is shown and exported.
struct WholeSession: Encodable {
    var session: CaptureSession
    var items: [ItemWithFacts]

    /// Returns the session with that id.
    static func read(_ id: UUID, in store: CaptureStore) throws -> WholeSession {
        guard let session = try store.session(id) else { throw CaptureFault.noSession(id) }
        return WholeSession(session: session, items: try store.items(of: id).map(ItemWithFacts.init))
    }

    /// Saves it as session.json with its pictures to a new folder.
    ///
    /// - Returns: the problems of the missing pictures.
    func save(to output: URL, from store: CaptureStore) throws -> [String] {
        // A killed program leaves no folder that looks whole.
        let folder = URL(filePath: "\(output.path).\(UUID().firstLetters).partial")
        defer { try? FileManager.default.removeItem(at: folder) }
        let pictures = folder.appending(path: "pictures")
        try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
        var missing: [String] = []
        for item in items.map(\.item) {
            for (role, file) in item.pictures where CaptureStore.isPictureName(file) {
                do {
                    try store.picture(role, of: item.id)?.write(to: pictures.appending(path: file))
                } catch let error as StoreError { missing.append("\(error)") }
            }
        }
        try Data((JSONText.of(self) + "\n").utf8).write(to: folder.appending(path: "session.json"))
        try FileManager.default.moveItem(at: folder, to: output)
        return missing
    }
}

struct SessionsExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Save a session and its pictures to a new folder.",
        discussion: """
            Writes session.json without secrets, and pictures/. Exit codes: 0 saved, 1 a picture is missing.
            """
    )

    @OptionGroup var named: NamedSession
    @Option(name: .shortAndLong, help: .value("folder", "New folder."), completion: .directory) var output: String

    func validate() throws {
        if output.known == nil { throw ValidationError("Specify a new folder with --output.") }
    }

    func run() throws {
        let (store, id) = try named.find()
        let whole = try WholeSession.read(id, in: store)
        guard !FileManager.default.fileExists(atPath: output) else {
            throw InputError("--output \(output): already exists; specify a new folder")
        }
        let missing = try whole.save(to: URL(filePath: output), from: store)
        for problem in missing { Console.error(problem) }
        StandardOutput.write("\(LocalTime.count(whole.items.count, "item")) saved to \(PlainLine.of(output)).\n")
        if !missing.isEmpty { throw ExitStatus.missed.exitCode }
    }
}
