/// Scaling of readings that were timed on a host to their cost on a device.
///
/// The time of a stage on the device is its time here × the time of that kind of work on an A15 ÷ its time here in
/// the calibration ÷ the speed of the device's unit beside an A15's. Waiting for network and back end stays as it
/// was, and so does time that nothing explains.
struct DeviceScaling: Sendable, Equatable {
    /// Factors from the host's milliseconds to the device's, by kind of work.
    struct Factors: Sendable, Equatable {
        var image: Double
        var detection: Double
        var recognition: Double
    }

    /// Figures of the host, and of an A15; none of the host's networks for a reader without measured ones.
    var figures = A15Reference.figures
    /// nil for a reader without networks that were measured: all its time is the CPU's.
    var work: NetworkWork?

    /// `reader`: Its key in the calibration; nil for one without networks.
    init(_ calibration: HostCalibration, reader: String?) {
        let networks = reader.flatMap { calibration.networks[$0] }
        work = networks?.work
        figures[.hostImage] = calibration.image.estimate
        figures[.hostDetection] = networks?.detection.estimate
        figures[.hostRecognition] = networks?.recognition.estimate
    }

    /// Factors that a millisecond on the host is on a device at full speed, its networks on `unit`.
    func factors(_ values: DeviceValues, unit: ComputeUnit) -> Factors {
        let image = values[.a15Image] / values[.hostImage] / values[.cpuSpeed]
        // Time that is not known to be a network's is assigned to the CPU.
        guard let work else { return Factors(image: image, detection: image, recognition: image) }
        let (rate, call, speed): (Double, Double, Double) =
            switch unit {
            case .neuralEngine:
                (values[.a15NeuralEngineRate], values[.a15NeuralEngineCall], values[.neuralEngineSpeed])
            case .gpu: (values[.a15GPURate], values[.a15GPUCall], values[.gpuSpeed])
            case .cpu: (values[.a15CPURate], 0, values[.cpuSpeed])
            }
        func milliseconds(_ gigaOperations: Double) -> Double { (gigaOperations / rate * 1_000 + call) / speed }
        return Factors(
            image: image,
            detection: milliseconds(work.detectionGigaOperations) / values[.hostDetection],
            recognition: milliseconds(work.recognitionGigaOperations) / values[.hostRecognition]
        )
    }

    static func cost(of reading: HostReading, _ factors: Factors) -> ReadingCost {
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

/// Times of a calibration's work on an A15, the reference for all devices' speeds.
///
/// They are derived from times of the reader's own networks on phones, which others published, and never from TOPS: the
/// A17 Pro's Neural Engine is sold as having 2.2 times an A15's, and ran Stable Diffusion XL 1.02 times as fast as an
/// A16's (Apple, ml-stable-diffusion: 0.85 and 0.83 iterations a second), as TOPS count 8-bit operations.
enum A15Reference {
    /// Figures in `Resources/a15.json`, in the form of a device profile's.
    static let figures: [DeviceFigure: Estimate] = BuiltInFile.decoded(PackageResources.a15_json)
}
