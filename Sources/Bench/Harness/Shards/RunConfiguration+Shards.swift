package import SpineDatasets

extension ScenarioPlan {
    /// The same plan with the readings of one shard's samples alone: their order, and their places in it, stay those of the
    /// whole.
    func restricted(to shard: Shard) -> ScenarioPlan {
        var plan = self
        for index in plan.phases.indices {
            guard case .listed(let steps) = plan.phases[index].steps else { continue }
            let own = steps.filter { shard.holds($0.sample) }
            plan.phases[index].steps = .listed(own)
            plan.phases[index].leastReadings = own.count
        }
        return plan
    }
}

extension RunConfiguration {
    /// The plan of a measurement, of one shard's samples where there is a shard.
    package func plan(_ measurement: Measurement, _ dataset: Dataset, shard: Shard?) -> ScenarioPlan {
        let plan = plan(measurement, dataset)
        return shard.map { plan.restricted(to: $0) } ?? plan
    }

    /// Checks that the run may be divided.
    ///
    /// Load that several machines make at once is not the load of one: only readings one after the other can be shared out.
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` when a scenario is not `single`, or devices are to be modelled.
    package func validateForShards() throws(HarnessError) {
        if let scenario = scenarios.first(where: { $0.kind != .single }) {
            throw .configuration(
                "the scenario \(scenario.label) cannot be divided into shards: what it shows is how one machine fares; run it "
                    + "without --shard, and the scenario single in shards"
            )
        }
        if devices != nil {
            throw .configuration(
                "devices are modelled on the readings of one machine, and shards have several: leave out --devices"
            )
        }
    }
}
