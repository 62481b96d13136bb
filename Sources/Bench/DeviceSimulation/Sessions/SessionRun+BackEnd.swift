import ScanningPolicies

/// Work beside the next frames: `ScanSession`'s `finish`, and its `drain`.
extension SessionRun {
    /// Starts the first piece of work, unless one is being done.
    mutating func startBackgroundWork() {
        guard !beside.isBusy, let piece = beside.first else { return }
        beside.isBusy = true
        meter.advance(to: now)
        let cost = simulator.costs[piece.scan.cost]
        let isOnUnit = piece.kind == .inference
        let seconds = isOnUnit ? inferenceSeconds(of: cost) : cost.imageSeconds
        meter.worker = PowerMeter.Work(isOnUnit: isOnUnit, level: level)
        besideEnd = now + VirtualTime.nanoseconds(seconds / simulator.speeds[level])
    }

    mutating func endWorkBeside() {
        meter.advance(to: now)
        meter.worker = nil
        besideEnd = VirtualTime.never
        beside.isBusy = false
        let (scan, kind) = beside.removeFirst()
        switch kind {
        case .preparation: send(scan, isLate: false)
        case .inference: recorder.latencies.append(milliseconds(since: scan.taken))
        }
        startBackgroundWork()
        continueIfFinished()
    }

    /// On the unit, at full speed, with what the device holds in memory.
    func inferenceSeconds(of cost: ReadingCost) -> Double { cost.inferenceSeconds * pressure }

    /// Asks the back end about a scan, or leaves it in the queue.
    mutating func send(_ scan: Scan, isLate: Bool) {
        guard access.isOnline, !access.isLimited(at: now), isAdmitted() else {
            scans.queued += isLate ? 0 : 1
            queue.insert(scan, at: isLate ? 0 : queue.count)
            if !isLate && plan.strategy == .visionFallback { readBeside(scan) }
            return
        }
        meter.advance(to: now)
        isDraining = isLate || isDraining
        radio.begin(scan, cost: simulator.costs[scan.cost], isLate: isLate, at: now)
        updateRadio()
    }

    private mutating func isAdmitted() -> Bool {
        scans.requests += 1
        if access.admit(at: now) { return true }
        scans.refused += 1
        radio.wake(at: now)
        updateRadio()
        return false
    }

    /// Takes an answer in.
    mutating func receive(_ request: RadioUse.Request) {
        let scan = request.scan
        addBook(of: scan)
        if request.isLate {
            isDraining = false
        } else {
            recorder.answers.append(milliseconds(since: scan.taken))
            if !plan.strategy.readsFirst {
                // What the device did besides, as the answer did not suffice.
                let isRead = plan.strategy == .visionFallback && simulator.costs[scan.cost].inferenceSeconds > 0
                if isRead { readBeside(scan) } else { recorder.latencies.append(milliseconds(since: scan.taken)) }
            }
            continueIfFinished()
        }
        updateRadio()
    }

    private mutating func readBeside(_ scan: Scan) {
        beside.add(scan, .inference)
        startBackgroundWork()
    }

    /// Sends what waits, the oldest first, one after the other.
    mutating func drain() {
        guard !isDraining, !queue.isEmpty, access.isOnline, !access.isLimited(at: now) else { return }
        send(queue.removeFirst(), isLate: true)
    }

    mutating func updateRadio() {
        meter.advance(to: now)
        meter.radio = radio.state(at: now)
        radioChange = radio.nextChange(after: now)
    }
}

/// Work of scans that are being finished, one piece after the other, while the next frames come.
struct BackgroundWork {
    enum Kind {
        /// Of a picture that is to be sent.
        case preparation
        /// Of a picture whose answer did not suffice, or that could not be sent.
        case inference
    }

    private var pieces: [(scan: Scan, kind: Kind)] = []
    /// Whether the first piece is being worked on.
    var isBusy = false

    var isEmpty: Bool { pieces.isEmpty }
    var first: (scan: Scan, kind: Kind)? { pieces.first }

    mutating func add(_ scan: Scan, _ kind: Kind) { pieces.append((scan, kind)) }

    mutating func removeFirst() -> (scan: Scan, kind: Kind) { pieces.removeFirst() }
}

/// One capture that was new, on its way to a book.
struct Scan: Equatable {
    /// When its frame was taken.
    var taken: Int
    /// Which of the costs it has.
    var cost: Int
    /// The number of the spine in it; nil when there was none.
    var spine: Int?
}
