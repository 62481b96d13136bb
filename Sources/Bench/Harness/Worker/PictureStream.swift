import Basics
import Foundation
import SpineDatasets

/// The worker's side of a stream: pictures in memory, and lanes that read them as they fall due.
final class PictureStream: Sendable {
    /// Number of pictures in memory, and their size.
    let pictures: Int
    let bytes: Int

    let queue: StreamQueue
    private let lanes = DispatchGroup()

    /// Loads the pictures and starts a number of lanes, all of which call the system simultaneously.
    ///
    /// - Throws: ``WorkerFailure`` for a file that cannot be read.
    ///
    /// `held`: Pictures that came through the pipe, by their names.
    init(
        lanes count: Int,
        pictures: [StreamPicture],
        held: [String: [UInt8]],
        system: any SystemUnderTest,
        output: WorkerOutput
    ) throws {
        let loaded = try pictures.map { picture in
            guard let bytes = held[picture.name] ?? PictureSource(path: picture.path, part: picture.part).contents()
            else {
                throw WorkerFailure.unreadable(path: picture.path)
            }
            return (name: picture.name, bytes: bytes)
        }
        self.pictures = loaded.count
        bytes = loaded.reduce(0) { $0 + $1.bytes.count }
        let queue = StreamQueue { output.send(.started(sequence: $0.sequence)) }
        self.queue = queue
        for _ in 0..<max(1, count) {
            lanes.enter()
            let thread = Thread { [lanes] in
                while let (request, start) = queue.take() {
                    guard loaded.indices.contains(request.picture) else {
                        continue
                    }
                    let picture = loaded[request.picture]
                    let answer = TimedReading(picture.bytes, name: picture.name, with: system)
                    output.send(answer.message(sequence: request.sequence, streamStart: start))
                }
                lanes.leave()
            }
            // Readers recurse little, but the default of a second thread is a sixteenth of the first one's.
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    /// Ends the lanes and waits for their last readings.
    func close() {
        queue.close()
        lanes.wait()
    }
}

/// Error of a worker that cannot fulfil a request.
enum WorkerFailure: Error, CustomStringConvertible {
    case unreadable(path: String)
    /// The system ended a reading that took too long.
    case silent(seconds: Double)

    var description: String {
        switch self {
        case .unreadable(let path): "\(path): the file cannot be read"
        case .silent(let seconds): "\(Self.silence) \(NumberText.short(seconds)) s"
        }
    }

    private static let silence = "no answer within"

    /// Whether a reading failed for this reason because it took too long.
    static func isTimeout(_ reason: String) -> Bool { reason.hasPrefix(silence) }
}
