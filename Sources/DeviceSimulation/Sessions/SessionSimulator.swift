/// Simulates sessions of scanning in virtual time.
package struct SessionSimulator: Sendable {
    package let plan: SessionPlan
    let values: DeviceValues
    let costs: [ReadingCost]

    /// - Parameters:
    ///   - plan: what is done.
    ///   - values: of the device.
    ///   - costs: one of them is drawn for each reading.
    /// - Throws: when there are no costs, or a figure is out of its range.
    package init(plan: SessionPlan, values: DeviceValues, costs: [ReadingCost]) throws(SessionError) {
        if costs.isEmpty { throw .noCosts }
        self.plan = plan
        self.values = values
        self.costs = costs
    }
}
