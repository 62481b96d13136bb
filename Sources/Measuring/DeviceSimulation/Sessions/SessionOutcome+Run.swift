import ScanningPolicies

extension SessionOutcome {
    /// Outcome of a run that is at its end.
    init(_ run: SessionRun) {
        let (meter, values) = (run.meter, run.simulator.values)
        let energy = meter.energy
        let seconds = VirtualTime.seconds(meter.now)
        let (cpu, unit) = (VirtualTime.seconds(meter.busy.cpu), VirtualTime.seconds(meter.busy.unit))
        let seedPercent =
            SeedBattery.percent(busySeconds: cpu, on: .cpu) + SeedBattery.percent(busySeconds: unit, on: meter.unit)
        self.init(
            plan: run.plan,
            seed: run.seed,
            seconds: seconds.rounded(toDigits: 6),
            counts: run.triage.counts,
            dropped: run.camera.dropped,
            scans: run.scans,
            books: run.books,
            energy: energy.rounded(toDigits: 6),
            heat: meter.heat.rounded(toDigits: 6),
            cpuSeconds: cpu.rounded(toDigits: 6),
            unitSeconds: unit.rounded(toDigits: 6),
            percent: energy.percent(of: values).rounded(toDigits: 6),
            seedPercent: seedPercent.rounded(toDigits: 6),
            minutes: run.recorder.minutes,
            timeline: run.recorder.timeline,
            stateSeconds: StateSeconds(run.recorder.stateTimes),
            worstState: ThermalStates.rising[run.recorder.worst],
            qualityChanges: run.adaptive?.changes ?? [],
            alerts: run.adaptive?.alerts ?? 0,
            chip: meter.temperatures.chip.rounded(toDigits: 6),
            skin: meter.temperatures.skin.rounded(toDigits: 6),
            latencies: run.recorder.latencies,
            answers: run.recorder.answers,
            isBalanced: meter.isBalanced
        )
    }
}

extension EnergyUse {
    fileprivate func rounded(toDigits digits: Int) -> EnergyUse {
        var rounded = EnergyUse()
        rounded.base = base.rounded(toDigits: digits)
        rounded.display = display.rounded(toDigits: digits)
        rounded.camera = camera.rounded(toDigits: digits)
        rounded.cpu = cpu.rounded(toDigits: digits)
        rounded.gpu = gpu.rounded(toDigits: digits)
        rounded.neuralEngine = neuralEngine.rounded(toDigits: digits)
        rounded.radio = radio.rounded(toDigits: digits)
        return rounded
    }
}
