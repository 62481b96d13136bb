import ArgumentParser
import CommandSupport
import Foundation
import OpenVINOEngine
import SpineReaders
import TesseractEngine
import TextRecognition

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
        print("  OpenVINO   \(OpenVINOEngine.version), CPU, \(Installation.threads) threads")
        print("  Tesseract  \(tesseract), 1 thread")
        #if canImport(Vision)
        print("  Vision     of this system")
        #else
        print("  Vision     not on this platform: it comes with macOS and iOS")
        #endif
        print("\nModels in \(Installation.modelDirectory)")
        for models in OpenVINOModelSet.allCases {
            for file in models.files { print("  \(models.title)  \(file)  \(state(of: file))") }
        }
        print("\nWord lists for correction")
        let lists = Installation.wordLists
        print("  " + (lists.isEmpty ? "none: run 'make setup'" : lists.joined(separator: ", ")))
        print("\nCompiled networks are kept in \(Installation.cacheDirectory ?? "no folder")")
        print("\nVariants")
        let width = readers.variants.map(\.name.count).max() ?? 0
        var usable = 0
        for variant in readers.variants {
            let name = variant.name.padding(toLength: width, withPad: " ", startingAt: 0)
            let problem = variant.problem()
            if problem == nil { usable += 1 }
            let mark = problem == nil ? Console.coloured("✓", .green) : Console.coloured("✗", .red)
            print("  \(mark) \(name)  \(variant.summary)")
            if let problem { print("    \(String(repeating: " ", count: width))  \(problem)") }
        }
        print("\nThat name books ('spinebench run' measures them)")
        for base in TierBase.all {
            let problem = Tiers.problem(base.settings)
            let mark = problem == nil ? Console.coloured("✓", .green) : Console.coloured("✗", .red)
            print("  \(mark) \(base.name.padding(toLength: width, withPad: " ", startingAt: 0))  \(base.summary)")
            if let problem { print("    \(String(repeating: " ", count: width))  \(problem)") }
        }
        print("\nNext: spinebench read Datasets/spines-1/images --variant fast")
        if usable == 0 { throw ExitStatus.environment.exitCode }
    }

    private var tesseract: String {
        do {
            let installation = try TesseractInstallation.find()
            return "\(installation.version), languages \(installation.languages.joined(separator: ", ")) "
                + "in \(installation.dataPath)"
        } catch {
            return "missing: \(error)"
        }
    }

    private func state(of file: String) -> String {
        let path = "\(Installation.modelDirectory)/\(file)"
        guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int else {
            return Console.coloured("missing", .red) + ": run 'make setup'"
        }
        return String(format: "%.1f MB", Double(size) / 1e6)
    }
}
