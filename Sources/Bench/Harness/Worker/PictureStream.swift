import Basics
import Foundation
import SpineDatasets

/// The worker's side of a stream: pictures in memory, and lanes that read them as they fall due.
final class PictureStream: Sendable {
    let bytes: Int

    let queue: StreamQueue
    private let lanes = DispatchGroup()

    /// Loads the pictures and starts lanes that call the system simultaneously.
    init(lanes count: Int, pictures: [WorkerPicture], system: any SystemUnderTest, output: WorkerOutput) throws {
        let loaded = try pictures.map { picture in
            do {
                return (name: picture.name, bytes: try PictureSource(path: picture.path, part: picture.part).bytes())
            } catch {
                throw ReaderFailure.unreadable(picture.path, error)
            }
        }
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

/// The readings of a stream, first in first out, shared by its lanes; unchecked, as `condition` protects all state.
final class StreamQueue: @unchecked Sendable {
    private let condition = NSCondition()
    /// Callback for each reading that begins, before anything else can happen to the queue.
    private let announce: @Sendable (StreamRequest) -> Void
    private var requests: ArraySlice<StreamRequest> = []
    private var start: ContinuousClock.Instant?
    private var isClosed = false

    init(announce: @escaping @Sendable (StreamRequest) -> Void) { self.announce = announce }

    /// Adds readings behind those that are there; the first ones start the stream's clock.
    func append(_ more: [StreamRequest]) {
        condition.withLock {
            requests += more
            if start == nil { start = .now }
            condition.broadcast()
        }
    }

    /// Waits for the next reading to be due; returns it with the stream's beginning, or nil when the queue was closed.
    func take() -> (request: StreamRequest, start: ContinuousClock.Instant)? {
        condition.lock()
        defer { condition.unlock() }
        while !isClosed {
            guard let request = requests.first, let start else {
                condition.wait()
                continue
            }
            let due = request.dueSeconds.map { start + .seconds($0) } ?? start
            let left = ContinuousClock.now.duration(to: due)
            guard left > .zero else {
                requests.removeFirst()
                announce(request)
                return (request, start)
            }
            condition.unlock()
            // A sleep ends late by the kernel's timer slack, so the last bit is spent awake. Slices, because a stream
            // may be stopped meanwhile.
            if left > .microseconds(300) {
                Thread.sleep(forTimeInterval: min(left.milliseconds - 0.2, 50) / 1_000)
            } else {
                sched_yield()
            }
            condition.lock()
        }
        return nil
    }

    /// Drops the readings that have not begun, and returns their number.
    func drop() -> Int {
        condition.withLock {
            defer { requests = [] }
            return requests.count
        }
    }

    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }
}
