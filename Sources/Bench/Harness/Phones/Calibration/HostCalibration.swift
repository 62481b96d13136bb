package import Foundation

/// Calibration of this host: its speed at the kinds of work of readings, by which times are scaled to devices.
package struct HostCalibration: Sendable, Equatable, Codable {
    package struct Timing: Sendable, Equatable, Codable {
        /// The median.
        package var milliseconds: Double
        /// The first and the third quartile.
        package var low: Double
        package var high: Double
        package var count: Int

        /// `milliseconds`: At least one, in any order.
        package init(_ milliseconds: [Double]) {
            precondition(!milliseconds.isEmpty, "a timing is of one repetition at least")
            let sorted = milliseconds.sorted()
            func rank(_ share: Double) -> Double { sorted[Int((Double(sorted.count - 1) * share).rounded())] }
            self.milliseconds = rank(0.5)
            low = rank(0.25)
            high = rank(0.75)
            count = sorted.count
        }

        var estimate: Estimate {
            let source = "median and quartiles of \(count) on this host"
            return Estimate(milliseconds, low: low, high: high, source: source, kind: .measured)
        }
    }

    /// The networks of a reader, each run once on an input of ``NetworkWork``'s size, warm.
    package struct Networks: Sendable, Equatable, Codable {
        package var work: NetworkWork
        package var detection: Timing
        package var recognition: Timing

        package init(work: NetworkWork, detection: Timing, recognition: Timing) {
            (self.work, self.detection, self.recognition) = (work, detection, recognition)
        }
    }

    /// Fingerprint of a host: processor, cores, memory and system.
    package var fingerprint: String
    package var measuredAt: Date
    package var engine: String
    /// SHA-256 of the networks' files, by name.
    package var models: [String: String]
    /// Decoding a picture, cutting lines out of it, and reading a network's answer, on one thread.
    package var image: Timing
    /// Networks by a reader's setup: networks, precision and threads.
    package var networks: [String: Networks]

    package init(
        fingerprint: String,
        measuredAt: Date,
        engine: String,
        models: [String: String],
        image: Timing,
        networks: [String: Networks]
    ) {
        (self.fingerprint, self.measuredAt, self.engine) = (fingerprint, measuredAt, engine)
        (self.models, self.image, self.networks) = (models, image, networks)
    }
}

/// Components of the time of one reading on the measuring host, in milliseconds.
package struct HostReading: Sendable, Equatable, Codable {
    /// Time on the CPU, as far as it is known to have worked.
    package var image: Double
    package var detection: Double
    package var recognition: Double
    /// Wait for the network and the back end; never scaled, as phones do not do that work.
    package var wait = 0.0
    /// Unexplained time, covered neither by a stage nor by processor time; never scaled, and not the device's work.
    package var unaccounted = 0.0
    /// Whether the text came with the back end's answer.
    package var isReadRemotely = false
    /// Whether the scan was answered: a deferred scan in the queue has had no answer.
    package var isAnswered = true
    package var bytesUp = 0
    package var bytesDown = 0
    /// Whether the right book came out; for a reader alone, the whole title.
    package var isIdentified = true
}

/// Work of a reader's networks on the inputs that calibration gives them.
package struct NetworkWork: Sendable, Equatable, Codable {
    package var name: String
    /// Work of the detector on 640 × 96 pixels, in 10⁹ floating-point operations.
    package var detectionGigaOperations: Double
    /// Work of the recogniser on a line of 320 × 48 pixels, in 10⁹ floating-point operations.
    package var recognitionGigaOperations: Double

    /// Width and height in pixels.
    package static let detectorInput = (width: 640, height: 96)
    package static let recognizerInput = (width: 320, height: 48)

    /// Known network sets: two operations for each multiplication of a Conv, ConvTranspose, MatMul or Gemm node,
    /// counted in the ONNX graphs with the shapes that ONNX Runtime gives them.
    package static let all = [
        NetworkWork(name: "ppocrv6-small", detectionGigaOperations: 1.300, recognitionGigaOperations: 2.184),
        NetworkWork(name: "ppocrv6-tiny", detectionGigaOperations: 0.397, recognitionGigaOperations: 0.369),
        NetworkWork(name: "ppocrv4-mobile", detectionGigaOperations: 0.691, recognitionGigaOperations: 1.405),
    ]
}

extension NetworkWork {
    /// Creates the work of the stages of a reader, of which the first `searching` find lines, and all read them; nil if
    /// one is unknown.
    ///
    /// Each counts once, which is more of a second one's work than a spine has on average.
    package init?(stages: [String], searching: Int) {
        let works = stages.compactMap { name in Self.all.first { $0.name == name } }
        guard works.count == stages.count else { return nil }
        name = stages.joined(separator: " then ")
        detectionGigaOperations = works.prefix(searching).reduce(0) { $0 + $1.detectionGigaOperations }
        recognitionGigaOperations = works.reduce(0) { $0 + $1.recognitionGigaOperations }
    }
}
