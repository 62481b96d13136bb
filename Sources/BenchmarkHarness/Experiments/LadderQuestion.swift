import DeviceSimulation
import Evaluation

/// E-15: whether alerts, lower quality and unloading bring a device back within its targets (S3-23 to S3-28).
struct LadderQuestion {
    let input: ExperimentInput

    var finding: Finding { input.unanswered(.ladder, "the ladder is not there yet") }
}
