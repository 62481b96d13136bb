/// Figure of a measurement: the key of targets, suites, comparisons, gates, tables, charts and pages.
///
/// This is the only table of metrics; `Metric.taking` defines their extraction and comparison. The raw value is the
/// spelling in JSON; everywhere else it is ``id``.
package enum Metric: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    case latency, latencyP50, latencyP90, latencyP95, latencyP99
    case titleRead, readInTime, authorRead, titleAndAuthorRead
    case characterErrors, wordErrors, similarity, wordF1
    /// The peaks of both figures of memory, and that of versions until 28 November 2026, which are compared with neither.
    case peakFootprint, peakResident, peakMemory
    case memoryDelta
    case start, firstReading, modelLoad, inferenceShare
    case timeToDraftP95, timeToPreparedP95, timeToTextP95, timeToEnrichedP95, enrichmentP95
    case completed, queued, drained, waiting
    case identified, wrongBook, draft, abstained, recallAt5, reciprocalRank
    case falseMatch, openDraft
    case bytesSent, imageBytesSent, textBytesSent, idBytesSent, controlBytesSent, bytesReceived
    case publisherRead
    case timeToDraftP50
    case bookRecall, bookPrecision, bookF1, bookTitleRead
    case countError, mergedSpines, splitBooks, sliverSpines, orderDistance, outlineOverlap, timePerBook
    case recallAt20, gestureReadings, repeatP95
    case timeToReadyP50, timeToReadyP95
    case codesRead, sceneRight, sceneWrong, sceneUnsaid, subjectOverlap, captureTold, factsLost
    case lineBoxRecall, lineBoxPrecision, lineOverlap
    case oneScan, repeatedScan, missedSpine, wrongScan
    case lostScans, firstTextP50, longestLoad

    /// Unit of a metric's values, and of its limits.
    package enum Unit: Sendable, Equatable {
        /// 0…1, printed in percent; its change is a difference, in points.
        case share
        /// 0…1, printed as it is.
        case score
        /// Milliseconds; the change is a ratio less 1.
        case milliseconds
        /// Memory of a process, printed in megabytes; its change is a ratio less 1.
        case bytes
        /// Difference of bytes; the change is a difference.
        case byteDifference
        /// Mean of the bytes that a scan sends or receives.
        case bytesPerScan
        case count
    }

    /// Group of metrics that decide the same question.
    package enum Family: String, Sendable, Codable, CaseIterable {
        case accuracy, speed, memory, traffic
    }

    /// Part of a figure with its own column in `report.csv`.
    package enum Part: Sendable {
        case value
        /// The ends of the interval at 95 %.
        case low, high
        /// Column of a share or a rate: counted items and their total.
        case count, total
    }

    package struct Meaning: Sendable {
        package var name: String
        package var unit: Unit
        package var family: Family
        package var higherIsBetter: Bool
        /// Heading in the table of readings, by category; nil for metrics without a column.
        package var heading: String?
        /// Name in files for services that chart figures over time, whose histories depend on it, in baselines, and
        /// in `--gate`; nil for metrics without a chart.
        package var chart: String?
        package var columns: [(part: Part, heading: String)]
    }

    package var meaning: Meaning {
        typealias Columns = KeyValuePairs<Part, String>
        func speed(_ name: String, chart: String? = nil, _ columns: Columns = [:]) -> Meaning {
            meaning(name, .milliseconds, .speed, chart: chart, columns)
        }
        func meaning(
            _ name: String,
            _ unit: Unit,
            _ family: Family,
            better: Bool = false,
            heading: String? = nil,
            chart: String? = nil,
            _ columns: Columns
        ) -> Meaning {
            Meaning(
                name: name,
                unit: unit,
                family: family,
                higherIsBetter: better,
                heading: heading,
                chart: chart,
                columns: columns.map { ($0.key, $0.value) }
            )
        }
        func read(
            _ name: String,
            better: Bool = true,
            heading: String? = nil,
            chart: String? = nil,
            _ columns: Columns
        ) -> Meaning {
            meaning(name, .share, .accuracy, better: better, heading: heading, chart: chart, columns)
        }
        func traffic(_ name: String, chart: String? = nil, _ heading: String) -> Meaning {
            meaning(name, .bytesPerScan, .traffic, chart: chart, [.value: heading])
        }
        return switch self {
        case .latency: speed("latency shift")
        case .latencyP50:
            speed("latency P50", chart: "latency-p50", [.value: "p50_ms", .low: "p50_low", .high: "p50_high"])
        case .latencyP90: speed("latency P90", [.value: "p90_ms", .low: "p90_low", .high: "p90_high"])
        case .latencyP95:
            speed("latency P95", chart: "latency-p95", [.value: "p95_ms", .low: "p95_low", .high: "p95_high"])
        case .latencyP99:
            speed("latency P99", chart: "latency-p99", [.value: "p99_ms", .low: "p99_low", .high: "p99_high"])
        case .titleRead:
            read(
                "title read",
                heading: "Title read",
                chart: "title-read",
                [
                    .count: "title_read", .total: "title_n", .value: "title_rate", .low: "title_low",
                    .high: "title_high",
                ]
            )
        case .authorRead:
            read(
                "author read",
                heading: "Author read",
                chart: "author-read",
                [.count: "author_read", .total: "author_n"]
            )
        case .readInTime:
            read("title read within 500 ms", heading: "and within 500 ms", chart: "in-time", [.count: "read_in_500ms"])
        case .titleAndAuthorRead:
            read(
                "title and author read",
                heading: "Title and author",
                [.count: "title_and_author_read", .total: "title_and_author_n"]
            )
        case .characterErrors:
            read(
                "character error rate",
                better: false,
                heading: "CER",
                chart: "cer",
                [.value: "cer", .count: "character_errors", .total: "characters"]
            )
        case .wordErrors:
            read(
                "word error rate",
                better: false,
                heading: "WER",
                [.value: "wer", .count: "word_errors", .total: "words"]
            )
        case .similarity: meaning("1-NED", .score, .accuracy, better: true, heading: "1-NED", [.value: "mean_1ned"])
        case .wordF1: meaning("word F1", .score, .accuracy, better: true, heading: "Word F1", [.value: "word_f1"])
        case .peakFootprint:
            meaning("peak memory footprint", .bytes, .memory, chart: "footprint", [.value: "peak_footprint_bytes"])
        case .peakResident:
            meaning("peak resident memory", .bytes, .memory, chart: "resident", [.value: "peak_resident_bytes"])
        case .peakMemory:
            meaning(
                "peak memory as defined until 28 November 2026",
                .bytes,
                .memory,
                chart: "memory",
                [.value: "peak_memory_bytes"]
            )
        case .memoryDelta:
            meaning(
                "retained memory",
                .byteDifference,
                .memory,
                chart: "memory-delta",
                [.value: "memory_delta_bytes"]
            )
        case .start: speed("start until loaded", chart: "start")
        case .firstReading: speed("start until the first reading", [.value: "first_reading_ms"])
        case .modelLoad: speed("model load", [.value: "model_load_ms"])
        case .inferenceShare: meaning("share of inference", .share, .speed, [.value: "inference_share"])
        case .timeToDraftP50: speed("time to draft P50", [.value: "draft_p50_ms"])
        case .timeToDraftP95: speed("time to draft P95", chart: "draft-p95", [.value: "draft_p95_ms"])
        case .timeToPreparedP95: speed("picture ready to send P95", [.value: "prepared_p95_ms"])
        case .timeToTextP95: speed("time to text P95", chart: "text-p95", [.value: "text_p95_ms"])
        case .timeToEnrichedP95: speed("time to enriched P95", chart: "enriched-p95", [.value: "enriched_p95_ms"])
        case .enrichmentP95: speed("enrichment alone P95", [.value: "enrichment_p95_ms"])
        case .completed: read("scans completed", [.count: "completed"])
        case .queued: meaning("scans kept for later", .count, .traffic, [.value: "queued"])
        case .drained: meaning("scans answered later", .count, .traffic, [.value: "drained"])
        case .waiting: meaning("scans waiting at the end", .count, .traffic, [.value: "waiting"])
        case .identified:
            read(
                "book identified",
                chart: "identified",
                [.count: "identified", .total: "identified_n", .low: "identified_low", .high: "identified_high"]
            )
        case .wrongBook: read("wrong book named", better: false, [.count: "wrong"])
        case .draft: read("draft of a book in the catalogue", better: false, [.count: "drafts"])
        case .abstained: read("no book named", better: false, [.count: "abstained"])
        case .recallAt5: read("right book among five", [.count: "recall_at_5"])
        case .reciprocalRank: meaning("mean reciprocal rank", .score, .accuracy, better: true, [.value: "mrr"])
        case .falseMatch:
            read(
                "false match",
                better: false,
                chart: "false-match",
                [.count: "false_match", .total: "false_match_n", .low: "false_match_low", .high: "false_match_high"]
            )
        case .openDraft: read("draft of a book outside the catalogue", better: false, [.count: "open_drafts"])
        case .bytesSent: traffic("bytes leaving the device", chart: "sent", "sent_bytes")
        case .imageBytesSent: traffic("bytes of pictures sent", "sent_image_bytes")
        case .textBytesSent: traffic("bytes of text sent", "sent_text_bytes")
        case .idBytesSent: traffic("bytes of ids sent", "sent_id_bytes")
        case .controlBytesSent: traffic("bytes of control sent", "sent_control_bytes")
        case .bytesReceived: traffic("bytes received", "received_bytes")
        case .publisherRead:
            read(
                "publisher read",
                heading: "Publisher read",
                chart: "publisher-read",
                [.count: "publisher_read", .total: "publisher_n"]
            )
        case .bookRecall:
            read(
                "books of a shelf named",
                chart: "book-recall",
                [
                    .count: "books_named", .total: "books_n", .value: "book_recall", .low: "book_recall_low",
                    .high: "book_recall_high",
                ]
            )
        case .bookPrecision:
            read(
                "precision of a shelf's names",
                chart: "book-precision",
                [
                    .count: "names_right", .total: "names_n", .value: "book_precision", .low: "book_precision_low",
                    .high: "book_precision_high",
                ]
            )
        case .bookF1: meaning("F1 of a shelf's books", .score, .accuracy, better: true, [.value: "book_f1"])
        case .bookTitleRead:
            read(
                "titles of a shelf read",
                chart: "book-titles",
                [.count: "book_titles_read", .value: "book_title_rate"]
            )
        case .countError: read("error of the count of books", better: false, [.value: "count_error"])
        case .mergedSpines: read("spines of several books", better: false, [.count: "merged", .total: "spines_n"])
        case .splitBooks: read("books in several spines", better: false, [.count: "split"])
        case .sliverSpines: read("spines that are slivers", better: false, [.count: "slivers"])
        case .orderDistance: read("books out of order", better: false, [.count: "moved"])
        case .outlineOverlap:
            meaning("overlap of outlines", .score, .accuracy, better: true, [.value: "outline_iou"])
        case .timePerBook: speed("time per book", [.value: "ms_per_book"])
        case .recallAt20: read("right book among twenty", [.count: "recall_at_20"])
        case .gestureReadings: meaning("readings per gesture", .count, .speed, [.value: "readings_per_gesture"])
        case .repeatP95: speed("repeated question P95", [.value: "repeat_p95_ms"])
        case .timeToReadyP50: speed("time to ready P50", chart: "ready-p50", [.value: "ready_p50_ms"])
        case .timeToReadyP95: speed("time to ready P95", chart: "ready-p95", [.value: "ready_p95_ms"])
        case .codesRead: read("codes read", chart: "codes-read", [.count: "codes_read", .total: "codes_n"])
        case .sceneRight:
            read("scene content, correct", chart: "scene", [.count: "scene_right", .total: "scene_n"])
        case .sceneWrong: read("scene content, wrong", better: false, [.count: "scene_wrong"])
        case .sceneUnsaid: read("scene content, unknown", better: false, [.count: "scene_unsaid"])
        case .subjectOverlap: meaning("overlap of subjects", .score, .accuracy, better: true, [.value: "subject_iou"])
        case .captureTold: read("captures summarised", [.count: "told"])
        case .lineBoxRecall:
            read(
                "boxes of lines found",
                heading: "Line boxes found",
                [.count: "line_boxes_found", .total: "lines_n", .value: "line_box_recall"]
            )
        case .lineBoxPrecision:
            read(
                "boxes that match a line",
                heading: "Line boxes right",
                [.count: "line_boxes_right", .total: "line_boxes_n", .value: "line_box_precision"]
            )
        case .lineOverlap:
            meaning("overlap of lines", .score, .accuracy, better: true, heading: "Line IoU", [.value: "line_iou"])
        case .factsLost: read("facts lost", better: false, [.count: "facts_lost", .total: "facts_n"])
        case .oneScan:
            read("spines with one scan", chart: "one-scan", [.count: "one_scan", .total: "frame_spines_n"])
        case .repeatedScan: read("spines with several scans", better: false, [.count: "repeated_scan"])
        case .missedSpine: read("spines without a scan", better: false, [.count: "missed_spine"])
        case .wrongScan: read("spines with a wrong book", better: false, chart: "wrong-scan", [.count: "wrong_scan"])
        case .lostScans: meaning("scans lost", .count, .traffic, [:])
        case .firstTextP50: speed("start until the first text P50")
        case .longestLoad: speed("longest model load")
        }
    }

    /// Whether it is of photos of shelves, and of nothing else.
    package var isOfShelves: Bool {
        switch self {
        case .bookRecall, .bookPrecision, .bookF1, .bookTitleRead, .countError, .mergedSpines, .splitBooks,
            .sliverSpines, .orderDistance, .outlineOverlap, .timePerBook:
            true
        default: false
        }
    }

    /// Whether it is a peak of memory.
    package var isPeakOfMemory: Bool { [.peakFootprint, .peakResident, .peakMemory].contains(self) }

    /// Metrics that suites and gates may name: not that which only records of earlier versions have.
    package static let current = allCases.filter { $0 != .peakMemory }

    /// Advice for the name of a metric that is taken no more; nil for other names.
    package static func advice(for name: String) -> String? {
        name != peakMemory.id
            ? nil
            : "\"\(name)\" is a figure of versions until 28 November 2026: use \"\(peakFootprint.id)\", which counts against "
                + "an app's limit on a phone, or \"\(peakResident.id)\""
    }

    /// Whether it is of a camera's frames, and of nothing else.
    package var isOfFrames: Bool { [.oneScan, .repeatedScan, .missedSpine, .wrongScan].contains(self) }

    /// Spelling in suites, at the command line and in messages: "latency-p95".
    package var id: String {
        rawValue.reduce(into: "") { id, letter in id += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }

    /// Returns the metric with this ``id``, or the spelling of its chart: "in-time", "latency-p95" or "p95" alone.
    package static func named(_ name: String) -> Metric? {
        current.first { $0.id == name } ?? current.first { [name, "latency-\(name)"].contains($0.meaning.chart) }
    }

    /// The percentile that it is; nil for another figure.
    package var percent: Int? { rawValue.dropLast(2).hasSuffix("P") ? Int(rawValue.suffix(2)) : nil }

    /// Whether it is of whole readings: their shift, or a percentile.
    package var isLatency: Bool { rawValue.hasPrefix(Metric.latency.rawValue) }

    /// Returns a change in the bad direction: positive when it is worse.
    package func harm(_ change: Double) -> Double { meaning.higherIsBetter ? -change : change }
}
