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

    /// One sentence.
    package var text: String {
        switch self {
        case .hostImage: "The work on a picture here, on one thread."
        case .hostDetection: "The detector here."
        case .hostRecognition: "The recogniser here."
        case .image: "The work on a picture on an A15, on one thread."
        case .neuralEngineRate: "What an A15's Neural Engine computes of small convolutions."
        case .neuralEngineCall: "What a call of it costs beside that."
        case .gpuRate: "What an A15's GPU computes of small convolutions."
        case .gpuCall: "What a call of it costs beside that."
        case .cpuRate: "What an A15's two fast cores compute of small convolutions."
        }
    }

    /// Of the numbers.
    package var unit: String {
        switch self {
        case .hostImage, .hostDetection, .hostRecognition, .image, .neuralEngineCall, .gpuCall: "ms"
        case .neuralEngineRate, .gpuRate, .cpuRate: "GFLOP/s"
        }
    }

    /// The side that makes a device slower.
    package var adverse: Estimate.Side {
        switch self {
        case .image, .neuralEngineCall, .gpuCall: .high
        // A host that was slower than it seemed makes the device faster.
        case .hostImage, .hostDetection, .hostRecognition, .neuralEngineRate, .gpuRate, .cpuRate: .low
        }
    }

    /// The unit that it is a figure of; nil for those that matter whatever computes.
    package var computeUnit: ComputeUnit? {
        switch self {
        case .neuralEngineRate, .neuralEngineCall: .neuralEngine
        case .gpuRate, .gpuCall: .gpu
        case .cpuRate: .cpu
        case .hostImage, .hostDetection, .hostRecognition, .image: nil
        }
    }
}
