import Basics
package import Foundation
import SpineDatasets
import Synchronization

/// The worker's side of a run: loads one system and answers requests until there are no more.
package struct WorkerLoop: Sendable {
    /// Loaded system, and its identity: engine, model, precision, threads.
    package struct Loaded {
        package var system: any SystemUnderTest
        /// Engine, model, precision, threads and settings, for reports.
        package var description: [String: String]
        /// Loads what the system would otherwise load on first use; called once, at the end of the warm-up, so that the
        /// cold start has it and no counted reading waits for it.
        package var prepare: () throws -> Void
        /// Memory of the processes that the system works in; nil for this one.
        package var memory: MemoryMeter?

        package init(
            system: any SystemUnderTest,
            description: [String: String],
            memory: MemoryMeter? = nil,
            prepare: @escaping () throws -> Void = {}
        ) {
            (self.system, self.description, self.memory, self.prepare) = (system, description, memory, prepare)
        }
    }

    /// Source of requests; its end is the worker's end.
    private let input: FileHandle
    /// Destination of answers; nothing else may write to it.
    private let output: FileHandle

    package init(input: FileHandle, output: FileHandle) { (self.input, self.output) = (input, output) }

    /// Works until `input` ends; an error of `load`, which is timed, is the reason why the system is unavailable.
    ///
    /// `load` receives a function that reports stray output of the system's own processes, at any time. `hungUp` is
    /// called on another thread when `input` has ended, also when the harness was killed during a reading.
    package func run(
        load: (_ report: @escaping @Sendable (String) -> Void) throws -> Loaded,
        hungUp: @escaping @Sendable () -> Void = {}
    ) throws {
        let requests = readRequests(hungUp: hungUp)
        let answers = WorkerOutput(output)
        let sampler = MemorySampler { answers.memory.withLock(\.self).sample() }
        defer { sampler.close() }
        let atStart = ProcessMemory.current()
        let loaded: Loaded
        let started = ContinuousClock.now
        do {
            loaded = try sampler.during { try load { answers.send(.noise(text: $0)) } }
        } catch {
            if let failure = error as? ReaderFailure {
                answers.send(.unready(reason: failure.description, owner: failure.owner))
            } else if case HarnessError.unavailable(_, let reason) = error {
                answers.send(.unavailable(reason: reason))
            } else {
                answers.send(.unavailable(reason: error.systemReason))
            }
            return try answers.close()
        }
        let loading = started.duration(to: .now).milliseconds
        if let meter = loaded.memory { answers.memory.withLock { $0 = meter } }
        let before = loaded.memory == nil ? atStart : nil
        answers.send(.ready(description: loaded.description, modelLoadMilliseconds: loading, atStart: before))
        let outcome = Result { try work(on: requests, with: loaded, answers, sampler) }
        try answers.close()
        try outcome.get()
    }

    private func work(
        on requests: BlockingQueue<WorkerRequest>,
        with loaded: Loaded,
        _ answers: WorkerOutput,
        _ sampler: MemorySampler
    ) throws {
        var stream: PictureStream?
        defer { stream?.close() }
        while let request = requests.next() {
            switch request {
            case .begin:
                try sampler.during { try loaded.prepare() }
                let meter = answers.memory.withLock(\.self)
                answers.send(.began(memory: meter.read(), peakWasReset: meter.resetPeak()))
            case .read(let sequence, let path, let name, let part):
                let source = PictureSource(path: path, part: part)
                let meter = answers.memory.withLock(\.self)
                let answer = sampler.during { read(sequence: sequence, source, name: name, with: loaded, meter) }
                try answers.write(answer)
            case .stream(let lanes, let pictures):
                // Its lanes read until it is closed, which is the worker's end.
                if stream == nil { sampler.begin() }
                stream?.close()
                do {
                    let opened = try PictureStream(
                        lanes: lanes,
                        pictures: pictures,
                        system: loaded.system,
                        output: answers
                    )
                    stream = opened
                    answers.send(.streaming(pictures: pictures.count, bytes: opened.bytes, problem: nil))
                } catch {
                    answers.send(.streaming(pictures: 0, bytes: 0, problem: error.systemReason))
                }
            case .enqueue(let requests): stream?.queue.append(requests)
            case .scanLive(let request):
                do {
                    var answer = try sampler.during { try loaded.system.scanLive(request) }
                    answer.memory = answers.memory.withLock(\.self).read()
                    answers.send(.scannedLive(answer: answer, problem: nil))
                } catch {
                    answers.send(.scannedLive(answer: nil, problem: error.systemReason))
                }
            case .stop: answers.send(.stopped(dropped: stream?.queue.drop() ?? 0))
            }
        }
    }

    /// Performs one timed reading of a file that is in memory before the clock starts.
    private func read(
        sequence: Int,
        _ source: PictureSource,
        name: String,
        with loaded: Loaded,
        _ meter: MemoryMeter
    ) -> WorkerMessage {
        let bytes: [UInt8]
        do { bytes = try source.bytes() } catch {
            let failure = ReaderFailure.unreadable(source.path, error)
            return .failure(
                sequence: sequence,
                milliseconds: 0,
                reason: failure.description,
                memory: nil,
                timing: nil,
                owner: failure.owner
            )
        }
        return TimedReading(bytes, name: name, with: loaded.system)
            .message(sequence: sequence, concludedBy: loaded.system, meter)
    }

    /// Reads `input` on a separate thread, so that its end is noticed during a reading too.
    private func readRequests(hungUp: @escaping @Sendable () -> Void) -> BlockingQueue<WorkerRequest> {
        let queue = BlockingQueue<WorkerRequest>()
        let input = input
        Thread.detachNewThread {
            // The harness is trusted to end its lines, and a picture is one.
            LineSplitter.lines(of: input, limit: .max) { line in
                if let request = JSONLine.decode(WorkerRequest.self, from: line) { queue.push(request) }
            }
            queue.close()
            hungUp()
        }
        return queue
    }
}
