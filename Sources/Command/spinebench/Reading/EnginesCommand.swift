import ArgumentParser
import CommandSupport
import Composition
import Foundation
import OpenVINOEngine
import SpineReaders

/// `spinebench engines`.
struct EnginesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engines",
        abstract: "Lists engines, models and variants, and says what is missing.",
        discussion: """
            A variant is an engine with its models and settings: what 'read --variant' takes and what the tiers of 'run' \
            are. One that is missing says what to do about it.

            Exit codes: 0 there is something to read with, 4 there is nothing.
            """
    )

    func run() throws {
        print("Engines")
        let listings = Engine.allCases.compactMap { $0.listing?() }
        let nameWidth = listings.map(\.name.count).max() ?? 0
        for (name, state) in listings {
            print("  \(name.padding(toLength: nameWidth, withPad: " ", startingAt: 0))  \(state)")
        }
        print("\nModels in \(Installation.modelDirectory)")
        for models in OpenVINOModelSet.allCases {
            for file in models.files { print("  \(models.title)  \(file)  \(state(of: file))") }
        }
        print("\nWord lists for correction")
        let lists = Installation.wordLists
        print("  " + (lists.isEmpty ? "none: run 'make setup'" : lists.joined(separator: ", ")))
        print("\nCompiled networks are kept in \(Installation.cacheDirectory ?? "no folder")")
        print("\nVariants")
        let width = VariantBase.readers.map(\.name.count).max() ?? 0
        let usable = VariantBase.readers.count { list($0, width: width) }
        print("\nThat name books ('spinebench run' measures them)")
        for base in VariantBase.scans { list(base, width: width) }
        print("\nNext: spinebench read Datasets/spines-1/images --variant fast")
        if usable == 0 { throw ExitStatus.environment.exitCode }
    }

    /// Prints a line of a base, and what it lacks; says whether that is nothing.
    @discardableResult private func list(_ base: VariantBase, width: Int) -> Bool {
        let problem = base.settings.problem
        let mark = problem == nil ? Console.coloured("✓", .green) : Console.coloured("✗", .red)
        print("  \(mark) \(base.name.padding(toLength: width, withPad: " ", startingAt: 0))  \(base.summary)")
        if let problem { print("    \(String(repeating: " ", count: width))  \(problem)") }
        return problem == nil
    }

    private func state(of file: String) -> String {
        let path = "\(Installation.modelDirectory)/\(file)"
        guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int else {
            return Console.coloured("missing", .red) + ": run 'make setup'"
        }
        return String(format: "%.1f MB", Double(size) / 1e6)
    }
}
