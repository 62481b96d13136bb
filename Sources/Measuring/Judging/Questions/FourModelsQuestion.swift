import DeviceSimulation
import Documents
import Evaluation
import Harness
import ScanningPolicies

/// E-27: the four NeuroGuide models, all on, at the medians and frequencies that their targets name (S3-04, S3-06, K-4, K-19).
struct FourModelsQuestion: Question {
    static let experiment = Experiment.fourModels
    let input: ExperimentInput
    /// Whose claims are added up.
    var models = ModelTarget.neuroGuide
    private static let seconds = 1_800.0

    /// The share of time in which a unit works for a model, at its median; above 1 for more than one unit can do.
    static func duty(_ model: ModelTarget, at quality: ReadingQuality) -> Double {
        (model.hertz(at: quality) ?? 0) * (model.p50Milliseconds ?? 0) / 1_000
    }

    /// All models on a device at the quality of its tier.
    private struct Load {
        var profile: DeviceProfile
        var quality: ReadingQuality
        /// Of the battery in half an hour.
        var percent: Plausible<Double>
        var decision: Finding.Decision { .init(percent.range, below: DeviceMatrixQuestion.halfHourTarget) }
    }

    func answer() throws(Unanswered) -> Finding {
        guard !input.profiles.isEmpty else { throw Unanswered("no device was asked for") }
        func sum(_ part: (ModelTarget) -> Double) -> Double { models.reduce(0) { $0 + part($1) } }
        let seed = sum { Self.seedPercent($0, .high) }
        let memory = sum { Double($0.memoryBytes) }
        let duty = sum { Self.duty($0, at: .high) }
        let loads = input.profiles.map { profile in
            let quality = Self.quality(of: profile)
            let percent = Plausible(nominal: Bound.nominal, favourable: .favourable, adverse: .adverse).map { bound in
                sum { Self.energyPercent($0, quality, profile.values(at: bound)) }
            }
            return Load(profile: profile, quality: quality, percent: percent)
        }
        let energies = loads.map(\.percent.nominal)
        let budget = Double(ModelBudget().memoryBytes)
        return Self.finding(
            .overall(loads.map(\.decision) + [memory <= budget ? .holds : .doesNotHold]),
            "No model was run: by the medians and frequencies that their targets claim, they take "
                + "\(NumberText.battery(energies.min() ?? 0)) to \(NumberText.battery(energies.max() ?? 0)) of the battery in half an "
                + "hour by the energy model at the quality of each device's tier, and stay below 10 % at every plausible figure on "
                + "\(loads.count { $0.decision == .holds }) of "
                + "\(loads.count) devices; by the seed's formula \(NumberText.fixed(seed, 1)) %, beside targets of "
                + "\(NumberText.short(sum(\.batteryPercentPer30Minutes))) % in all (K-4, K-19); memory targets add up to "
                + "\(NumberText.megabytes(memory)) of \(NumberText.short(budget / 1e6)); and at full quality they would need "
                + "\(NumberText.fixed(100 * duty, 0)) % of one Neural Engine's time"
                + (duty > 1 ? ", so that not all can run on it at these medians." : "."),
            // What it rests on is claimed by the targets themselves.
            evidence: .claimed,
            tables: [claims, devices(loads)]
        )
    }

    private var claims: Table {
        Table(
            "The four models by their targets",
            note:
                "Claimed figures, and what the seed's formula makes of them: frequency × median × 0.01 % for 100 ms of the Neural "
                + "Engine, in 30 minutes.",
            columns: ["Model", "Frequency", "P50", "Busy", "Seed, 30 min", "Target, 30 min", "Memory"],
            rows: models.map { model in
                [
                    model.name, "\(NumberText.short(model.hertz ?? 0)) Hz",
                    NumberText.milliseconds(model.p50Milliseconds ?? 0),
                    "\(NumberText.fixed(100 * Self.duty(model, at: .high), 0)) %",
                    "\(NumberText.fixed(Self.seedPercent(model, .high), 1)) %",
                    "\(NumberText.short(model.batteryPercentPer30Minutes)) %",
                    NumberText.megabytes(Double(model.memoryBytes)),
                ]
            }
        )
    }

    private func devices(_ loads: [Load]) -> Table {
        Table(
            "All four on, half an hour",
            note:
                "Modelled, by the energy model on the Neural Engine, at each device tier's frequencies; a model without a frequency "
                + "at its tier is replaced by rules and takes nothing. In brackets: over the plausible figures of the device. With camera, display and system: the whole phone.",
            columns: ["Device", "Quality", "Busy", "Models, 30 min", "Whole phone, 30 min", "Below 10 %"],
            rows: loads.map { load in
                let values = load.profile.values()
                let busy = models.reduce(0) { $0 + Self.duty($1, at: load.quality) }
                var phone = EnergyUse()
                phone.base = values[.basePower] * Self.seconds
                phone.display = values[.displayPower] * Self.seconds
                phone.camera = values[.cameraPower] * Self.seconds
                return [
                    load.profile.name, load.quality.rawValue, "\(NumberText.fixed(100 * busy, 0)) %",
                    NumberText.battery(load.percent.nominal, in: load.percent.range),
                    NumberText.battery(load.percent.nominal + phone.percent(of: values)), Self.verdict(load.decision),
                ]
            },
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

    private static func energyPercent(_ model: ModelTarget, _ quality: ReadingQuality, _ values: DeviceValues) -> Double
    {
        var energy = EnergyUse()
        energy.add(duty(model, at: quality) * seconds * values[.neuralEnginePower], of: .neuralEngine)
        return energy.percent(of: values)
    }
}
