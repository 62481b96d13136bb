import Foundation
import TestSupport
import Testing

@testable import Captures

/// Stories of the made days of `Datasets/days-1`.
@Suite struct DayStoryTests {
    private struct Day: Decodable {
        struct Child: Decodable {
            var kind: ItemKind
            var title: String
            var enrichment: Facts
        }

        struct Capture: Decodable {
            var kind: ItemKind
            var title: String
            var hour: Double
            var transcription: String?
            var labels: [String: Double]
            var enrichment: Facts
            var children: [Child]
            var names: [String]
            var `is`: [String]

            var fact: DayJudge.Fact {
                let features = [kind.rawValue] + enrichment.categories + labels.keys
                return DayJudge.Fact(features: Set(features.map { $0.lowercased() }), names: names, identity: `is`)
            }
        }

        var person: Int
        var day: Int
        var captures: [Capture]
    }

    /// 100 of 100 on 28 November 2026.
    @Test func nineteenOfTwentyAreWithoutFault() throws {
        let file = Project.folder.appending(path: "Datasets/days-1/days.jsonl")
        let days = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(Day.self, from: Data($0.utf8))
        }
        let everyName = Set(days.flatMap(\.captures).flatMap(\.names))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var quality = Quality()
        for (person, days) in Dictionary(grouping: days, by: \.person) {
            let store = try CaptureStore.inMemory()
            var history: [DayJudge.Fact] = []
            for day in days.sorted(by: { $0.day < $1.day }) {
                let start = Date(timeIntervalSince1970: 1_795_478_400 + Double(day.day) * 86_400)
                for capture in day.captures { try keep(capture, on: start, in: store) }
                let story = try store.dayStory(of: start, calendar: calendar)?.text ?? ""
                let facts = day.captures.map(\.fact)
                let faults = DayJudge(day: facts, history: history, everyName: everyName).faults(in: story)
                quality.add(faults.isEmpty, group: "\(person)", "person \(person), day \(day.day): \(faults)\n\(story)")
                history += facts
            }
        }
        quality.expect("days without fault", atLeast: 95)
    }

    private func keep(_ capture: Day.Capture, on day: Date, in store: CaptureStore) throws {
        var new = NewCapture(kind: capture.kind, capturedAt: day.addingTimeInterval(capture.hour * 3_600))
        new.text = capture.transcription
        let item = try store.capture(new)
        try store.update(item.id) { item in
            (item.title, item.labels) = (capture.title, capture.labels)
            item.answer(.link, capture.enrichment)
            if capture.kind == .web { item.url = "https://\(capture.hour).example/" }
        }
        try store.keepChildren(
            of: item.id,
            capture.children.enumerated().map { number, child in
                (
                    "\(number)", child.kind,
                    { item in
                        item.title = child.title
                        item.answer(.link, child.enrichment)
                    }
                )
            }
        )
    }
}
