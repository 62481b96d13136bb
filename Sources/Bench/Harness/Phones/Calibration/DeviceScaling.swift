/// Scaling of readings that were timed on a host to their cost on a device.
///
/// The time of a stage on the device is its time here × the time of that kind of work on an A15 ÷ its time here in
/// the calibration ÷ the speed of the device's unit beside an A15's. Waiting for network and back end stays as it
/// was, and so does time that nothing explains.
package struct DeviceScaling: Sendable, Equatable {
    /// Factors from the host's milliseconds to the device's, by kind of work.
    package struct Factors: Sendable, Equatable {
        package var image: Double
        package var detection: Double
        package var recognition: Double
    }

    /// See ``A15Reference/figures(with:networks:)``.
    package var figures: [ScalingFigure: Estimate]
    /// nil for a reader without networks that were measured: all its time is the CPU's.
    package var work: NetworkWork?

    /// `reader`: Its key in the calibration; nil for one without networks.
    package init(_ calibration: HostCalibration, reader: String?) {
        let networks = reader.flatMap { calibration.networks[$0] }
        figures = A15Reference.figures(with: calibration, networks: networks)
        work = networks?.work
    }

    /// Factors that a millisecond on the host is on a device at full speed, its networks on `unit`.
    package func factors(_ numbers: [ScalingFigure: Double], on values: DeviceValues, unit: ComputeUnit) -> Factors {
        func number(_ figure: ScalingFigure) -> Double { numbers[figure] ?? .nan }
        let image = number(.image) / number(.hostImage) / values[.cpuSpeed]
        // Time that is not known to be a network's is assigned to the CPU.
        guard let work else { return Factors(image: image, detection: image, recognition: image) }
        func milliseconds(_ gigaOperations: Double) -> Double {
            switch unit {
            case .neuralEngine:
                (gigaOperations / number(.neuralEngineRate) * 1_000 + number(.neuralEngineCall))
                    / values[.neuralEngineSpeed]
            case .gpu: (gigaOperations / number(.gpuRate) * 1_000 + number(.gpuCall)) / values[.gpuSpeed]
            case .cpu: gigaOperations / number(.cpuRate) * 1_000 / values[.cpuSpeed]
            }
        }
        return Factors(
            image: image,
            detection: milliseconds(work.detectionGigaOperations) / number(.hostDetection),
            recognition: milliseconds(work.recognitionGigaOperations) / number(.hostRecognition)
        )
    }

    package static func cost(of reading: HostReading, _ factors: Factors) -> ReadingCost {
        ReadingCost(
            imageSeconds: reading.image * factors.image / 1_000,
            inferenceSeconds: (reading.detection * factors.detection + reading.recognition * factors.recognition)
                / 1_000,
            waitSeconds: reading.wait / 1_000,
            idleSeconds: reading.unaccounted / 1_000,
            bytesUp: reading.bytesUp,
            bytesDown: reading.bytesDown,
            isIdentified: reading.isIdentified
        )
    }
}

/// Figure by which a host's times are scaled to a device, beside the device's own.
package enum ScalingFigure: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    case hostImage = "host.image"
    case hostDetection = "host.detection"
    case hostRecognition = "host.recognition"
    case image = "a15.image"
    case neuralEngineRate = "a15.neuralEngine.rate"
    case neuralEngineCall = "a15.neuralEngine.call"
    case gpuRate = "a15.gpu.rate"
    case gpuCall = "a15.gpu.call"
    case cpuRate = "a15.cpu.rate"
    /// From loading the networks to being ready: after an install or an update, when Core ML compiles them, and later.
    case firstStart = "a15.firstStart"
    case laterStart = "a15.laterStart"

    package var unit: String {
        switch self {
        case .hostImage, .hostDetection, .hostRecognition, .image, .neuralEngineCall, .gpuCall, .firstStart,
            .laterStart:
            "ms"
        case .neuralEngineRate, .gpuRate, .cpuRate: "GFLOP/s"
        }
    }

    /// Unit of the figure; nil for those that apply to any unit.
    package var computeUnit: ComputeUnit? {
        switch self {
        case .neuralEngineRate, .neuralEngineCall, .firstStart, .laterStart: .neuralEngine
        case .gpuRate, .gpuCall: .gpu
        case .cpuRate: .cpu
        case .hostImage, .hostDetection, .hostRecognition, .image: nil
        }
    }
}
