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
    @Flag(help: "Print each wrong and missed text, and a table of limits.") var details = false

    private struct Answer {
        var truth: String
        var text: String
        var ranked: [(intent: Intent?, probability: Float)]

        func name(least: Float) -> String {
            ranked[0].probability < least ? "None" : ranked[0].intent?.rawValue ?? "None"
        }
    }

    func run() throws {
        guard let classifier = try IntentClassifier(MiniLM(folder: Installation.modelDirectory)) else {
            throw CheckFailure("the weights are of another space; run Training/intents.py")
        }
        let answers = try files.flatMap { file in
            try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").filter {
                !$0.hasPrefix("intent\t")
            }
            .map { line -> Answer in
                let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { throw CheckFailure("\(file): not an intent, a tab and a text: \(line)") }
                let text = parts[1].replacing("\t", with: ". ")
                return Answer(truth: parts[0], text: text, ranked: try classifier.ranked(text))
            }
        }
        let least = classifier.leastProbability
        print("| intent | texts | reported | right | recall | precision |\n|---|--:|--:|--:|--:|--:|")
        for intent in Set(answers.map(\.truth)).sorted() where intent != "None" {
            print(row(intent, answers, least) { $0 == intent })
        }
        print(row("all", answers, least) { $0 != "None" })
        if details {
            for answer in answers where answer.name(least: least) != answer.truth {
                let best = answer.ranked.prefix(2).map {
                    "\($0.intent?.rawValue ?? "None") \(NumberText.fixed(Double($0.probability), 2))"
                }
                let said = answer.name(least: least)
                print("\(answer.truth) → \(said) (\(best.joined(separator: ", "))): \(answer.text)")
            }
            for least in stride(from: Float(0.3), to: 0.8, by: 0.05) {
                print("\(least) " + row("all", answers, least) { $0 != "None" })
            }
        }
        let (recall, precision) = figures(answers, least) { $0 != "None" }.rates
        try end([], isGood: recall >= self.recall && precision >= self.precision)
    }

    private struct Figures {
        var texts = 0
        var reported = 0
        var right = 0
        /// Recall and precision, in percent.
        var rates: (recall: Double, precision: Double) {
            (100 * Double(right) / Double(max(1, texts)), 100 * Double(right) / Double(max(1, reported)))
        }
    }

    private func figures(_ answers: [Answer], _ least: Float, _ isIt: (String) -> Bool) -> Figures {
        var figures = Figures()
        for answer in answers {
            let said = answer.name(least: least)
            if isIt(answer.truth) { figures.texts += 1 }
            if isIt(said) { figures.reported += 1 }
            if isIt(said), said == answer.truth { figures.right += 1 }
        }
        return figures
    }

    private func row(
        _ name: String,
        _ answers: [Answer],
        _ least: Float,
        _ isIt: (String) -> Bool
    ) -> String {
        let figures = figures(answers, least, isIt)
        let rates = [figures.rates.recall, figures.rates.precision].map { "\(NumberText.fixed($0, 1)) %" }
        return
            "| \(name) | \(figures.texts) | \(figures.reported) | \(figures.right) | \(rates.joined(separator: " | ")) |"
    }
}
