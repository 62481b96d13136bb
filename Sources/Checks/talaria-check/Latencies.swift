/// Seconds, with their percentiles.
struct Latencies: Sendable {
    private var seconds: [Double]

    /// - Parameter seconds: in any order.
    init(_ seconds: [Double]) { self.seconds = seconds.sorted() }

    var count: Int { seconds.count }

    /// The nearest rank: the smallest value that so large a share is not above.
    ///
    /// - Parameter share: 0…1.
    /// - Returns: nil when there are no values.
    func percentile(_ share: Double) -> Double? {
        guard !seconds.isEmpty else { return nil }
        let rank = Int((share * Double(seconds.count)).rounded(.up))
        return seconds[min(max(rank, 1), seconds.count) - 1]
    }

    /// A row of a Markdown table, in milliseconds.
    func row(_ name: String) -> String {
        let cells = [0.5, 0.95, 0.99].map { share in
            percentile(share).map { "\(($0 * 10_000).rounded() / 10)" } ?? "–"
        }
        return "| \(name) | \(count) | \(cells.joined(separator: " | ")) |"
    }
}
