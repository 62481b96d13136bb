import Evaluation
import Harness
import ScanningPipeline
import Synchronization

extension ScanSystem {
    func scanLive(_ request: LiveRequest) throws -> LiveAnswer {
        let sequence = try FrameSequence.drawn(request.spines, seed: request.seed)
        let (rate, clock) = (request.framesPerSecond, ContinuousClock())
        let count = sequence.count(at: rate)
        let camera = FrameSource(
            count: count,
            framesPerSecond: rate,
            // A pause would delay the spine in view, from which latencies count.
            idleLimit: .seconds(count / rate + 60),
            guide: Guide(share: FrameSequence.strip),
            clock: clock
        ) { try sequence.picture(of: $0, at: rate) }
        let session = session
        let found = Mutex<[(scan: PhotoScan, at: ContinuousClock.Instant)]>([])
        let scan = LiveScan(ScanningCoordinator(session: session), of: camera, clock: clock)
        let start = clock.now
        let figures = try BlockingTask.run {
            try await scan.run { photo in found.withLock { $0.append((photo, clock.now)) } }
            await session.finish()
            return await scan.figures
        }
        let views = sequence.views ?? []
        let scans = Dictionary(grouping: found.withLock { $0 }) { found in
            found.scan.frame.map { views[sequence.place(of: $0, at: rate)].spine }
        }
        let readings = try request.spines.indices.map { spine -> LiveAnswer.Reading in
            // Each scan once, as it was in the end.
            let own = (scans[spine] ?? []).reduce(into: [(scan: PhotoScan, at: ContinuousClock.Instant)]()) {
                own,
                found in
                own.removeAll { $0.scan.id == found.scan.id }
                own.append(found)
            }
            // The first named book; else the last that was read.
            guard let (photo, end) = own.first(where: { $0.scan.answer != nil }) ?? own.last else {
                return LiveAnswer.Reading()
            }
            var prediction = try prediction(of: [photo]) { (PannedSpines.frame.width, PannedSpines.frame.height) }
            // Located in a frame, not in the sample's picture.
            for index in prediction.lines.indices { prediction.lines[index].quad = nil }
            prediction.scans = own.count
            let others = own.filter { $0.scan.id != photo.id }.compactMap(\.scan.answer)
            if !others.isEmpty { prediction.otherAnswers = others.map(BookCandidate.init) }
            let first = (0..<count).first { number in
                let view = views[sequence.place(of: number, at: rate)]
                return view.spine == spine && view.isInView
            }
            let due = first.map { start.advanced(by: .seconds(1) * $0 / rate) }
            return LiveAnswer.Reading(
                milliseconds: due.map { max(0, $0.duration(to: end).milliseconds) },
                prediction: prediction
            )
        }
        return LiveAnswer(figures: figures, readings: readings)
    }
}
