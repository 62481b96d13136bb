import Basics
import Evaluation
import Harness
import Results

/// `accuracy.csv`, the same bytes of a run in one piece and of its shards merged.
enum AccuracyCSV {
    static func bytes(_ results: [MeasurementResult]) -> [UInt8] {
        let metrics = Metric.allCases.filter(\.isOfAccuracyAlone)
        let columns = metrics.flatMap { metric in metric.meaning.columns.map { (metric, $0.part, $0.heading) } }
        var table = CSVTable(
            ["measurement", "variant", "scenario", "dataset", "category", "samples"] + columns.map(\.2)
        )
        for row in FigureRow.categories(results) {
            let (result, category) = (row.result, row.category)
            table.add(
                [
                    result.id, result.variant.name, result.scenario.label, result.dataset, category?.category ?? "all",
                    category.map { "\($0.samples)" } ?? "",
                ]
                    + columns.map { metric, part, _ in
                        guard category?.category == "all" || !metric.taking.isOfWhole,
                            let number = row.value(of: metric)?.part(part)
                        else { return "" }
                        return NumberText.fixed(
                            number,
                            part == .count || part == .total ? 0 : metric.meaning.unit.decimals
                        )
                    }
            )
        }
        return table.bytes
    }
}
