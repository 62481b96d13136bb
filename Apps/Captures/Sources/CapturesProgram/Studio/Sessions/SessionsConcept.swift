import ArgumentParser
import Basics
import Captures
import CommandSupport
import ContextSpace
import Foundation
import Systems

struct SessionsConcept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "concept",
        abstract: "List your concepts, or set or delete one.",
        discussion: """
            A weight above 1.2 raises search results near to the concept. Manual: \
            Docs/SESSIONS.md#names-of-things-and-search.
            """
    )

    @Argument(help: .value("name", "Name of the concept. (default: list all)")) var name: String?
    @Option(help: .value("number", "Set the concept's weight, 0 to 10.")) var weight: Double?
    @Flag(help: "Delete the concept.") var forget = false
    @OptionGroup var store: StoreOptions

    func validate() throws {
        if let weight, !(0...10).contains(weight) {
            throw ValidationError("Invalid --weight \(weight): expected 0 to 10.")
        }
        if name?.known == nil && (name != nil || weight != nil || forget) {
            throw ValidationError("Specify a concept.")
        }
        if name != nil && (weight != nil) == forget { throw ValidationError("Specify --weight or --forget.") }
    }

    func run() throws {
        let store = try weight == nil ? store.openExisting() : store.open()
        if let name, let weight {
            try store.keep(UserConcept(name: name, weight: weight))
            StandardOutput.write("\(weight)  \(PlainLine.of(name))\n")
        }
        if let name, forget, try !store.forget(concept: name) {
            Console.error("concept not found: '\(PlainLine.of(name))'")
            throw ExitStatus.wrongInput.exitCode
        }
        if let name, forget { StandardOutput.write("\(PlainLine.of(name)) is deleted.\n") }
        if name == nil {
            for concept in try store.concepts() {
                StandardOutput.write("\(concept.weight)  \(PlainLine.of(concept.name))\n")
            }
        }
    }
}
