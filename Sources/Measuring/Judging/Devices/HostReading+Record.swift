package import DeviceSimulation
import Evaluation
package import Harness

extension HostReading {
    /// The stages of a reading that came to an end; nil for another.
    ///
    /// What a stage is for the device is in its kind. Time that no stage explains is the processors' as far as they worked in
    /// it, by the processor time of the whole process; the rest, or all of it where that time is not known, stays apart.
    ///
    /// - Parameters:
    ///   - record: of the reading.
    ///   - isTitleRead: whether its whole title was read: what counts when no book was asked for.
    package init?(_ record: SampleRecord, isTitleRead: Bool) {
        guard record.outcome == .read, let whole = record.serviceMilliseconds ?? record.milliseconds,
            let prediction = record.prediction
        else { return nil }
        let stages = prediction.stages
        let detection = stages[Stage.detectionInference] ?? 0
        let recognition = stages[Stage.recognitionInference] ?? 0
        let compute = stages.sum(.compute)
        // What went on at the same time as work takes the device no longer than the work.
        let wait = max(0, min(stages.sum(.network) + stages.sum(.sleep), whole - compute))
        let rest = max(0, whole - compute - wait)
        let worked = min(rest, max(0, (prediction.cpuMilliseconds ?? 0) - compute))
        let traffic = prediction.traffic
        self.init(
            image: max(0, compute - detection - recognition) + worked,
            detection: detection,
            recognition: recognition,
            wait: wait,
            unaccounted: rest - worked,
            isReadRemotely: stages[Stage.reading] == nil && stages.sum(.network) > 0,
            isAnswered: prediction.isQueued != true,
            bytesUp: traffic.map { $0.wireUp ?? $0.sent } ?? 0,
            bytesDown: traffic.map { $0.wireDown ?? $0.received } ?? 0,
            isIdentified: record.book.map { $0.answer == .right } ?? isTitleRead
        )
    }
}
