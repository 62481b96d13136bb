import Basics
import ScanningPolicies

/// The frames' way, as it is in `FrameSource` and `ScanningCoordinator`.
extension SessionRun {
    mutating func endStage() {
        switch stage {
        case .waiting: takeFrame()
        case .gate(let isRead):
            work(nil)
            if isRead { beginReading() } else { awaitFrame() }
        case .image:
            work(nil)
            let seconds = inferenceSeconds(of: simulator.costs[current.cost])
            begin(.inference, isOnUnit: true, seconds: seconds)
        case .inference:
            work(nil)
            endReading()
        case .paused, .finishing: break
        }
    }

    mutating func awaitFrame() {
        camera.skip(to: now)
        stage = .waiting
        stageEnd = max(now, camera.nextDue)
    }

    private mutating func takeFrame() {
        if let idlePause, idlePause.isDue(sinceLastUse: .nanoseconds(now - lastUse)) {
            pause()
            return
        }
        frameTime = camera.take()
        frameTaken = now
        decide()
    }

    private mutating func decide() {
        user.advance(to: now)
        let spine = user.spineInSight
        let examined = triage.counts.examined
        let chance = gateRandom.nextDouble()
        let time = Duration.nanoseconds(frameTime)
        let skip = triage.decide(
            at: time,
            state: ThermalStates.rising[state],
            shutterClosedFor: shutterClosedFor,
            hasSpine: plan.gate.map { gate in
                { chance < (spine == nil ? gate.falsePositive : gate.truePositive) }
            },
            isSteady: {
                // A spine is held still; of what is between two, nothing is followed.
                let isSame = spine != nil && spine == view.spine
                if !isSame { view = (spine, view.way + 1) }
                follower.noteFrame(at: time, moved: isSame ? 0 : nil)
                return plan.strategy.readsFirst ? follower.isWorthReading : follower.isSteady
            }
        )
        if skip == .noSpine, let left = follower.noteNoSpine(at: time) { scanSpine(left) }
        if skip == nil { current = Scan(taken: frameTaken, cost: 0, spine: spine) }
        if triage.counts.examined > examined, let gate = plan.gate {
            begin(.gate(isRead: skip == nil), isOnUnit: false, seconds: gate.seconds / simulator.values[.cpuSpeed])
        } else if skip == nil {
            beginReading()
        } else {
            awaitFrame()
        }
    }

    private var shutterClosedFor: Duration? {
        guard plan.strategy == .talariaOnly, access.isLimited(at: now) else { return nil }
        return .nanoseconds(access.limitedUntil - now)
    }

    /// Nobody used the camera for a while.
    private mutating func pause() {
        meter.advance(to: now)
        meter.cameraIsOn = false
        scans.pauses += 1
        if let last = follower.leave() { scanSpine(last) }
        stage = .paused
        stageEnd = VirtualTime.never
        touch = now + VirtualTime.nanoseconds(plan.user.touchSeconds)
    }

    /// The owner touches the phone, unless it is at rest.
    mutating func wake() {
        user.advance(to: now)
        if case .rest = user.act {
            touch = user.until
            return
        }
        touch = VirtualTime.never
        meter.advance(to: now)
        meter.cameraIsOn = true
        camera.resume(at: now)
        lastUse = now
        // The coordinator returns only when all of its scans are finished.
        stage = .finishing
        continueIfFinished()
    }

    /// Asks for frames again when the last scan from before the pause is finished.
    mutating func continueIfFinished() {
        guard case .finishing = stage, beside.isEmpty, radio.requests.allSatisfy(\.isLate) else { return }
        awaitFrame()
    }

    private mutating func beginReading() {
        current.cost = costRandom.below(simulator.costs.count)
        if plan.strategy.readsFirst {
            begin(.image, isOnUnit: false, seconds: simulator.costs[current.cost].imageSeconds)
        } else if !follower.takeUnread(current, at: .init(way: view.way), time: .nanoseconds(frameTime)) {
            triage.countDuplicate(isText: true)
            awaitFrame()
        } else {
            // A picture is sent unread.
            useCamera()
            beside.add(current, .preparation)
            startBackgroundWork()
            awaitFrame()
        }
    }

    private mutating func endReading() {
        recorder.latencies.append(milliseconds(since: current.taken))
        triage.countDuplicate(isText: current.spine != nil)
        if current.spine != nil {
            let place = SpineFollower<Scan>.Place(way: view.way)
            let time = Duration.nanoseconds(frameTime)
            for found in follower.take(current, weight: 1, isSure: true, at: place, time: time) { scanSpine(found) }
        }
        awaitFrame()
    }

    mutating func scanSpine(_ found: SpineFollower<Scan>.Scan) {
        triage.noteNews()
        useCamera()
        if plan.strategy == .hybrid {
            send(found.reading, isLate: false)
        } else {
            addBook(of: found.reading)
        }
    }

    private mutating func useCamera() {
        scans.news += 1
        lastUse = now
    }

    /// A spine that is identified is one book, however often it is seen.
    mutating func addBook(of scan: Scan) {
        guard let spine = scan.spine, simulator.costs[scan.cost].isIdentified else { return }
        while identified.count <= spine { identified.append(false) }
        if !identified[spine] { books += 1 }
        identified[spine] = true
    }

    func milliseconds(since time: Int) -> Double { (Double(now - time) * 1e-6).rounded(toDigits: 6) }

    private mutating func begin(_ next: Stage, isOnUnit: Bool, seconds: Double) {
        stage = next
        stageEnd = now + VirtualTime.nanoseconds(seconds / simulator.speeds[level])
        work(PowerMeter.Work(isOnUnit: isOnUnit, level: level))
    }

    private mutating func work(_ work: PowerMeter.Work?) {
        meter.advance(to: now)
        meter.foreground = work
    }
}
