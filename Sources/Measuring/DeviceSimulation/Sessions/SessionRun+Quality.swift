import ScanningPolicies

/// The reader's quality, and the conditions that it depends on.
extension SessionRun {
    /// Has the ladder look at the device, as the coordinator does before each frame.
    ///
    /// - Returns: whether a reader has to be loaded first.
    mutating func prepareReader() -> Bool {
        guard isAdaptive, plan.strategy.readsFirst else { return false }
        let (conditions, now) = (conditions, now)
        let needsLoading = adaptive?.prepare(conditions, at: now) ?? false
        keepLevel()
        triage.isReaderUnloaded = adaptive?.quality == nil
        triage.minimumInterval = adaptive?.minimumInterval(minimumInterval)
        return needsLoading
    }

    /// Notes the reading that is done.
    mutating func noteReading() {
        guard isAdaptive else { return }
        let (conditions, now, memory, latency) = (conditions, now, plan.memory, now - readingBegan)
        // Of the session so far; as if of a minute, while it is shorter.
        let percent = unitPercent(meter.energy) * 1_800 / max(VirtualTime.seconds(now), 60)
        adaptive?.note(
            latency: latency,
            memory: memory,
            batteryPercent: percent,
            conditions,
            at: now
        )
        keepLevel()
    }

    private mutating func keepLevel() {
        if let adaptive { readerLevel = adaptive.plan.level(adaptive.quality) }
    }

    /// Factor by which the reader's work takes longer, at its quality and as things are.
    var costFactor: Double {
        guard !plan.slowdowns.isEmpty else { return readerLevel.cost }
        let slow = plan.slowdowns.last {
            now >= VirtualTime.nanoseconds($0.from) && now < VirtualTime.nanoseconds($0.to)
        }
        return readerLevel.cost * (slow?.factor ?? 1)
    }

    /// Factor by which inference is slower with what the app holds in memory.
    var pressure: Double {
        plan.memory * readerLevel.memory > memoryBudget ? simulator.values[.memoryPressure] : 1
    }

    private var conditions: DeviceConditions {
        DeviceConditions(
            thermalState: ThermalStates.rising[state],
            hasMemoryWarning: plan.memoryWarnings.contains {
                (VirtualTime.nanoseconds($0)..<VirtualTime.nanoseconds($0 + 1)).contains(now)
            },
            batteryLevel: batteryLevel,
            isLowPower: isLowPower
        )
    }

    /// Percent of the battery that the CPU and the plan's unit took.
    private func unitPercent(_ energy: EnergyUse) -> Double {
        100 * (energy.cpu + energy.gpu + energy.neuralEngine) / capacity
    }
}
