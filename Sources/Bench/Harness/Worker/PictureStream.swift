import Basics
import Foundation
import SpineDatasets

/// The worker's side of a stream: pictures in memory, and lanes that read them as they fall due.
final class PictureStream: Sendable {
    let pictures: Int
    let bytes: Int

    let queue: StreamQueue
    private let lanes = DispatchGroup()

    /// Loads the pictures and starts lanes that call the system simultaneously.
    init(
        lanes count: Int,
        pictures: [StreamPicture],
        system: any SystemUnderTest,
        output: WorkerOutput
    ) throws {
        let loaded = try pictures.map { picture in
            guard let bytes = PictureSource(path: picture.path, part: picture.part).contents() else {
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
                    guard loaded.indices.contains(request.picture) else { continue }
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

/// The readings of a stream, first in first out, shared by its lanes; unchecked, as `condition` protects all state.
final class StreamQueue: @unchecked Sendable {
    private let condition = NSCondition()
    /// Callback for each reading that begins, before anything else can happen to the queue.
    private let announce: @Sendable (StreamRequest) -> Void
    private var requests: [StreamRequest] = []
    private var head = 0
    private var start: ContinuousClock.Instant?
    private var isClosed = false

    init(announce: @escaping @Sendable (StreamRequest) -> Void) { self.announce = announce }

    /// Adds readings behind those that are there; the first ones start the stream's clock.
    func append(_ more: [StreamRequest]) {
        condition.withLock {
            requests.removeFirst(head)
            head = 0
            requests += more
            if start == nil { start = .now }
            condition.broadcast()
        }
    }

    /// Waits for the next reading to be due; returns it with the stream's beginning, or nil when the queue was closed.
    func take() -> (request: StreamRequest, start: ContinuousClock.Instant)? {
        while true {
            switch attempt() {
            case .turn(let request, let start): return (request, start)
            case .closed: return nil
            case .dueIn(let left):
                // A sleep ends late by the kernel's timer slack, so the last bit is spent awake. Slices, because a
                // stream may be stopped meanwhile.
                if left > .microseconds(300) {
                    Thread.sleep(forTimeInterval: min(left.milliseconds - 0.2, 50) / 1_000)
                } else {
                    sched_yield()
                }
            }
        }
    }

    /// Drops the readings that have not begun, and returns their number.
    func drop() -> Int {
        condition.withLock {
            let dropped = requests.count - head
            requests = []
            head = 0
            return dropped
        }
    }

    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    private enum Attempt {
        case turn(StreamRequest, ContinuousClock.Instant)
        case dueIn(Duration)
        case closed
    }

    /// Waits until there is a reading to begin, or one that is not due yet.
    private func attempt() -> Attempt {
        condition.withLock {
            while !isClosed {
                if head < requests.count, let start {
                    let request = requests[head]
                    if let due = request.dueSeconds {
                        let left = ContinuousClock.now.duration(to: start + .seconds(due))
                        if left > .zero { return .dueIn(left) }
                    }
                    head += 1
                    announce(request)
                    return .turn(request, start)
                }
                condition.wait()
            }
            return .closed
        }
    }
}
