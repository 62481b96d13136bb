import ArgumentParser
import Basics
import CommandSupport
import Documents
import Foundation
import Imaging
import OpenVINOEngine
import SpineReaders
import Systems

struct EnginesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engines",
        abstract: "List engines, models and variants, and what is missing.",
        discussion: """
            A missing variant is listed with instructions to install it. Exit codes: 0 an engine is usable, 4 none \
            is.
            """
    )

    func run() throws {
        let heic = SystemLibrary.heif.problem.map { [["HEIC", "missing: \($0)"]] } ?? []
        show("Engines", Engine.allCases.compactMap { $0.listing?() }.map { [$0.name, $0.state] } + heic)
        let models = OpenVINOModelSet.fetched.flatMap { models in
            ((try? models.files(in: Installation.modelDirectory))?.all ?? []).map { path in
                [models.title, URL(filePath: path).lastPathComponent, state(of: path)]
            }
        }
        show("Models in \(Installation.modelDirectory)", models)
        show("Letters that can be read; others are skipped silently", OpenVINOModelSet.fetched.flatMap(letters))
        let lists = Installation.wordLists
        show("Word lists for correction", lists.isEmpty ? [["none: \(ProjectFolder.remedy)"]] : lists.map { [$0] })
        print("Compiled networks are cached in \(Installation.cacheDirectory ?? "no folder")\n")
        show("Variants", ComposedVariant.readers.flatMap(rows))
        show("Variants that identify books ('spinebench run' measures them)", ComposedVariant.scans.flatMap(rows))
        print("Next: spinebench read Datasets/spines-1/images --variant fast".typed)
        if ComposedVariant.readers.allSatisfy({ $0.settings.problem != nil }) { throw ExitStatus.environment.exitCode }
    }

    private func show(_ title: String, _ rows: [[String]]) {
        let columns = rows.first.map { $0.map { _ in Table.Column.text("") } } ?? []
        let text = Table(title, columns: columns, rows: rows).terminal(width: Console.width)
        let marked = text.replacing("✓", with: Console.coloured("✓", .green))
        print(marked.replacing("✗", with: Console.coloured("✗", .red)) + "\n")
    }

    private func rows(_ base: ComposedVariant) -> [[String]] {
        let problem = base.settings.problem
        return [["\(problem == nil ? "✓" : "✗") \(base.name)", base.summary]] + (problem.map { [["", $0]] } ?? [])
    }

    /// Returns the coverage of a model with each alphabet; empty for a missing one.
    private func letters(_ models: OpenVINOModelSet) -> [[String]] {
        RecognitionAlphabet.allCases.compactMap { alphabet in
            guard
                let characters = try? OpenVINOEngine.characters(
                    of: models,
                    alphabet: alphabet,
                    modelDirectory: Installation.modelDirectory
                )
            else { return nil }
            let letters = ReadableLetters(characters)
            let names = alphabet == .latin ? letters.incompleteLanguages.map(\.name) : []
            let texts = [
                "\(letters.count) characters: \(letters.scripts.joined(separator: ", "))",
                names.isEmpty ? nil : "some letters missing of \(names.joined(separator: ", "))",
                "no letters of \(letters.missingScripts.joined(separator: ", "))",
            ]
            let text = texts.compactMap(\.self).joined(separator: "; ")
            return ["\(models.title), alphabet=\(alphabet.rawValue)", text]
        }
    }

    private func state(of path: String) -> String {
        guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int else {
            return "✗ missing: \(ProjectFolder.remedy)"
        }
        return String(format: "%.1f MB", Double(size) / 1e6)
    }
}
