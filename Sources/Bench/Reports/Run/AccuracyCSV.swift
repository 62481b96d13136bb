import Basics
import Evaluation
import Harness
import Results

/// Accuracy, books and bytes for spreadsheets: the same bytes of a run in one piece and of its shards merged.
struct AccuracyCSV {
    let bytes: [UInt8]

    init(_ results: [MeasurementResult]) {
        let metrics = Metric.allCases.filter(\.isOfAccuracyAlone)
        let columns = metrics.flatMap { metric in metric.meaning.columns.map { (metric, $0.part, $0.heading) } }
        var table = CSVTable(
            ["measurement", "variant", "scenario", "dataset", "category", "samples"] + columns.map(\.2)
        )
        for result in results {
            for category in result.categories {
                let fields = columns.map { metric, part, _ -> String in
                    guard category.category == "all" || !metric.taking.isOfWhole,
                        let number = metric.taking.value?(result, category)?.part(part)
                    else { return "" }
                    return NumberText.fixed(number, part == .count || part == .total ? 0 : metric.meaning.unit.decimals)
                }
                table.add(
                    [
                        result.id, result.variant.name, result.scenario.label, result.dataset, category.category,
                        "\(category.samples)",
                    ] + fields
                )
            }
        }
        bytes = table.bytes
    }
}
