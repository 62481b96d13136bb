import Basics
import Imaging
import SpineDatasets
import Statistics
import Testing

@testable import spinebench_tools

@Suite struct LabelAgreementTests {
    /// Cohen's kappa of the table of two raters' counts.
    ///
    /// By hand: 35 of 50 equal, chance (25 · 30 + 25 · 20) / 50² = 0.5, kappa (0.7 − 0.5) / 0.5; then 7 and 6 of 10 equal,
    /// chance (5 · 4 + 3 · 4 + 2 · 2) / 10² = 0.36, kappa 0.34 / 0.64 and 0.24 / 0.64. scikit-learn's `cohen_kappa_score`
    /// gives the same three values.
    @Test(
        arguments: [
            (["yy": 20, "yn": 5, "ny": 10, "nn": 15], 0.4),
            (["aa": 4, "ab": 1, "bb": 2, "bc": 1, "cc": 1, "cb": 1], 0.53125),
            (["aa": 3, "ab": 2, "bb": 2, "bc": 1, "cc": 1, "ca": 1], 0.375), (["aa": 7], nil), ([:], nil),
        ] as [([String: Int], Double?)]
    )
    func kappa(_ counts: [String: Int], _ expected: Double?) {
        let pairs = counts.flatMap { pair, count in
            [(String, String)](repeating: (String(pair.prefix(1)), String(pair.suffix(1))), count: count)
        }
        let kappa = LabelAgreement.kappa(pairs)
        #expect(kappa.map { ($0 * 1e9).rounded() } == expected.map { ($0 * 1e9).rounded() })
    }

    private func sample(_ id: String, _ title: String?, left: Double, category: SampleCategory = .vertical) -> Sample {
        var sample = Sample(
            id: id,
            image: "images/\(id).jpg",
            category: category,
            title: title,
            transcription: title ?? "",
            orientation: .clockwise,
            group: "shelf",
            legible: title != nil
        )
        sample.quad = Quad(left: left, top: 0, right: left + 20, bottom: 200)
        return sample
    }

    private func dataset(_ samples: [Sample]) -> Dataset {
        Dataset(path: "", manifest: DatasetManifest(name: "a"), digest: "", samples: samples)
    }

    @Test func spinesAreMatchedByPhotoAndOutline() {
        let first = dataset([
            sample("1", "Crow", left: 0), sample("2", "Dust", left: 20), sample("3", nil, left: 40),
            sample("4", "Only here", left: 300),
        ])
        // Two pixels off (18/22 of the area in common); another order and other ids.
        let second = dataset([
            sample("x", "Dust!", left: 22, category: .stylized), sample("y", "crow", left: 2),
            sample("z", "Bound", left: 42),
        ])
        let agreement = LabelAgreement(first, second)
        #expect(agreement.spines == 3 && agreement.onlyFirst == ["4"] && agreement.onlySecond == [])
        #expect(agreement.texts["title"]?.proportion == Proportion(successes: 0, trials: 2))
        #expect(agreement.texts["folded title"]?.proportion == Proportion(successes: 2, trials: 2))
        // One photo.
        #expect(agreement.texts["title"]?.basis == .tooFewGroups)
        let (orientation, category) = (agreement.choices["orientation"], agreement.choices["category"])
        #expect(orientation?.equal == 3 && orientation?.kappa == nil)
        // Categories: 2 of 3 equal, chance 1 · 2/3: kappa 0.
        #expect(category?.equal == 2 && category?.kappa == 0)
        #expect(abs((agreement.meanOverlap ?? 0) - 18.0 / 22) < 1e-12)
        #expect(
            agreement.conflicts.map(\.differences) == [
                ["title: “Crow” and “crow”", "transcription: “Crow” and “crow”"],
                [
                    "category: “vertical” and “stylized”", "title: “Dust” and “Dust!”",
                    "transcription: “Dust” and “Dust!”",
                ],
                ["legible: “false” and “true”"],
            ]
        )
    }

    private func labelled(_ title: String?, _ proposed: String?, shown: Bool, _ seconds: Double) -> Sample {
        var sample = sample("1", title, left: 0)
        sample.labelled = LabelOrigin(
            by: "ann",
            at: "2026-11-26T00:00:00Z",
            kind: .confirmed,
            proposed: proposed,
            shown: shown,
            seconds: seconds
        )
        return sample
    }

    @Test func figuresCompareLabelsWithTheirProposals() {
        let figures = LabelFigures([
            labelled("Crow", "CROW", shown: true, 1), labelled("Dust", "Oust", shown: true, 5),
            labelled(nil, "x", shown: true, 2), labelled("Bound", nil, shown: false, 9), sample("2", "Crow", left: 0),
        ])
        #expect(figures.shown == LabelFigures.Part(labels: 3, compared: 2, equal: 1, medianSeconds: 2))
        #expect(figures.blind == LabelFigures.Part(labels: 1, compared: 0, equal: 0, medianSeconds: 9))
        #expect(figures.sentences.count == 2 && figures.sentences[0].contains("was kept in 1 of 2 (50.0 %)"))
    }

    /// 19 quick Enters, of which 7 were right in truth: the labels know of no truth, and say so.
    @Test func keptProposalsAreNotRight() {
        func sentences(_ seconds: Double, shown: Bool) -> [String] {
            let samples = (0..<21).map { number in
                labelled(number == 20 ? "Other" : "Title \(number)", "Title \(number)", shown: shown, seconds)
            }
            return LabelFigures(samples).sentences
        }
        let quick = sentences(0.7, shown: true)
        #expect(quick[0].contains("was kept in 20 of 21 (95.2 %)") && quick[0].contains("0.7 s a spine"))
        #expect(quick[1].contains("Below 2 s a spine") && !quick.contains { $0.contains(" right ") })
        #expect(!sentences(2, shown: true).contains { $0.contains("Below") })
        let blind = sentences(0.7, shown: false)
        #expect(blind.count == 1 && blind[0].contains("equals the typed one in 20 of 21"))
    }
}
