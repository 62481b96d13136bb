import Basics
import Statistics

/// A run's figures for spreadsheets: one row for every measurement and category, and one for each measurement's "all".
///
/// An empty field is a figure that cannot be had; the report in Markdown says why.
package struct CSVReport: Sendable {
    private let result: RunResult

    package init(_ result: RunResult) {
        self.result = result
    }

    /// The table in UTF-8.
    package var bytes: [UInt8] {
        let columns = [
            "measurement", "variant", "scenario", "dataset", "category", "samples", "scored", "readings", "failed",
            "timeouts", "p50_ms", "p50_low", "p50_high", "p90_ms", "p90_low",
            "p90_high", "p95_ms", "p95_low", "p95_high", "p99_ms", "p99_low", "p99_high",
            "title_read", "title_n", "title_rate", "title_low", "title_high", "read_in_500ms", "author_read",
            "author_n",
            "title_and_author_read", "title_and_author_n", "cer", "character_errors", "characters", "wer",
            "word_errors",
            "words", "mean_1ned", "word_f1", "peak_memory_bytes", "memory_delta_bytes", "first_reading_ms",
            "model_load_ms", "inference_share", "draft_p95_ms", "prepared_p95_ms", "text_p95_ms", "enriched_p95_ms",
            "enrichment_p95_ms",
            "completed", "queued",
            "drained", "waiting", "identified", "identified_n", "identified_low", "identified_high", "wrong",
            "drafts", "abstained", "recall_at_5", "mrr", "false_match", "false_match_n", "false_match_low",
            "false_match_high", "open_drafts", "catalogue", "catalogue_books", "catalogue_digest",
            "sent_bytes", "sent_image_bytes", "sent_text_bytes", "sent_id_bytes", "sent_control_bytes",
            "received_bytes", "evidence", "dataset_digest",
        ]
        var table = CSVTable(columns)
        let digests = Dictionary(result.datasets.map { ($0.name, $0.digest) }, uniquingKeysWith: { first, _ in first })
        for measurement in result.measurements {
            guard measurement.hasBegun || !measurement.isPartial else {
                let names = [
                    measurement.id, measurement.variant.name, measurement.scenario.label, measurement.dataset, "all",
                ]
                let ends = [measurement.evidence.rawValue, digests[measurement.dataset] ?? ""]
                table.add(names + Array(repeating: "", count: columns.count - names.count - ends.count) + ends)
                continue
            }
            for category in measurement.categories {
                table.add(
                    row(measurement, category) + tier(measurement, category)
                        + [measurement.evidence.rawValue, digests[measurement.dataset] ?? ""]
                )
            }
        }
        return table.bytes
    }

    /// What only variants have that do more than read; traffic is of the measurement as a whole.
    private func tier(_ measurement: MeasurementResult, _ category: CategoryResult) -> [String] {
        func ends(_ rate: RateEstimate?) -> [String] {
            let interval = rate?.interval.value
            return [interval?.lowerBound, interval?.upperBound].map { $0.map { NumberText.fixed($0, 4) } ?? "" }
        }
        func count(_ number: Int?) -> String { number.map { "\($0)" } ?? "" }
        let (milestones, books) = (category.milestones, category.books)
        let latencies = [
            milestones?.draft, milestones?.prepared, milestones?.text, milestones?.enriched, milestones?.enrichment,
        ]
        let traffic = category.category == "all" ? measurement.traffic : nil
        var bytes: [Double?] = [traffic?.sentPerScan]
        bytes += Traffic.Content.allCases.map { traffic?.sentPerScan($0) }
        bytes.append(traffic?.receivedPerScan)
        var row: [String] = latencies.map { $0.map { CSVTable.number($0.p95.value, 3) } ?? "" }
        row += [
            count(milestones?.completed.successes), count(milestones?.queued), count(milestones?.drained),
            count(milestones?.waiting), count(books?.identified.successes), count(books?.identified.trials),
        ]
        row += ends(books?.identified)
        row += [
            count(books?.wrong.successes), count(books?.drafts.successes), count(books?.abstained.successes),
            count(books?.recallAt5.successes),
            books.map { CSVTable.number($0.meanReciprocalRank, 4) } ?? "", count(books?.falseMatch.successes),
            count(books?.falseMatch.trials),
        ]
        row += ends(books?.falseMatch)
        let catalogue = books == nil ? nil : measurement.variant.catalogue
        row += [
            count(books?.openDrafts.successes), catalogue?.name ?? "", count(catalogue?.books), catalogue?.digest ?? "",
        ]
        return row + bytes.map { $0.map { NumberText.fixed($0, 1) } ?? "" }
    }

    private func row(_ measurement: MeasurementResult, _ category: CategoryResult) -> [String] {
        let (latency, accuracy) = (category.latency, category.accuracy)
        let interval = accuracy.titleRead.interval.value
        var row = [
            measurement.id, measurement.variant.name, measurement.scenario.label, measurement.dataset,
            category.category, "\(category.samples)", "\(accuracy.scored)", "\(latency.count)",
            "\(category.failures)", "\(latency.timeouts)",
        ]
        row += [latency.p50, latency.p90, latency.p95, latency.p99].flatMap { estimate in
            [estimate.value, estimate.lower, estimate.upper].map { CSVTable.number($0, 3) }
        }
        row += [
            "\(accuracy.titleRead.successes)", "\(accuracy.titleRead.trials)",
            CSVTable.number(accuracy.titleRead.rate, 4), interval.map { NumberText.fixed($0.lowerBound, 4) } ?? "",
            interval.map { NumberText.fixed($0.upperBound, 4) } ?? "",
            "\(accuracy.readInTime.successes)",
            "\(accuracy.authorRead.successes)", "\(accuracy.authorRead.trials)",
            "\(accuracy.titleAndAuthorRead.successes)", "\(accuracy.titleAndAuthorRead.trials)",
        ]
        row += [
            CSVTable.number(accuracy.characters.rate, 4), "\(accuracy.characters.errors)",
            "\(accuracy.characters.referenceLength)", CSVTable.number(accuracy.words.rate, 4),
            "\(accuracy.words.errors)", "\(accuracy.words.referenceLength)",
            CSVTable.number(accuracy.similarity, 4), CSVTable.number(accuracy.overlap.f1, 4),
        ]
        // These are of the measurement as a whole.
        guard category.category == "all" else { return row + ["", "", "", "", ""] }
        return row + [
            CSVTable.number(measurement.memory.peak, 0), CSVTable.number(measurement.memory.delta, 0),
            CSVTable.number(measurement.coldStart.untilFirstReading, 3),
            CSVTable.number(measurement.coldStart.modelLoad, 3),
            CSVTable.number(measurement.inferenceShare, 4),
        ]
    }
}
