import Basics
import Evaluation
import ScanningPolicies
import Testing

@testable import Harness

@Suite struct DeviceAssessorTests {
    private let targets = [
        Claim(source: "S0-T02", metric: .latencyP95, tier: "fast", comparator: .below, limit: 50),
        Claim(source: "S0-M04", metric: .peakFootprint, comparator: .below, limit: 200_000_000),
    ]

    private func subject(_ count: Int = 100, wait: Double = 0) -> AssessmentSubject {
        AssessmentSubject(
            name: "fast",
            tier: "fast",
            readings: (0..<count).map {
                HostReading(image: 4, detection: 5, recognition: Double(8 + $0 % 10), wait: wait)
            },
            memory: 150,
            reader: "small",
            targets: targets
        )
    }

    private func assess(_ subject: AssessmentSubject, _ profile: DeviceProfile) async throws -> DeviceAssessment {
        try await ExampleDevice.assessor.assess([subject], on: [profile])
    }

    @Test func anExactDeviceHasOneFigureForLatencyBesideTheScaling() async throws {
        let assessment = try await assess(subject(), ExampleDevice.profile())
        let row = try #require(assessment.rows.first)
        let nominal = try #require(row.latency.p95.nominal.value)
        // Image: 4 ms × the A15's time ÷ 20 ÷ 0.5; detection 5 × 0.13; recognition's 95th of a hundred is 17 × 0.2875.
        let image = try #require(A15Reference.figures[.a15Image]?.value)
        #expect(abs(nominal - (4 * image / 10 + 0.65 + 4.8875)) < 1e-9)
        let range = try #require(row.latency.p95.range)
        #expect(range.lowerBound < nominal && nominal < range.upperBound)
        // Too few for P99.
        #expect(row.latency.p99.nominal.reason == "n too small (needs ≥ 459)")
        #expect(row.evidence == .modelled)
        #expect(assessment.omitted.isEmpty)
    }

    @Test func theSameQuestionHasTheSameAnswer() async throws {
        let profiles = ["A", "B", "C"].map { ExampleDevice.profile($0, ranges: [.cameraPower: (0.5, 2)]) }
        let assessor = ExampleDevice.assessor
        let subjects = [subject(20)]
        let first = try await assessor.assess(subjects, on: profiles)
        #expect(try await assessor.assess(subjects, on: profiles) == first)
        #expect(first.rows.map(\.device) == ["A", "B", "C"])
        #expect(first.rows[0].tenMinutes == first.rows[2].tenMinutes)
    }

    /// Cases with one missed and one met gating row each, for any figures: no row passes for all readings.
    @Test(arguments: [
        ("fast", 1.0, false, true), ("busy all the time", 400, false, false), ("nothing identified", 1, true, false),
    ])
    func whatReadingAddsIsJudged(_ name: String, _ scale: Double, _ isBlind: Bool, _ isMet: Bool) async throws {
        var subject = subject(20)
        subject.plan.minimumInterval = 0.5
        var profile = ExampleDevice.profile()
        profile.figures[.batteryCapacity] = Estimate(4, low: 4, high: 4, source: "planted", kind: .assumed)
        for index in subject.readings.indices {
            subject.readings[index].image *= scale
            subject.readings[index].isIdentified = !isBlind
        }
        let row = try #require(try await assess(subject, profile).rows.first)
        let book = try #require(row.requirements.first { $0.claim.device == .joulesPerBook })
        #expect(book.gates && book.claim.source == "E-01" && book.claim.limit == 2)
        #expect((book.judgement.verdict == .pass) == isMet, "\(name): \(book.value)")
        if !isMet { #expect(book.judgement.verdict == .fail) }
        let half = try #require(row.requirements.first { $0.claim.device == .readingPerHalfHour })
        #expect(half.gates && half.claim.source == "S3-06" && half.claim.limit == 10)
        // Readings that identify nothing take no more of the battery; 2 W all the time are a quarter of 4 Wh.
        #expect(half.judgement.verdict == (scale > 1 ? .fail : .pass), "\(name): \(half.value)")
        // Reading adds the power of units and radio, and not the 2 W of base, display and camera.
        let session = row.halfHour.nominal
        let units = session.energy.cpu + session.energy.gpu + session.energy.neuralEngine + session.energy.radio
        #expect(session.readingJoules.isNear(units))
        #expect(session.readingPercentPerHalfHour.isNear(100 * units / 14_400 * 1_800 / session.seconds, 1e-6))
    }

    @Test func theWholePhoneDoesNotGateAndTheSeedsMinuteCannotBeMissed() async throws {
        let row = try #require(try await assess(subject(20), ExampleDevice.profile()).rows.first)
        let metrics: [DeviceMetric?] = [.batteryPerMinute, .batteryPerHalfHour, .seedPerMinute, .seedPerHalfHour]
        let batteries = row.requirements.filter { metrics.contains($0.claim.device) }
        #expect(batteries.map(\.gates) == [false, false, false, false])
        #expect(batteries.map(\.claim.source) == ["S3-06", "S0-B01", "S0-B01", "S3-06"])
        // Base, display and camera alone take 2 W of 10 Wh: a third of a percent a minute, 10 % in half an hour.
        #expect(try #require(batteries[0].value.value) > 10 && batteries[0].judgement.verdict == .fail)
        let note = #/cannot be missed: the device's maximum is ([0-9.]+) % \(([0-9.]+) % at most in the draws\)/#
        let match = try #require(batteries[1].judgement.note.wholeMatch(of: note))
        let (maximum, worst) = (try #require(Double(match.1)), try #require(Double(match.2)))
        #expect(worst < 5 && maximum <= worst && batteries[1].judgement.verdict == .inconclusive)
        #expect(try #require(batteries[1].value.value) < maximum)
        let latency = try #require(row.requirements.first)
        #expect(latency.claim.metric == .latencyP95)
        // Ninety readings are needed for a P95 that can be claimed.
        #expect(latency.judgement == Judgement(.inconclusive, note: "n too small (needs ≥ 90)") && latency.share == nil)
    }

    @Test func memoryIsJudgedAsMeasuredOnTheHost() async throws {
        let row = try #require(try await assess(subject(20), ExampleDevice.profile()).rows.first)
        let memory = try #require(row.requirements.first { $0.claim.metric == .peakFootprint })
        #expect(memory.value == .value(150_000_000) && memory.range == nil)
        #expect(memory.claim.limit == 200_000_000)
        #expect(memory.judgement.verdict == .pass)
    }

    @Test func anAppBeyondTheBudgetInfersSlower() async throws {
        var pressed = subject()
        pressed.plan.memory = 600
        let free = try #require(try await assess(subject(), ExampleDevice.profile()).rows.first)
        let row = try #require(try await assess(pressed, ExampleDevice.profile()).rows.first)
        let (before, after) = (free.latency.p50.nominal.value ?? 0, row.latency.p50.nominal.value ?? 0)
        // Detection 0.65 ms and recognition's median 12 × 0.2875 ms are done three times.
        #expect(abs(after - before - 2 * (0.65 + 3.45)) < 1e-9)
    }

    @Test func waitingIsNotScaled() async throws {
        let alone = try #require(try await assess(subject(), ExampleDevice.profile()).rows.first)
        var waiting = subject(wait: 400)
        waiting.plan.strategy = .hybrid
        let row = try #require(try await assess(waiting, ExampleDevice.profile()).rows.first)
        for (own, other) in [
            (row.latency.p50.nominal.value, alone.latency.p50.nominal.value),
            (row.latency.p50.range?.upperBound, alone.latency.p50.range?.upperBound),
        ] { #expect((try #require(own) - #require(other)).isNear(400)) }
    }

    @Test func aFigureWithARangeIsInTheTableOfSensitivity() async throws {
        let profile = ExampleDevice.profile(ranges: [.skinResistance: (3, 12), .cellularPower: (1, 3)])
        let row = try #require(try await assess(subject(20), profile).rows.first)
        let skin = try #require(row.sensitivity.first { $0.key == "thermal.skinResistance" })
        // It warms the skin, as the host's and the A15's figures do, and the battery does not depend on it.
        #expect(try #require(skin.skin) > 0.3 && abs(skin.battery ?? 0) < 0.2)
        #expect(skin.low == 3 && skin.high == 12)
        // The device does not use its modem, and exact figures change nothing.
        #expect(!row.sensitivity.contains { $0.key == "cellular.power" || $0.key == "camera.power" })
    }

    @Test func aRecordingOfAVariantReplacesTheModelOnItsDeviceAlone() async throws {
        var subject = subject()
        var recording = DeviceRecording(
            device: "A",
            origin: "my-app 2.1 on iPhone17,1, iOS 26.1",
            evidence: .measuredOnDevice,
            milliseconds: (1...90).reversed().map(Double.init),
            samples: 90
        )
        subject.recordings = [recording]
        let profiles = ["A", "B"].map { ExampleDevice.profile($0) }
        let rows = try await ExampleDevice.assessor.assess([subject], on: profiles).rows
        #expect(rows.map(\.evidence) == [.measuredOnDevice, .modelled])
        let p50 = rows[0].latency.p50
        #expect(try #require(p50.nominal.value).isNear(45) && p50.range == nil && rows[1].recording == nil)
        // The model's own figures stand beside it.
        #expect(rows[0].modelled == rows[1].latency && rows[1].modelled == nil)
        let (latency, memory) = (
            rows[0].requirements[0], try #require(rows[0].requirements.first { $0.claim.metric == .peakFootprint })
        )
        #expect(latency.evidence == .measuredOnDevice && memory.evidence == .measured)
        #expect(rows[0].requirements.last?.evidence == .modelled)
        // Readings that failed there are later than all others.
        recording.unanswered = 10
        subject.recordings = [recording]
        let failing = try await ExampleDevice.assessor.assess([subject], on: [profiles[0]]).rows[0]
        #expect(failing.recording?.readings == 100 && failing.requirements[0].judgement.verdict == .fail)
    }

    @Test func timeoutsMissEveryLimit() async throws {
        var slow = subject(90)
        slow.unanswered = 10
        let row = try #require(try await assess(slow, ExampleDevice.profile()).rows.first)
        let latency = try #require(row.requirements.first)
        #expect(latency.judgement.verdict == .fail)
    }

    @Test func aMeasurementWithoutReadingsIsToldToBeLeftOut() async throws {
        let assessment = try await assess(subject(0), ExampleDevice.profile())
        #expect(assessment.rows.isEmpty)
        #expect(assessment.omitted == ["fast: no reading finished"])
        #expect(assessment.verdict == nil)
    }
}
