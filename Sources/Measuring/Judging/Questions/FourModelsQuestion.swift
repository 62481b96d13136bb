import DeviceSimulation
import Documents
import Evaluation
import Harness
import ScanningPolicies

/// E-27: the four NeuroGuide models, all on, at the medians and frequencies that their targets name (S3-04, S3-06, K-4, K-19).
struct FourModelsQuestion {
    let input: ExperimentInput
    /// Whose claims are added up.
    var models = ModelTarget.neuroGuide
    static let seconds = 1_800.0

    /// The share of time in which a unit works for a model, at its median; above 1 for more than one unit can do.
    static func duty(_ model: ModelTarget, at quality: ReadingQuality) -> Double {
        (model.hertz(at: quality) ?? 0) * (model.p50Milliseconds ?? 0) / 1_000
    }

    var finding: Finding {
        guard !input.profiles.isEmpty else { return input.unanswered(.fourModels, "no device was asked for") }
        let seed = models.reduce(0) { $0 + Self.seedPercent($1, .high) }
        let memory = Double(models.reduce(0) { $0 + $1.memoryBytes })
        let duty = models.reduce(0) { $0 + Self.duty($1, at: .high) }
        let energies = input.profiles.map { profile in
            models.reduce(0) { $0 + Self.energyPercent($1, Self.quality(of: profile), profile.values()) }
        }
        // The least and the most of the battery over the plausible figures.
        let ranges = input.profiles.map { profile -> ClosedRange<Double> in
            let ends = Bound.allCases.map { bound in
                models.reduce(0) { $0 + Self.energyPercent($1, Self.quality(of: profile), profile.values(at: bound)) }
            }
            return (ends.min() ?? 0)...(ends.max() ?? 0)
        }
        let kept = ranges.count { Self.decision($0) == .holds }
        let fits = memory <= Double(ModelBudget().memoryBytes)
        let targets = models.reduce(0) { $0 + $1.batteryPercentPer30Minutes }
        return Finding(
            .fourModels,
            .overall(ranges.map(Self.decision) + [fits ? .holds : .doesNotHold]),
            "No model was run: by the medians and frequencies that their targets claim, they take \(Self.percent(energies.min() ?? 0)) to "
                + "\(Self.percent(energies.max() ?? 0)) of the battery in half an "
                + "hour by the energy model at the quality of each device's tier, and stay below 10 % at every plausible figure on \(kept) of "
                + "\(energies.count) devices; by the seed's formula \(NumberText.fixed(seed, 1)) %, beside targets of "
                + "\(NumberText.short(targets)) % in all (K-4, K-19); memory targets add up to "
                + "\(NumberText.megabytes(memory)) of \(NumberText.short(Double(ModelBudget().memoryBytes) / 1e6)); and at full quality they would need "
                + "\(NumberText.fixed(100 * duty, 0)) % of one Neural Engine's time"
                + (duty > 1 ? ", so that not all can run on it at these medians." : "."),
            // What it rests on is claimed by the targets themselves.
            evidence: .claimed,
            tables: [claims, devices(energies, ranges)]
        )
    }

    private static func decision(_ percent: ClosedRange<Double>) -> Finding.Decision {
        percent.upperBound < DeviceMatrixQuestion.halfHourTarget
            ? .holds : percent.lowerBound >= DeviceMatrixQuestion.halfHourTarget ? .doesNotHold : .undecided
    }

    private var claims: Table {
        let rows = models.map { model in
            [
                model.name, "\(NumberText.short(model.hertz ?? 0)) Hz",
                NumberText.milliseconds(model.p50Milliseconds ?? 0),
                "\(NumberText.fixed(100 * Self.duty(model, at: .high), 0)) %",
                "\(NumberText.fixed(Self.seedPercent(model, .high), 1)) %",
                "\(NumberText.short(model.batteryPercentPer30Minutes)) %",
                NumberText.megabytes(Double(model.memoryBytes)),
            ]
        }
        return Table(
            "The four models by their targets",
            note:
                "Claimed figures, and what the seed's formula makes of them: frequency × median × 0.01 % for 100 ms of the Neural "
                + "Engine, in 30 minutes.",
            columns: ["Model", "Frequency", "P50", "Busy", "Seed, 30 min", "Target, 30 min", "Memory"],
            rows: rows
        )
    }

    private func devices(_ nominal: [Double], _ ranges: [ClosedRange<Double>]) -> Table {
        let rows = zip(input.profiles, zip(nominal, ranges)).map { profile, percent -> [String] in
            let quality = Self.quality(of: profile)
            let values = profile.values()
            var phone = EnergyUse()
            phone.base = values[.basePower] * Self.seconds
            phone.display = values[.displayPower] * Self.seconds
            phone.camera = values[.cameraPower] * Self.seconds
            return [
                profile.name, quality.rawValue,
                "\(NumberText.fixed(100 * models.reduce(0) { $0 + Self.duty($1, at: quality) }, 0)) %",
                "\(Self.percent(percent.0)) [\(NumberText.fixed(percent.1.lowerBound, 2)) – \(NumberText.fixed(percent.1.upperBound, 2))]",
                Self.percent(percent.0 + phone.percent(of: values)),
                Self.verdict(Self.decision(percent.1)),
            ]
        }
        return Table(
            "All four on, half an hour",
            note:
                "Modelled, by the energy model on the Neural Engine, at each device tier's frequencies; a model without a frequency "
                + "at its tier is replaced by rules and takes nothing. In brackets: over the plausible figures of the device. With camera, display and system: the whole phone.",
            columns: ["Device", "Quality", "Busy", "Models, 30 min", "Whole phone, 30 min", "Below 10 %"],
            rows: rows,
            numbersFrom: 2
        )
    }

    private static func verdict(_ decision: Finding.Decision) -> String {
        switch decision {
        case .holds: "passes for every plausible value"
        case .doesNotHold: "fails for every plausible value"
        case .undecided: "depends on the device's figures"
        }
    }

    private static func quality(of profile: DeviceProfile) -> ReadingQuality {
        switch profile.tier {
        case .high: .high
        case .medium: .medium
        case .low: .low
        }
    }

    static func seedPercent(_ model: ModelTarget, _ quality: ReadingQuality) -> Double {
        SeedBattery.percent(
            hertz: model.hertz(at: quality) ?? 0,
            milliseconds: model.p50Milliseconds ?? 0,
            seconds: seconds,
            on: .neuralEngine
        )
    }

    static func energyPercent(_ model: ModelTarget, _ quality: ReadingQuality, _ values: DeviceValues) -> Double {
        var energy = EnergyUse()
        energy.add(duty(model, at: quality) * seconds * values[.neuralEnginePower], of: .neuralEngine)
        return energy.percent(of: values)
    }

    private static func percent(_ value: Double) -> String { "\(NumberText.fixed(value, 2)) %" }
}
