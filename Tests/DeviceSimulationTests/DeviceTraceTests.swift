import Foundation
import ScanningPolicies
import Testing

@testable import DeviceSimulation

@Suite struct DeviceTraceTests {
    /// Written by `TraceRecorder`; `TraceRecorderTests` writes it again, byte for byte.
    static let fixture = Bundle.module.url(forResource: "Fixtures/trace", withExtension: "jsonl")

    static func profile() throws -> DeviceProfile {
        try DeviceProfile.parse(Array(ProfileFileTests.text.utf8), file: "p.json")
    }

    static func trace() throws -> DeviceTrace {
        let data = try Data(contentsOf: try #require(fixture))
        return try DeviceTrace(log: [UInt8](data), file: "folder/trace.jsonl", on: profile())
    }

    /// Identifiers as Apple's systems report them: iPhone13,2 is the iPhone 12, iPhone16,1 the iPhone 15 Pro.
    @Test(
        arguments: [
            ("iPhone 12", "iPhone13,2", nil), ("iPhone 12", "iphone-12", nil), ("my phone", "some board", nil),
            ("iPhone 12", "iPhone16,1", "iPhone 15 Pro"), ("iPhone 12", "iPhone 13", "iPhone 13"),
            ("my phone", "iPhone16,1", "iPhone 15 Pro"), ("iPhone 12", "some board", "iPhone13,2"),
        ] as [(String, String, String?)]
    )
    func aRecordingOfAnotherDeviceIsRefused(_ name: String, _ device: String, _ named: String?) throws {
        var profile = try Self.profile()
        profile.name = name
        let text = """
            {"app":"a","device":"\(device)","format":"spinebench-trace/1","system":"s"}
            {"record":"sample","thermalState":"nominal","time":0}
            """
        guard let named else {
            #expect(try DeviceTrace(log: Array(text.utf8), file: "t", on: profile).device == device)
            return
        }
        let error = #expect(throws: DeviceError.self) { try DeviceTrace(log: Array(text.utf8), file: "t", on: profile) }
        let said = try #require(error).description
        #expect(said.hasPrefix("t:1: ") && said.contains(named))
    }

    @Test func latenciesAreByTierAndStateWithTheirParts() throws {
        let trace = try Self.trace()
        #expect(trace.device == "iPhone16,1" && trace.system == "iOS 26.1" && trace.app == "Spines 1.0")
        #expect(trace.seconds == 600)
        #expect(
            trace.latencies == [
                .init(
                    tier: "fast",
                    state: .nominal,
                    milliseconds: [38.75, 41.2],
                    stages: ["reading": [38.75, 41.2]]
                ),
                .init(tier: "fast", state: .fair, milliseconds: [47.5], stages: ["reading": [47.5]]),
                .init(
                    tier: "hybrid",
                    state: .nominal,
                    milliseconds: [198.4, 263.5],
                    stages: ["reading": [38.75, 41.2], "matching": [2.9, 3.1], "enrichment": [0, 214.9]]
                ),
            ]
        )
        #expect(trace.problem == nil)
    }

    @Test func theBatterysSlopeHasTheResolutionOfItsLevel() throws {
        let drain = try #require(try Self.trace().drain)
        // 2 % of 12.7 Wh × 0.92 in 600 s.
        #expect(abs(drain.value - 0.02 * 12.7 * 0.92 * 3600 / 600) < 1e-9)
        // One step of 1 % less of the least battery, one more of the most.
        #expect(abs(drain.low - 0.01 * 12.446 * 0.8 * 3600 / 600) < 1e-9)
        #expect(abs(drain.high - 0.03 * 12.954 * 1 * 3600 / 600) < 1e-9)
        #expect(drain.kind == .measured)
        let source = """
            trace.jsonl: the level fell from 0.83 to 0.81 in 600 s, in steps of 0.01, of the capacity and health here.
            """
        #expect(drain.source == source)
    }

    @Test func heatAndMemoryAreKept() throws {
        let trace = try Self.trace()
        #expect(trace.thermalTimeline.map(\.state) == [.nominal, .fair, .serious])
        #expect(trace.thermalTimeline.map(\.seconds) == [0, 240, 600])
        // The fourth of 120, 179, 180, 180, 181, 181, 182 and 182 MB.
        #expect(trace.memory == .init(median: 180_000_000, peak: 182_000_000))
    }

    @Test func aProfileAnswersWithTheLastTraceOfATier() throws {
        var profile = try Self.profile()
        #expect(profile.recording(of: "fast") == nil)
        profile.traces = [try Self.trace(), try Self.trace()]
        profile.traces[1].latencies.removeAll { $0.tier == "hybrid" }
        profile.traces[1].latencies[0].milliseconds = [1, 2]
        #expect(profile.recording(of: "fast")?.milliseconds == [1, 2])
        #expect(profile.recording(of: "hybrid")?.milliseconds == [198.4, 263.5])
        #expect(profile.recording(of: "upload") == nil)
        let encoded = try JSONEncoder().encode(profile)
        #expect(try DeviceProfile.parse([UInt8](encoded), file: "q.json") == profile)
    }

    static let header = #"{"format":"spinebench-trace/1","device":"iPhone16,1","system":"s","app":"a"}"# + "\n"

    private func trace(_ records: String...) throws -> DeviceTrace {
        let text = Self.header + records.map { $0 + "\n" }.joined()
        return try DeviceTrace(log: Array(text.utf8), file: "t", on: Self.profile())
    }

    private func sample(_ time: Double, level: String = "null") -> String {
        #"{"record":"sample","time":\#(time),"thermalState":"nominal","batteryLevel":\#(level)}"#
    }

    @Test func withoutALevelOrWhileChargingThereIsNoDrain() throws {
        #expect(try trace(sample(0), sample(60)).drain == nil)
        #expect(try trace(sample(0, level: "0.5"), sample(60, level: "0.6")).drain == nil)
        #expect(try trace(sample(0, level: "0.5")).drain == nil)
        #expect(try trace(sample(0)).memory == nil)
    }

    @Test func aLevelThatDoesNotMoveSaysOnlyAtMost() throws {
        let drain = try #require(try trace(sample(0, level: "0.5"), sample(60, level: "0.5")).drain)
        // The step is unknown: five percent of 12.954 Wh in a minute.
        #expect(drain.value == 0 && drain.low == 0)
        #expect(abs(drain.high - 0.05 * 12.954 * 3600 / 60) < 1e-9)
    }

    /// First lines, and their faults.
    static let wrongHeaders: [(String, String)] = [
        ("", "t:1: invalid JSON: expected a value, found the end"),
        ("[]\n", "t:1: invalid value a list; expected a mapping"),
        (
            #"{"format":"x","device":"iPhone16,1","system":"s","app":"a"}"#,
            "t:1: format: invalid value \"x\"; expected \"spinebench-trace/1\""
        ),
        (
            #"{"format":"x","devcie":"d","system":"s","app":"a"}"#,
            "t:1: device: the key is missing"
        ),
        (#"{"format":"spinebench-trace/1","device":"iPhone16,1","system":"s"}"#, "t:1: app: the key is missing"),
    ]

    @Test(arguments: wrongHeaders)
    func aWrongHeaderIsTold(text: String, message: String) throws {
        let profile = try Self.profile()
        let error = try #require(throws: DeviceError.self) {
            try DeviceTrace(log: Array(text.utf8), file: "t", on: profile)
        }
        #expect("\(error)" == message)
    }

    /// Lines after a right header, and their faults.
    static let wrongRecords: [(String, String)] = [
        ("", "t:2: no records after the header"),
        ("{}\n", "t:2: record: the key is missing"),
        (
            #"{"record":"smaple"}"#,
            "t:2: time: the key is missing"
        ),
        (
            #"{"record":"sample","time":0}"#,
            "t:2: thermalState: the key is missing"
        ),
        (
            #"{"record":"sample","time":0,"thermalState":"seriuos"}"#,
            "t:2: thermalState: invalid value \"seriuos\"; did you mean \"serious\"? "
                + "expected nominal, fair, serious, critical, unknown"
        ),
        (
            #"{"record":"sample","thermalState":"fair"}"#,
            "t:2: time: the key is missing"
        ),
        (
            #"{"record":"sample","time":-1,"thermalState":"fair"}"#,
            "t:2: time: invalid value -1; expected a number from 0 to 100000000"
        ),
        (
            #"{"record":"sample","time":0,"thermalState":"fair","batteryLevel":83}"#,
            "t:2: batteryLevel: invalid value 83; expected a number from 0 to 1"
        ),
        (
            #"{"record":"sample","time":0,"thermalState":"fair","tier":"fast"}"#,
            "t:2: tier: is only of a record \"reading\""
        ),
        (
            #"{"record":"reading","time":0,"thermalState":"fair","tier":"fast"}"#,
            "t:2: milliseconds: the key is missing"
        ),
        (
            #"{"record":"reading","time":0,"thermalState":"fair","tier":"f","milliseconds":1,"stages":{"a":"b"}}"#,
            "t:2: stages.a: invalid value \"b\"; expected a number"
        ),
        (
            "{\"record\":\"sample\",\"time\":5,\"thermalState\":\"fair\"}\n{\"record\":\"sample\",\"time\":4,"
                + "\"thermalState\":\"fair\"}",
            "t:3: time: is 4, before the 5 of the line above"
        ),
        // A file of a phone that was killed.
        (
            "{\"record\":\"sample\",\"time\":5,\"thermalState\":\"fair\"}\n{\"record\":\"sam",
            "t:3: invalid JSON: text without an end"
        ),
        ("\n{\"record\":\"sample\"}", "t:2: invalid JSON: expected a value, found the end"),
    ]

    @Test(arguments: wrongRecords)
    func aWrongLineIsToldByItsNumber(text: String, message: String) throws {
        let profile = try Self.profile()
        let error = try #require(throws: DeviceError.self) {
            try DeviceTrace(log: Array((Self.header + text).utf8), file: "t", on: profile)
        }
        #expect("\(error)" == message)
    }
}

@Suite struct StatedDeviceTests {
    @Test(arguments: [
        ("iPhone17,1", true), ("iPhone17,1 (A18 Pro), iOS 26.1", true), ("iPhone 16 Pro, iOS 26.1", true),
        ("iPhone17,11, iOS 26.1", false), ("simulator, iPhone17,1, iOS 26.1", false), ("iPhone17,3, iOS 26.1", false),
        ("", false),
    ])
    func aDeviceIsFoundAsAFileStatesIt(_ stated: String, _ isIt: Bool) {
        #expect(ExampleDevice.profile("iPhone 16 Pro").isDevice(stated) == isIt)
    }
}
