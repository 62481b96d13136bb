import OpenVINOEngine
package import ScanningPipeline
package import ScanningPolicies
package import SpineReaders
import TextRecognition

extension AdaptiveReader {
    /// Returns the readers of this machine; `battery`: use of half an hour on a phone by the share of reading time.
    package static func real(
        best: ReadingQuality,
        battery: @escaping @Sendable (_ share: Double) -> Double? = { _ in nil },
        tell: @escaping @Sendable (String) -> Void
    ) -> AdaptiveReader {
        let target = ModelTarget.named(ReadingLevel(best).tier) ?? ModelTarget.tiers[0]
        let memory = MemoryPressureSource()
        return AdaptiveReader(
            control: QualityControl(
                window: PerformanceWindow(target: target),
                ladder: DegradationLadder(.scanning(best: best))
            ),
            conditions: { DeviceConditions(hasMemoryWarning: memory.hasWarning) },
            batteryPercentPer30Minutes: battery,
            giveBack: OpenVINOEngine.giveBackMemory,
            log: { _, event in if let text = event.text { tell(text) } },
            load: { quality in
                let pipeline = try ReadingSettings(quality).load()
                try pipeline.prepare()
                return pipeline.scanner.reader
            }
        )
    }
}

extension DegradationLadder.Settings {
    /// Settings of `scan --adaptive`, whose purpose is text, late rather than never: no alert unloads the reader.
    package static func scanning(best: ReadingQuality) -> Self { Self(best: best, unloadsOnAlerts: false) }
}

extension AdaptiveReader.Event {
    /// Text for display; nil for an event with an alert of its own.
    package var text: String? {
        switch self {
        case .alert(.raised(let alert)): "\(alert.severity.rawValue): \(alert.message)"
        case .alert(.recovered(let alert)): "over: \(alert.message)"
        case .action(.log), .load: nil
        case .action(.setFrequency(let share)): "reads \(Int((100 * share).rounded())) % as often"
        case .action(.switchTo(let quality, let reason)): "quality \(quality.rawValue): \(reason.rawValue)"
        case .action(.unload(let reason)): "reader unloaded: \(reason.rawValue)"
        case .action(.recover(let quality)): "quality restored to \(quality.rawValue)"
        }
    }
}

extension ReadingSettings {
    /// Creates the settings of a quality: accurate, fast, or fast with a smaller picture and one pass.
    package init(_ quality: ReadingQuality) {
        let level = ReadingLevel(quality)
        self = level.tier == "accurate" ? .accurate : .fast
        guard level.inputScale < 1 else { return }
        func scaled(_ side: Int) -> Int { Int((Double(side) * level.inputScale).rounded()) }
        reader.firstLook.shortSide = scaled(reader.firstLook.shortSide)
        reader.firstLook.longSide = scaled(reader.firstLook.longSide)
        reader.furtherLooks = []
    }
}
