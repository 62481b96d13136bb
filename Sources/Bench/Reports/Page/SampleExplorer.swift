import Basics
import Evaluation
import Foundation
import Harness
import SpineDatasets

/// Samples × runs as `Resources/explorer.js` shows them: what broke first, what is right again, what is flaky.
package struct SampleExplorer: Encodable {
    package struct Run: Encodable {
        package var id: String
        package var label: String
        /// UTC, ISO 8601; nil when it does not matter.
        package var time: String?
        package var host: String?
        /// Address of its report, `https:` or relative; nil without one.
        package var link: String?

        package init(id: String, label: String, time: String? = nil, host: String? = nil, link: String? = nil) {
            (self.id, self.label, self.time, self.host, self.link) = (id, label, time, host, link)
        }
    }

    package struct Entry: Encodable {
        package var id: String
        package var category: String
        /// Printed text.
        package var truth: String
        /// A character for each run: 1 right, 0 wrong, f differs between repetitions, - not in the run.
        package private(set) var states = ""
        /// Different texts that were read.
        package private(set) var texts: [String] = []
        /// Index of each run's text; nil when it is unknown.
        package private(set) var text: [Int?] = []

        package init(id: String, category: String, truth: String) {
            (self.id, self.category, self.truth) = (id, category, truth)
        }

        /// Appends the next run's reading; `isRight` is nil for a sample that it did not score.
        package mutating func append(isRight: Bool?, varies: Bool = false, text: String?) {
            states += isRight.map { varies ? "f" : $0 ? "1" : "0" } ?? "-"
            if let text, !texts.contains(text) { texts.append(text) }
            self.text.append(text.flatMap(texts.firstIndex))
        }

        /// Whether all runs that scored it agree.
        var isStable: Bool { !states.contains("f") && !(states.contains("0") && states.contains("1")) }
    }

    package var runs: [Run]
    package var samples: [Entry]
    /// Index of the run that the others are compared with; nil for runs in the order of time, each with those before it.
    package var base: Int?

    package init(runs: [Run], samples: [Entry], base: Int? = nil) {
        (self.runs, self.samples, self.base) = (runs, samples, base)
    }

    /// Scripts and style of a page that shows one: after the common tools, `explorer(data)` returns its section.
    package static let scripts = [PackageResources.letters_js, PackageResources.explorer_js]
    package static let style = PackageResources.parts_css + PackageResources.explorer_css
}

extension SampleExplorer {
    /// The sample of an id, and its dataset's pictures; nil when it is not known.
    typealias Finder = @Sendable (_ id: String, _ dataset: String) -> (store: PictureStore, sample: Sample)?

    /// Returns the explorer of a comparison: its sides are the runs, the first one the base; and the pictures of the
    /// samples that differ.
    static func of(
        _ report: ComparisonReport,
        samples find: Finder
    ) -> (explorer: SampleExplorer, places: [PagePictures.Place?]) {
        var (entries, places) = ([Entry](), [PagePictures.Place?]())
        for part in report.parts {
            let read = part.readings.map { side in Dictionary(side.entries.map { ($0.id, $0) }) { first, _ in first } }
            var ids = Set<String>()
            for first in part.readings.flatMap(\.entries) where ids.insert(first.id).inserted {
                let found = find(first.id, part.dataset)
                var entry = Entry(
                    id: report.parts.count > 1 ? "\(part.label): \(first.id)" : first.id,
                    category: first.category,
                    truth: found?.sample.transcription ?? ""
                )
                for side in read {
                    let own = side[first.id]
                    let isRight = own?.title ?? own?.outcomes[.bookTitleRead]
                    entry.append(isRight: isRight, varies: own?.varies == true, text: own?.text)
                }
                entries.append(entry)
                places.append(
                    entry.isStable ? nil : found.map { PagePictures.Place(entry.id, $0.sample, in: $0.store) }
                )
            }
        }
        let runs = (report.parts.first?.names ?? []).enumerated().map { index, name in
            Run(id: Sides.letter(index), label: "\(Sides.letter(index)): \(name)")
        }
        return (SampleExplorer(runs: runs, samples: entries, base: 0), places)
    }
}
