/// Samples from the largest value down, for percentiles with some groups left out.
struct RankedSamples {
    /// In descending order.
    let values: [Double]
    /// Group of each value.
    let groups: [Int]
    private let sizes: [Int]

    init(_ values: [Double], groups: [Int]) {
        precondition(values.count == groups.count, "there is one value per sample")
        let order = values.indices.sorted { values[$0] > values[$1] }
        self.values = order.map { values[$0] }
        self.groups = order.map { groups[$0] }
        var sizes = [Int](repeating: 0, count: (groups.max() ?? -1) + 1)
        for group in groups { sizes[group] += 1 }
        self.sizes = sizes
    }

    /// How many samples there are when every group occurs as often as it was drawn.
    func total(drawn: [Int]) -> Int {
        var total = 0
        for group in sizes.indices { total += drawn[group] * sizes[group] }
        return total
    }
}
