import ArgumentParser
import Basics
import Captures
import CommandSupport
import Composition
import ContextSpace
import Foundation

struct SessionsTaste: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "taste",
        abstract: "List your taste from use, or change or delete it.",
        discussion: """
            Opening, renaming, keeping and deleting captures on the page, and renaming and deleting sessions here, give their concepts a weight \
            from -1 (avoided) to 1 (sought), which halves in 30 days. Search results are raised or lowered by at most \(ContextRanking.standardTasteShare).
            """
    )

    @Argument(help: .value("name", "Name of a concept. (default: list all)")) var name: String?
    @Option(parsing: .unconditional, help: .value("number", "Set the concept's weight, -1 to 1; 0 removes it."))
    var weight: Double?
    @Flag(help: "Give the concept back to its uses.") var reset = false
    @Flag(help: "Delete all uses and weights.") var clear = false
    @Flag(inversion: .prefixedNo, help: "Record uses and rank by them.") var record: Bool?
    @Flag(help: "Print JSON Lines.") var json = false
    @OptionGroup var store: StoreOptions

    func validate() throws {
        if let weight, !(-1...1).contains(weight) {
            throw ValidationError("Invalid --weight \(weight): expected -1 to 1.")
        }
        if (name != nil) != (weight != nil || reset) || weight != nil && reset {
            throw ValidationError("Specify a concept with --weight or --reset.")
        }
    }

    func run() throws {
        let store = try store.openExisting()
        if let name { try store.setTaste(name, weight: reset ? nil : weight) }
        if clear { try store.clearTaste() }
        if let record { try store.setTaste(isOn: record) }
        let taste = try store.taste()
        if !taste.isOn { Console.standardError("The taste is off: spinebench sessions taste --record") }
        if taste.concepts.isEmpty { Console.standardError("No taste yet: use captures on the page, or set a weight.") }
        for concept in taste.concepts {
            let line = String(format: "%+.2f", concept.weight) + "  \(PlainLine.of(concept.name))\n"
            StandardOutput.write(json ? try JSONText.line(concept) + "\n" : line)
        }
    }
}

struct SessionsConcept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "concept",
        abstract: "List your concepts, or set or delete one.",
        discussion: """
            A concept with a weight above 1.2 comes first among the tags of captures that contain its words in any form, and raises search \
            results that are near to it, by the logarithm of its weight.
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
