import ArgumentParser
import Basics
import Captures
import Foundation

struct DaysCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "days",
        abstract: "Measure the share of days whose story is without fault.",
        discussion: """
            Each day of a file of made days is captured into a store, summarised by rules, and judged by its text and facts alone: every \
            name is of that day, nothing is said twice, no sentence is broken, and the three rarest things are named. The interval \
            is over people. The exit code is 1 when fewer than the least share of the days are without fault.
            """
    )

    @Argument(help: "Days of people, one per line, as Datasets/days-1/make.py makes them.")
    var file = "Datasets/days-1/days.jsonl"
    @Option(help: "Minimum share of days without fault, in percent.") var least = 95.0
    @Option(help: "Number of stories to print.") var examples = 5

    private struct Day: Decodable {
        struct Capture: Decodable {
            struct Child: Decodable {
                var kind: ItemKind
                var title: String
                var enrichment: EnrichmentData
            }

            var kind: ItemKind
            var title: String
            var hour: Double
            var transcription: String?
            var labels: [String: Double]
            var enrichment: EnrichmentData
            var children: [Child]
            var names: [String]
            var identity: [String]

            enum CodingKeys: String, CodingKey {
                case kind, title, hour, transcription, labels, enrichment, children, names
                case identity = "is"
            }

            var fact: DayJudge.Fact {
                let features = [kind.rawValue] + enrichment.categories + labels.keys
                return DayJudge.Fact(features: Set(features.map { $0.lowercased() }), names: names, identity: identity)
            }
        }

        var person: Int
        var day: Int
        var captures: [Capture]
    }

    func run() throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let days = try text.split(separator: "\n").map { try JSONDecoder().decode(Day.self, from: Data($0.utf8)) }
        let everyName = Set(days.flatMap(\.captures).flatMap(\.names))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var (faults, groups, longest) = ([(day: String, faults: [String])](), [Int](), 0)
        for (number, person) in Set(days.map(\.person)).sorted().enumerated() {
            let store = try ContextStore.inMemory()
            var history: [DayJudge.Fact] = []
            for day in days.filter({ $0.person == person }).sorted(by: { $0.day < $1.day }) {
                let start = Date(timeIntervalSince1970: 1_795_478_400 + Double(day.day) * 86_400)
                for capture in day.captures { try keep(capture, on: start, in: store) }
                let story = try store.dayStory(of: start, calendar: calendar)?.text ?? ""
                let facts = day.captures.map(\.fact)
                let judge = DayJudge(day: facts, history: history, everyName: everyName)
                let found = judge.faults(in: story)
                if faults.count % (days.count / max(1, examples)) == 0 || !found.isEmpty {
                    print("\nPerson \(person), day \(day.day), \(day.captures.count) captures:\n\(story)")
                    for fault in found { print("FAULT: \(fault)") }
                }
                faults.append(("\(person)-\(day.day)", found))
                groups.append(number)
                longest = max(longest, story.count)
                history += facts
            }
        }
        let good = faults.map { $0.faults.isEmpty }
        let percent = 100 * Double(good.count(where: \.self)) / Double(max(1, good.count))
        let interval = GroupBootstrap(groups: groups).interval { weights in
            let sum = weights.reduce(0, +)
            return sum == 0 ? nil : 100 * zip(weights, good).reduce(0) { $0 + ($1.1 ? Double($1.0) : 0) } / Double(sum)
        }
        let bounds = interval.value.map { String(format: " [%.1f, %.1f]", $0.lowerBound, $0.upperBound) } ?? ""
        print(
            String(format: "\n%.1f %%\(bounds) of \(good.count) days without fault; ", percent)
                + "longest \(longest) characters"
        )
        try end([], isGood: percent >= least)
    }

    private func keep(_ capture: Day.Capture, on day: Date, in store: ContextStore) throws {
        var new = NewCapture(kind: capture.kind, capturedAt: day.addingTimeInterval(capture.hour * 3_600))
        new.text = capture.transcription
        guard let item = try store.capture(new) else { return }
        try store.update(item.id) { item in
            (item.title, item.labels, item.enrichment) = (capture.title, capture.labels, capture.enrichment)
            if capture.kind == .web { item.url = "https://\(capture.hour).example/" }
        }
        try store.keepChildren(
            of: item.id,
            capture.children.enumerated().map { number, child in
                ("\(number)", child.kind, { ($0.title, $0.enrichment) = (child.title, child.enrichment) })
            }
        )
    }
}
