package import DeviceSimulation
import Evaluation

extension HostReading {
    /// The stages of a reading that came to an end; nil for another.
    ///
    /// What the system does not say it spent on inference, on enrichment or on an upload is taken for the CPU's.
    ///
    /// - Parameters:
    ///   - record: of the reading.
    ///   - isTitleRead: whether its whole title was read: what counts when no book was asked for.
    package init?(_ record: SampleRecord, isTitleRead: Bool) {
        guard record.outcome == .read, let whole = record.serviceMilliseconds ?? record.milliseconds,
            let prediction = record.prediction
        else { return nil }
        func stage(_ name: String) -> Double { prediction.stageMilliseconds[name] ?? 0 }
        let detection = stage(Prediction.Stage.detectionInference)
        let recognition = stage(Prediction.Stage.recognitionInference)
        let wait = stage(Prediction.Stage.enrichment) + stage(Prediction.Stage.upload)
        let traffic = prediction.traffic
        self.init(
            // Stages may overlap: the device's own part is never less than nothing.
            image: max(0, whole - detection - recognition - wait),
            detection: detection,
            recognition: recognition,
            wait: wait,
            isReadRemotely: stage(Prediction.Stage.reading) == 0 && wait > 0,
            bytesUp: traffic.map { $0.wireUp ?? $0.sent } ?? 0,
            bytesDown: traffic.map { $0.wireDown ?? $0.received } ?? 0,
            isIdentified: record.book.map { $0.answer == .right } ?? isTitleRead
        )
    }
}
