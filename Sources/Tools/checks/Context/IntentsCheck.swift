import ArgumentParser
import Basics
import Captures
import ContextSpace
import Foundation
import SpineReaders

struct IntentsCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "intents",
        abstract: "Measure recall and precision of intents, by the meaning of texts.",
        discussion: """
            A file has a text per line, after its intent or "None" and a tab; further columns belong to the text, and a first line \
            of names is skipped. The exit code is 1 when recall or precision is below its limit.
            """
    )

    @Argument(help: "Files of labelled texts.") var files: [String]
    @Option(help: "Minimum recall, in percent.") var recall = 70.0
    @Option(help: "Minimum precision, in percent.") var precision = 90.0
    @Flag(help: "Print each wrong and missed text.") var details = false

    private struct Answer {
        var truth: String
        var said: String
        var line: String
    }

    func run() throws {
        guard let classifier = try IntentClassifier(MiniLM(folder: Installation.modelDirectory)) else {
            throw CheckFailure("the weights are of another space; run Training/intents.py")
        }
        var answers: [Answer] = []
        for file in files {
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            for line in lines where !line.hasPrefix("intent\t") {
                let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { throw CheckFailure("\(file): not an intent, a tab and a text: \(line)") }
                let ranked = try classifier.ranked(parts[1].replacing("\t", with: ". "))
                let best = ranked.prefix(2).map {
                    "\($0.intent?.rawValue ?? "None") \(NumberText.fixed(Double($0.probability), 2))"
                }
                let isSaid = ranked[0].probability >= classifier.leastProbability
                let said = isSaid ? ranked[0].intent?.rawValue ?? "None" : "None"
                answers.append(
                    Answer(truth: parts[0], said: said, line: "\(said) (\(best.joined(separator: ", "))): \(parts[1])")
                )
            }
        }
        print("| intent | texts | reported | right | recall | precision |\n|---|--:|--:|--:|--:|--:|")
        for intent in Set(answers.map(\.truth)).sorted() where intent != "None" {
            _ = report(intent, answers) { $0 == intent }
        }
        let (recall, precision) = report("all", answers) { $0 != "None" }
        for answer in answers where details && answer.said != answer.truth {
            print("\(answer.truth) → \(answer.line)")
        }
        try end([], isGood: recall >= self.recall && precision >= self.precision)
    }

    /// Prints the row of some intents, and returns their recall and precision, in percent.
    private func report(_ name: String, _ answers: [Answer], _ isIt: (String) -> Bool) -> (Double, Double) {
        let (texts, reported) = (answers.count { isIt($0.truth) }, answers.count { isIt($0.said) })
        let right = answers.count { isIt($0.said) && $0.said == $0.truth }
        let rates = [texts, reported].map { 100 * Double(right) / Double(max(1, $0)) }
        let shown = rates.map { "\(NumberText.fixed($0, 1)) %" }.joined(separator: " | ")
        print("| \(name) | \(texts) | \(reported) | \(right) | \(shown) |")
        return (rates[0], rates[1])
    }
}
