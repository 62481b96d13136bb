import Foundation
import Testing

@testable import CaptureReading
@testable import Captures

/// Activities on traces that a model made.
@Suite struct ActivityTests {
    private static let moving: [ActivityClassifier.Activity] = [.stationary, .walking, .running, .cycling, .unknown]

    private func tell(_ samples: [MotionTrace.Sample]) throws -> ActivityContext {
        try #require(ActivityClassifier.activity(of: MotionTrace(samples, name: "made").record()))
    }

    /// 40 traces of each kind, turned at random: nearly all are classified correctly.
    ///
    /// Cycling has no published threshold: misclassified traces become unknown, not something else.
    @Test(arguments: moving)
    func madeTracesAreTold(activity: ActivityClassifier.Activity) throws {
        var traces = MadeTraces(seed: 7)
        var told: [String: Int] = [:]
        let count = 40
        for _ in 0..<count { told[try tell(traces.trace(activity)).type, default: 0] += 1 }
        print("made \(activity.rawValue): \(told)")
        let right = told[activity.rawValue, default: 0]
        let least = activity == .cycling ? 0.6 : 0.9
        #expect(Double(right) >= least * Double(count), "\(told)")
        if activity == .cycling { #expect(right + told["unknown", default: 0] == count, "\(told)") }
    }

    /// Computed by hand: a sinusoid of 0.2 g and 2 Hz along gravity has a mean deviation of 0.2 · 2/π = 0.1273 g.
    @Test func featuresOfASinusoid() throws {
        let samples = (0..<500).map { index in
            MotionTrace.Sample(time: Double(index) / 50, x: 0, y: 0, z: 1 + 0.2 * sin(2 * .pi * 2 * Double(index) / 50))
        }
        let windows = try MotionTrace(samples, name: "made").record().windows
        #expect(windows.count == 1)
        let window = try #require(windows.first)
        #expect(abs(window.deviation - 0.1273) < 0.001)
        #expect(abs(try #require(window.frequency) - 2) < 0.051)
        #expect(window.share > 0.95 && window.shaking < 0.05)
        #expect(ActivityClassifier.activity(in: window) == .walking)
    }

    private static func window(
        _ deviation: Double,
        _ frequency: Double?,
        _ share: Double = 0.8,
        _ shaking: Double = 0
    )
        -> MotionRecord.Window
    {
        MotionRecord.Window(deviation: deviation, frequency: frequency, share: share, shaking: shaking)
    }

    /// Either side of each published threshold.
    @Test(arguments: [
        (window(0.0224, 2), "stationary"), (window(0.0226, 2), "walking"), (window(0.2, 1.39), "unknown"),
        (window(0.2, 1.4), "walking"), (window(0.2, 2.4), "unknown"), (window(0.413, 2.6), "unknown"),
        (window(0.415, 2.6), "running"), (window(0.413, 2), "walking"), (window(0.415, 2), "running"),
        (window(0.9, 1), "running"), (window(0.9, 0.99), "unknown"), (window(0.9, 3.6), "unknown"),
        (window(0.0905, 0.9), "unknown"), (window(0.0915, 0.9), "walking"), (window(0.2, 0.69), "unknown"),
        (window(0.2, 1.18), "unknown"), (window(0.2, 2, 0.29), "unknown"), (window(0.1, nil), "unknown"),
        (window(0.1, 1.2, 0.8, 0.31), "cycling"), (window(0.1, 1.2, 0.8, 0.29), "unknown"),
        (window(0.1, 0.9, 0.8, 0.14), "walking"), (window(0.1, 0.9, 0.8, 0.16), "unknown"),
    ])
    func thresholds(window: MotionRecord.Window, activity: String) {
        #expect(ActivityClassifier.activity(in: window).rawValue == activity)
    }

    /// Windows of walking, resting and cycling, with their combined activity.
    @Test(arguments: [
        (3, 0, 0, "walking", ActivityContext.Confidence.high), (2, 0, 0, "walking", .medium),
        (4, 1, 0, "walking", .high),
        (2, 1, 0, "walking", .medium), (5, 4, 0, "walking", .low), (1, 1, 0, "unknown", .low),
        (0, 5, 0, "stationary", .high), (0, 0, 5, "cycling", .medium),
    ])
    func agreement(
        walking: Int,
        standing: Int,
        cycling: Int,
        type: String,
        confidence: ActivityContext.Confidence
    ) {
        let windows =
            Array(repeating: Self.window(0.2, 2), count: walking)
            + Array(repeating: Self.window(0, nil), count: standing)
            + Array(repeating: Self.window(0.1, 1.2, 0.8, 0.5), count: cycling)
        let told = ActivityClassifier.activity(of: MotionRecord(windows: windows))
        #expect(told == ActivityContext(type: type, confidence: confidence, basis: .measured))
    }

    /// A claim is reported as one, with any motion; without it a car is never reported.
    @Test func aCarIsClaimedAndNeverMeasured() async throws {
        var query = EnrichmentQuery(kind: .image, time: Date())
        #expect(!ActivityProvider().applies(to: query))
        query.motion = MotionRecord(windows: [Self.window(0.2, 2)], claimsAutomotive: true)
        let data = try await ActivityProvider().enrich(query)
        #expect(data?.activityContext == ActivityContext(type: "automotive", confidence: .low, basis: .claimed))
        query.motion = MotionRecord()
        #expect(try await ActivityProvider().enrich(query) == nil)
    }

    @Test func aFileInEitherUnitIsTheSame() throws {
        var traces = MadeTraces(seed: 3)
        let samples = traces.trace(.walking)
        let inG = try MotionTrace(csv: MadeTraces.csv(samples), name: "t.csv")
        let inMetres = try MotionTrace(csv: MadeTraces.csv(samples, inMetres: true), name: "t.csv")
        #expect(inG.samples == samples)
        #expect(zip(inG.samples, inMetres.samples).allSatisfy { abs($0.x - $1.x) < 1e-9 && abs($0.z - $1.z) < 1e-9 })
        #expect(try tell(inMetres.samples).type == "walking")
    }

    /// Headers of recorders: other columns, other names, other separators.
    @Test(arguments: [
        "time_s,x_g,y_g,z_g", "time,x (g),y (g),z (g)", "\u{FEFF}Time (s);X [g];Y [g];Z [g]", "t\tx_g\ty_g\tz_g",
        "seconds_elapsed,accel_x_g,accel_y_g,accel_z_g", "\"time_s\",\"x_g\",\"y_g\",\"z_g\"",
    ])
    func headers(header: String) throws {
        let separator = [";", "\t"].first { header.contains($0) } ?? ","
        let lines = (0..<600).map { ["\(Double($0) / 50)", "0", "0", "1"].joined(separator: separator) }
        let trace = try MotionTrace(csv: Array(([header] + lines).joined(separator: "\r\n").utf8), name: "t.csv")
        #expect(trace.samples.count == 600)
        #expect(try tell(trace.samples).type == "stationary")
    }

    private static let header = "time_s,x_g,y_g,z_g\n"

    /// Returns samples of a resting device, with line 5 as given.
    private static func lines(_ fifth: String = "0.06,0,0,1", count: Int = 600, rate: Double = 50) -> String {
        header + (0..<count).map { $0 == 3 ? fifth : "\(Double($0) / rate),0,0,1" }.joined(separator: "\n")
    }

    @Test(arguments: [
        ("", "line 1 is empty"), ("\n\n", "line 1 is empty"), ("0,0,0,1\n1,0,0,1", "columns for time, x, y and z"),
        ("time_s,x,y,z\n0,0,0,1", "one unit"), ("time_s,x_g,y_g,z (m/s²)\n", "one unit"),
        ("time_ms,x_g,y_g,z_g\n", "expected seconds"), (header, "0 samples"), (header + "0,0,0,1", "1 samples"),
        (lines("0.06,nan,0,1"), "line 5, column 2 is 'nan'"), (lines("0.06,inf,0,1"), "line 5, column 2"),
        (lines("0.06,1e9,0,1"), "at most 50 g"), (lines("0.06,0,0"), "line 5, column 4 is ''"),
        (lines("0.01,0,0,1"), "line 5 at 0.01 s"), (lines("0.04,0,0,1"), "expected increasing times"),
        (lines("0.06,x,0,1"), "is 'x'"), (lines() + "\n1e17,0,0,1", "line 602 is at 1e+17 s; at most"),
        (lines("0.6,0,0,1", rate: 5), "5 samples per second"),
        (lines(count: 100), "over 1.98 s"),
        (lines().replacing(",1", with: ",9.8"), "check the unit"),
        (lines().replacing(",1", with: ",0.0"), "gravity"),
    ])
    func mistakesAreNamed(text: String, words: String) {
        do {
            _ = try MotionTrace(csv: Array(text.utf8), name: "t.csv")
            Issue.record("it was taken")
        } catch {
            #expect(error.description.contains(words), "\(error)")
            #expect(error.description.hasPrefix("t.csv: "))
        }
    }

    @Test func filesOfAnySizeAndKindEnd() {
        let large = Array(Self.header.utf8) + [UInt8](repeating: UInt8(ascii: "1"), count: 10 << 20)
        #expect(throws: CaptureError.self) { try MotionTrace(csv: large, name: "t.csv") }
        // One line of four megabytes, invalid text, and a picture's bytes.
        let line = Array(Self.header.utf8) + [UInt8](repeating: UInt8(ascii: "1"), count: 4_000_000)
        #expect(throws: CaptureError.self) { try MotionTrace(csv: line, name: "t.csv") }
        #expect(throws: CaptureError.self) { try MotionTrace(csv: [0xFF, 0xD8, 0xFF], name: "t.csv") }
        #expect(throws: CaptureError.self) { try MotionTrace(csv: [0, 0, 0], name: "t.csv") }
    }

    /// An hour leaves its last five minutes; windows with gaps are left out.
    @Test func whatIsKeptIsBounded() throws {
        func samples(_ times: StrideTo<Double>) -> [MotionTrace.Sample] {
            times.map { MotionTrace.Sample(time: $0, x: 0, y: 0, z: 1) }
        }
        let long = try MotionTrace(samples(stride(from: 0, to: 3_600, by: 0.1)), name: "t").record()
        #expect(long.windows.count == 60)
        let halves = samples(stride(from: 0, to: 12, by: 0.02)) + samples(stride(from: 13, to: 20, by: 0.02))
        // 0 to 5, 5 to 10, then one with the gap of a second, and the rest is too short.
        #expect(try MotionTrace(halves, name: "t").record().windows.count == 2)
    }
}
