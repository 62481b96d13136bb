import ArgumentParser
import BenchmarkHarness
import Foundation
import SpineDatasets
import SpineSynthesis

/// `spinebench dataset synth`: draws a labelled data set.
struct DatasetSynth: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "synth",
        abstract: "Draws labelled synthetic spines into a new folder.",
        discussion: """
            The same seed, count and fonts give the same bytes. Fonts come from Debian packages that 'make setup' installs; \
            the families that are missing are named, and the others are used instead.
            """
    )

    @Option(name: .customLong("out"), help: "The folder to write: new, or empty.", completion: .directory)
    var output: String

    @Option(help: "How many spines.")
    var count = 78

    @Option(help: "Decides everything that is left to chance.")
    var seed: UInt64 = 1

    func validate() throws {
        guard (1...100_000).contains(count) else {
            throw ValidationError("--count is \(count); 1 to 100000 spines can be drawn")
        }
    }

    func run() throws {
        let typefaces = SpineDesigner.installedTypefaces()
        let missing = Set(Typeface.all).subtracting(typefaces)
        if !missing.isEmpty {
            let families = Set(missing.map(\.family)).sorted().joined(separator: ", ")
            let packages = Set(missing.map(\.package)).sorted().joined(separator: " ")
            Console.standardError("Without \(families): 'make setup' installs them (\(packages)).")
        }
        let dataset = try StarterDataset(typefaces: typefaces)
        let start = ContinuousClock.now
        do {
            try dataset.write(
                to: URL(filePath: output),
                seed: seed,
                count: count,
                // The harness checks what was drawn, and its digest is the one that it will ask for.
                digest: { try DatasetLoader().load($0.path).digest },
                progress: { done in
                    if done.isMultiple(of: 100) { Console.standardError("\(done) of \(count)") }
                }
            )
        } catch SynthesisError.notEmpty(let path) {
            throw HarnessError.configuration("\(SynthesisError.notEmpty(path: path))")
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        Console.standardError("\(count) spines in \(output), \(String(format: "%.1f", seconds)) s")
    }
}
