package import Basics
package import Evaluation
package import Imaging
package import ScanningPolicies
package import SpineDatasets

/// Request of the harness to a worker: one JSON object per line on the worker's standard input.
package enum WorkerRequest: Sendable, Equatable, Codable {
    /// Read one picture, which is all of a file or a part of it. `sequence` comes back with the answer.
    case read(sequence: Int, path: String, name: String, part: FilePart? = nil)
    /// Warm-up is over: report the memory and reset its peaks.
    case begin
    /// Load these pictures into memory, to be read by a number of simultaneous threads.
    case stream(lanes: Int, pictures: [WorkerPicture])
    /// Readings of a stream's pictures, after those that were asked for before. The first of them starts its clock.
    case enqueue(requests: [StreamRequest])
    case scanLive(LiveRequest)
    /// Drop the readings of a stream that have not begun.
    case stop
}

/// A picture to be read, and where it is.
package struct WorkerPicture: Sendable, Equatable, Codable {
    package var path: String
    package var part: FilePart?
    package var name: String
    /// Outline of the spine within the picture; nil for all of it.
    package var outline: Quad?

    package init(path: String, part: FilePart? = nil, name: String, outline: Quad? = nil) {
        (self.path, self.part, self.name, self.outline) = (path, part, name, outline)
    }

    init(_ sample: Sample, in store: PictureStore) {
        let source = store.source(of: sample.image)
        self.init(path: source.path, part: source.part, name: sample.image, outline: sample.outline)
    }
}

/// Spines that a camera is aimed at, one after the other.
package struct LiveRequest: Sendable, Equatable, Codable {
    package var spines: [WorkerPicture]
    package var framesPerSecond: Int
    /// Seed of the drawn surroundings.
    package var seed: UInt64
}

package struct LiveAnswer: Sendable, Equatable, Codable {
    package struct Reading: Sendable, Equatable, Codable {
        /// Time from the first frame with the whole spine in view until its scan was finished.
        package var milliseconds: Double?
        package var prediction: Prediction?

        package init(milliseconds: Double? = nil, prediction: Prediction? = nil) {
            (self.milliseconds, self.prediction) = (milliseconds, prediction)
        }
    }

    package var figures: LiveFigures
    package var readings: [Reading]
    /// Memory of the process at the end; set by the worker.
    package var memory: MemoryReading?

    package init(figures: LiveFigures, readings: [Reading]) { (self.figures, self.readings) = (figures, readings) }
}

package struct StreamRequest: Sendable, Equatable, Codable {
    package var sequence: Int
    /// Place in the stream's pictures.
    package var picture: Int
    /// Due time in seconds from the stream's start; at once when nil.
    package var dueSeconds: Double?
}

/// Time of a stream's reading, in seconds from the stream's start.
package struct StreamTiming: Sendable, Equatable, Codable {
    package var startSeconds: Double
    package var endSeconds: Double
}

/// Answer of a worker: one JSON object per line on its standard output; anything else there is noise.
package enum WorkerMessage: Sendable, Equatable, Codable {
    /// The system is loaded. `description` is its identity: engine, model, precision, threads.
    case ready(description: [String: String], modelLoadMilliseconds: Double, atStart: MemoryReading?)
    case unavailable(reason: String)
    /// A reader of the user's did not start, or nothing listens at its address: its readings fail for this reason.
    case unready(reason: String, owner: FaultOwner? = nil)
    /// Answer to `begin`. `memory` is from before the reset; `peakWasReset` is false where the kernel cannot do it.
    case began(memory: MemoryReading?, peakWasReset: Bool)
    /// Answer to `stream`: the pictures are in memory. `problem` is why one could not be read.
    case streaming(pictures: Int, bytes: Int, problem: String?)
    case started(sequence: Int)
    /// A picture was read, in `milliseconds` from its bytes to the prediction.
    case result(
        sequence: Int,
        milliseconds: Double,
        prediction: Prediction,
        memory: MemoryReading?,
        timing: StreamTiming?
    )
    /// A picture was not read; `owner` is who owns that, nil for the reader.
    case failure(
        sequence: Int,
        milliseconds: Double,
        reason: String,
        memory: MemoryReading?,
        timing: StreamTiming?,
        owner: FaultOwner? = nil
    )
    /// Answer to `scanLive`. `problem` is why there is none.
    case scannedLive(answer: LiveAnswer?, problem: String?)
    /// Stray output of the system's own processes.
    case noise(text: String)
    /// Answer to `stop`, after which no reading begins: how many were dropped.
    case stopped(dropped: Int)
}

extension WorkerMessage {
    /// The reading that a result or a failure is of, and when it took place in a stream; nil for other messages.
    var reading: (sequence: Int, timing: StreamTiming?)? {
        switch self {
        case .result(let sequence, _, _, _, let timing), .failure(let sequence, _, _, _, let timing, _):
            (sequence, timing)
        default: nil
        }
    }
}
