import DeviceSimulation
import Evaluation
import ScanningPolicies

/// E-27: the four NeuroGuide models, all on, at the medians and frequencies that their targets name (S3-04, S3-06, K-4, K-19).
struct FourModelsQuestion {
    let input: ExperimentInput
    static let seconds = 1_800.0

    private static let models = ModelTarget.neuroGuide

    /// The share of time in which a unit works for a model, at its median; above 1 for more than one unit can do.
    static func duty(_ model: ModelTarget, at quality: ReadingQuality) -> Double {
        (model.hertz(at: quality) ?? 0) * (model.p50Milliseconds ?? 0) / 1_000
    }

    var finding: Finding {
        guard !input.profiles.isEmpty else { return input.unanswered(.fourModels, "no device was asked for") }
        let seed = Self.models.reduce(0) { $0 + Self.seedPercent($1, .high) }
        let memory = Double(Self.models.reduce(0) { $0 + $1.memoryBytes })
        let duty = Self.models.reduce(0) { $0 + Self.duty($1, at: .high) }
        let energies = input.profiles.map { profile in
            Self.models.reduce(0) { $0 + Self.energyPercent($1, Self.quality(of: profile), profile.values()) }
        }
        let adverse = input.profiles.map { profile in
            Self.models.reduce(0) {
                $0 + Self.energyPercent($1, Self.quality(of: profile), profile.values(adverse: true))
            }
        }
        let kept = adverse.count { $0 < DeviceMatrixQuestion.halfHourTarget }
        let targets = Self.models.reduce(0) { $0 + $1.batteryPercentPer30Minutes }
        return Finding(
            id: Experiment.fourModels.rawValue,
            question: Experiment.fourModels.question,
            answer:
                "By the energy model they take \(Self.percent(energies.min() ?? 0)) to \(Self.percent(energies.max() ?? 0)) of the battery in half an "
                + "hour at the quality of each device's tier, and stay below 10 % at every plausible figure on \(kept) of "
                + "\(energies.count) devices; by the seed's formula \(NumberText.fixed(seed, 1)) %, which contradicts its own targets of "
                + "\(NumberText.short(targets)) % (K-4), themselves above the 10 % in all (K-19); memory targets add up to "
                + "\(NumberText.megabytes(memory)) of \(NumberText.short(Double(ModelBudget().memoryBytes) / 1e6)); and at full quality they would need "
                + "\(NumberText.fixed(100 * duty, 0)) % of one Neural Engine's time"
                + (duty > 1 ? ", so that not all can run on it at these medians." : "."),
            evidence: .modelled,
            tables: [models, devices(energies, adverse)]
        )
    }

    private var models: FindingTable {
        let rows = Self.models.map { model in
            [
                model.name, "\(NumberText.short(model.hertz ?? 0)) Hz",
                NumberText.milliseconds(model.p50Milliseconds ?? 0),
                "\(NumberText.fixed(100 * Self.duty(model, at: .high), 0)) %",
                "\(NumberText.fixed(Self.seedPercent(model, .high), 1)) %",
                "\(NumberText.short(model.batteryPercentPer30Minutes)) %",
                NumberText.megabytes(Double(model.memoryBytes)),
            ]
        }
        return FindingTable(
            "The four models by their targets",
            note:
                "Claimed figures, and what the seed's formula makes of them: frequency × median × 0.01 % for 100 ms of the Neural "
                + "Engine, in 30 minutes.",
            columns: ["Model", "Frequency", "P50", "Busy", "Seed, 30 min", "Target, 30 min", "Memory"],
            rows: rows
        )
    }

    private func devices(_ nominal: [Double], _ adverse: [Double]) -> FindingTable {
        let rows = zip(input.profiles, zip(nominal, adverse)).map { profile, percent in
            let quality = Self.quality(of: profile)
            let values = profile.values()
            var phone = EnergyUse()
            phone.base = values[.basePower] * Self.seconds
            phone.display = values[.displayPower] * Self.seconds
            phone.camera = values[.cameraPower] * Self.seconds
            return [
                profile.name, quality.rawValue,
                "\(NumberText.fixed(100 * Self.models.reduce(0) { $0 + Self.duty($1, at: quality) }, 0)) %",
                "\(Self.percent(percent.0)) [\(Self.percent(percent.1))]",
                Self.percent(percent.0 + phone.percent(of: values)),
                percent.1 < DeviceMatrixQuestion.halfHourTarget
                    ? "passes for every plausible value"
                    : percent.0 < DeviceMatrixQuestion.halfHourTarget ? "depends on the device's figures" : "fails",
            ]
        }
        return FindingTable(
            "All four on, half an hour",
            note:
                "Modelled, by the energy model on the Neural Engine, at each device tier's frequencies; a model without a frequency "
                + "at its tier is replaced by rules and takes nothing. In brackets: at the worst plausible figures. With camera, display and system: the whole phone.",
            columns: ["Device", "Quality", "Busy", "Models, 30 min", "Whole phone, 30 min", "Below 10 %"],
            rows: rows,
            numbersFrom: 2
        )
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
