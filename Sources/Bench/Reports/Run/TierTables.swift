import Basics
import Evaluation
import Harness
import ScanningPolicies
import SpineDatasets

/// Tables of variants that do more than read: milestones, named books, and transferred data.
struct TierTables: Sendable {
    let result: RunResult

    var tables: [Table] {
        [
            elsewhere, shelves, captures, scenes, milestones, catalogues, closedSet, openSet, traffic, paths,
            machines,
        ].filter { !$0.rows.isEmpty }
    }

    private var whole: [FigureRow] { FigureRow.whole(result.measurements) }

    private var categories: [FigureRow] { FigureRow.categories(result.measurements) }

    /// Without rows where each measurement was read on one machine.
    private var machines: Table {
        let rows = result.measurements.filter(\.isOfSeveralMachines).flatMap { measurement in
            (measurement.machines ?? []).map { one in
                let latency = one.latency
                return [measurement.id, one.machine, "\(latency.count)", "\(latency.timeouts)"]
                    + [latency.p50, latency.p90, latency.p95, latency.p99].map { NumberText.bounded($0, unit: "") }
            }
        }
        return Table(
            "Latency by machine",
            note: "Readings of different machines are not pooled. In brackets: the bounds of each percentile at 95 %.",
            columns: ["Measurement", "Machine", .number("Readings"), .number("Timeouts")]
                + ["P50", "P90", "P95", "P99"].map { .number($0, "ms") },
            rows: rows
        )
    }

    /// Without rows when the harness made all readings.
    private var elsewhere: Table {
        let percent = { NumberText.percent($0) }
        let megabytes = { (bytes: Double) in NumberText.fixed(bytes / 1e6, 1) }
        let rows = whole.compactMap { row -> [String]? in
            guard let origin = row.result.variant.origin else { return nil }
            func literal(_ text: String?) -> String { text.map { Markdown.line(Markdown.literal($0)) } ?? "–" }
            let (stated, memory) = (row.result.stated, row.result.memory)
            let battery = stated?.firstBattery.flatMap { first in
                stated?.lastBattery.map { "\(percent(first)) → \(percent($0))" }
            }
            let heat = stated?.hottest.map { "\($0.rawValue) (\(stated?.thermal[$0.rawValue] ?? 0))" }
            return [
                row.result.id, literal(origin.system), literal(origin.device), literal(origin.recorder),
                row.result.isUntimed ? "–" : row.result.evidence.rawValue,
                memory.footprint.peakDelta.value.map(megabytes) ?? "–",
                stated?.energyPerReading.map { NumberText.fixed($0, 3) } ?? "–", battery ?? "–", heat ?? "–",
            ]
        }
        return Table(
            "Readings made elsewhere",
            note: "Their texts are scored here. Times, memory, energy, battery and heat are those of their files. "
                + "Footprint: the most above the start of the recording. Heat: the hottest state, and the readings in it.",
            columns: [
                "Measurement", "System", "Device", "Recorder", "Evidence of times", .number("Footprint", "MB"),
                .number("Energy", "J a reading"), .number("Battery"), "Heat",
            ],
            rows: rows
        )
    }

    private var shelves: Table {
        Table(
            "Books on photos of shelves",
            note:
                "Books: those with a legible title. Named: of those in the catalogue, a spine at the book's position has "
                + "its name, and each spine names one book. Names right: share of the named spines. False match: share of the books that "
                + "the catalogue lacks and that still got a name, which is always wrong. Title read: in the text at "
                + "its position, regardless of the name. Count: difference between the number of spines and of labelled books. Merged: "
                + "spines that contain two books. Split: books that contain two spines. Slivers: pieces of a book. Out of order: the minimum number "
                + "that would have to be moved. Overlap: of outlines, intersection over union. Intervals are over photos.",
            figures: [
                .name, .count("Photos", .shelves, "photos"), .count("Books", .shelves, "books"),
                .count("Spines", .shelves, "spines"),
                .metric(.bookRecall, "Named"), .interval(of: .bookRecall),
                .metric(.bookPrecision, "Names right"), .interval(of: .bookPrecision),
                .metric(.falseMatch, "False match"), .metric(.bookF1, "F1"), .metric(.bookTitleRead, "Title read"),
                .metric(.countError, "Count", unit: "off"), .metric(.mergedSpines, "Merged"),
                .metric(.splitBooks, "Split"), .metric(.sliverSpines, "Slivers"),
                .metric(.orderDistance, "Out of order"), .metric(.outlineOverlap, "Overlap"),
                .metric(.timePerBook, "A book", unit: "ms"),
            ],
            of: whole.filter { $0.category?.has(.shelves) == true }
        )
    }

    private var captures: Table {
        Table(
            "Captures",
            note:
                "Ready: from a picture file's bytes until it is read, summarised and saved, by the harness's clock. Codes: those that are "
                + "labelled, and false readings; read: labelled codes with their whole contents. "
                + "Scene: whether the picture's content was described as labelled; "
                + "unknown is right where the vocabulary has no word for it. Overlap: of the subject with its labelled outline, "
                + "intersection over union, 0 where none was cut out. Summarised: the narrative obeys its rules. Facts lost: after each reading, "
                + "the capture was processed again with a source that fails in varying ways; each field must then have "
                + "its earlier value.",
            figures: [
                .name, .count("Captures", .captures, "all"),
                .metric(.timeToReadyP50, "Ready P50", unit: "ms"), .metric(.timeToReadyP95, "Ready P95", unit: "ms"),
                .metric(.codesRead, "Codes read"), .metric(.sceneRight, "Scene: right"),
                .metric(.sceneWrong, "wrong"), .metric(.sceneUnsaid, "unsaid"), .metric(.subjectOverlap, "Overlap"),
                .metric(.captureTold, "Summarised"), .metric(.factsLost, "Facts lost"),
            ],
            of: whole.filter { $0.category?.has(.captures) == true }
        )
    }

    private var scenes: Table {
        let words = SceneTruth.Label.allCases.map(\.rawValue)
        let rows = result.measurements.flatMap { measurement in
            words.compactMap { truth -> [String]? in
                let counts = words.map { measurement.all.count(.captures, "\(truth) → \($0)") }
                return counts.allSatisfy { $0 == 0 } ? nil : [measurement.id, truth] + counts.map { "\($0)" }
            }
        }
        return Table(
            "Scenes of captures: labelled and recognised",
            note: "Rows: the label; columns: the recognised scene, or unknown.",
            columns: ["Measurement", "Shown"] + words.map { .number($0) },
            rows: rows
        )
    }

    private var milestones: Table {
        let latencies: [(String, Metric)] = [
            ("Draft", .timeToDraftP95), ("Ready to send", .timeToPreparedP95), ("Text", .timeToTextP95),
            ("Enriched", .timeToEnrichedP95), ("Enrichment", .enrichmentP95),
        ]
        let times = latencies.flatMap { name, metric in
            [50, 95].map { percent in
                FigureColumn.number("\(name) P\(percent)", unit: "ms") {
                    $0.times(metric)?.percentile(percent)
                        .map { NumberText.bounded($0, unit: "") } ?? "–"
                }
            }
        }
        return Table(
            "Milestones",
            note:
                "From a picture file's bytes, by the harness's clock: to the draft of a book in the library, to a picture ready "
                + "to be sent, to its text, and to the catalogue's answer, including that the book is missing. Enrichment is from text to that answer. A scan "
                + "that never got that far counts as later than all others. Times behind a simulated network are modelled.",
            figures: [.name] + times + [
                .share("Completed", .completed),
                .metric(.queued, "Queued"),
                .metric(.drained, "Answered later"),
                .metric(.waiting, "Waiting at the end"),
                .text("Evidence") { $0.result.evidence.rawValue },
            ],
            of: whole.filter { $0.category?.has(.scans) == true }
        )
    }

    private var catalogues: Table {
        let rows = result.measurements.compactMap { measurement -> [String]? in
            let all = measurement.all
            guard let catalogue = measurement.variant.catalogue, all.namesBooks else { return nil }
            return [
                measurement.id, catalogue.name, catalogue.digest, "\(catalogue.books)", "\(catalogue.booksWithISBN)",
                "\(all.rate(.identified).trials)", "\(all.rate(.openDraft).trials)",
            ]
        }
        return Table(
            "Catalogues",
            note:
                "Catalogues for identification, on the device and by the back end that the run starts. Legible spines whose "
                + "book is in the catalogue are the closed set; those whose book is missing, in every edition, and pictures without a book "
                + "are the open set.",
            columns: ["Measurement", "Catalogue", "Digest", "Books", "with an ISBN", "Closed set", "Open set"],
            rows: rows,
            numbersFrom: 3
        )
    }

    private var closedSet: Table {
        Table(
            "Books in the catalogue (closed set)",
            note:
                "A book is right when its main title equals the labelled one, or one that the label accepts, and an author's surname is "
                + "shared. Identified: the right one was named. A draft is made from the text and is not a book of the "
                + "catalogue. Recall and MRR are of the ranked candidates, named or not.",
            figures: [
                .name, .category, .metric(.identified, "Identified"), .interval(of: .identified),
                .metric(.wrongBook, "Wrong"), .metric(.draft, "Draft"), .metric(.abstained, "Abstained"),
                .metric(.recallAt1, "First candidate"),
                .metric(.recallAt5, "Recall@5"), .metric(.recallAt20, "Recall@20"), .metric(.reciprocalRank, "MRR"),
            ],
            of: categories.filter { ($0.category?.rate(.identified).trials ?? 0) > 0 }
        )
    }

    private var openSet: Table {
        Table(
            "Books that the catalogue does not have (open set)",
            note:
                "The only right answer is an empty one. False match: a book of the catalogue was named anyway. A draft, made "
                + "from the text, names none.",
            figures: [
                .name, .category, .metric(.falseMatch, "False match"), .interval(of: .falseMatch),
                .metric(.openDraft, "Draft"),
                .share("Abstained") { row in
                    row.category.map {
                        let (match, drafts) = ($0.rate(.falseMatch), $0.rate(.openDraft))
                        let answered = match.successes + drafts.successes
                        return Proportion(successes: drafts.trials - answered, trials: drafts.trials)
                    }
                },
            ],
            of: whole.filter { ($0.category?.rate(.openDraft).trials ?? 0) > 0 }
        )
    }

    private var traffic: Table {
        let rows = result.measurements.compactMap { measurement -> [String]? in
            guard let traffic = measurement.traffic else { return nil }
            return [measurement.id, "\(traffic.scans)"]
                + Traffic.Content.allCases.map { Self.kilobytes(traffic.sentPerScan($0.rawValue)) }
                + [
                    traffic.wireUp == nil ? "–" : Self.kilobytes(traffic.sentPerScan),
                    Self.kilobytes(traffic.receivedPerScan), Self.kilobytes(Double(traffic.largestSent)),
                    reduction(traffic, of: measurement),
                    NumberText.proportion(Proportion(successes: traffic.silent, trials: traffic.scans)),
                ]
        }
        return Table(
            "What left the device",
            note:
                "Average of a scan, counted at the sender, 1 kB = 1,000 bytes. Of a variant without a back end it is what the "
                + "kernel let through, which denies its worker every network socket. Over the wire: with headers, encryption and "
                + "compression, as far as the client sees them. Reduction: relative to the variant that sends most. Nothing sent: "
                + "scans that stayed on the device entirely.",
            columns: ["Measurement", .number("Scans")]
                + ["Image", "Text", "Ids", "Control", "Sent over the wire", "Received", "Most in a scan"]
                .map { .number($0, "kB") } + [.number("Less"), .number("Nothing sent")],
            rows: rows
        )
    }

    private var paths: Table {
        let rows = result.measurements.flatMap { measurement in
            (measurement.all.counts[.paths] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                [measurement.id, $0.key.isEmpty ? "none" : $0.key, "\($0.value)"]
            }
        }
        return Table(
            "Tiers that scans went through",
            note: "In order of their participation.",
            columns: ["Measurement", "Tiers", "Scans"],
            rows: rows,
            numbersFrom: 2
        )
    }

    private static func kilobytes(_ bytes: Double) -> String { NumberText.fixed(bytes / 1e3, 2) }

    /// Returns the reduction of a measurement's traffic relative to the one over the same dataset that sends the
    /// most.
    private func reduction(_ traffic: TrafficSummary, of measurement: MeasurementResult) -> String {
        let others = result.measurements.filter { $0.dataset == measurement.dataset }
        let most = others.compactMap { other in other.traffic.map { (other.id, $0.sentPerScan) } }.max { $0.1 < $1.1 }
        guard let most, most.0 != measurement.id, most.1 > 0 else { return "–" }
        return NumberText.fixed(100 * (1 - traffic.sentPerScan / most.1), 2) + " % than \(most.0)"
    }
}
