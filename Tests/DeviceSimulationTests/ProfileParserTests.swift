import Foundation
import Testing

@testable import DeviceSimulation

@Suite struct ProfileParserTests {
    /// The project's profile of the iPhone 15 Pro.
    static let text =
        (try? String(contentsOfFile: DeviceLibraryTests.folder + "/iphone-15-pro.json", encoding: .utf8)) ?? ""

    private func faults(_ text: String) -> [String] {
        do {
            _ = try ProfileParser.parse(Array(text.utf8), file: "p.json")
            return []
        } catch {
            guard case .profiles(let faults) = error else { return ["\(error)"] }
            return faults.map(\.description)
        }
    }

    private func line(of text: String, in whole: String = Self.text) -> Int {
        (whole.range(of: text).map { whole[..<$0.lowerBound].count { $0 == "\n" } } ?? -1) + 1
    }

    @Test func theProjectsProfileIsRight() {
        #expect(faults(Self.text).isEmpty)
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let profile = try ProfileParser.parse(Array(Self.text.utf8), file: "p.json")
        let encoded = try JSONEncoder().encode(profile)
        #expect(try ProfileParser.parse([UInt8](encoded), file: "q.json") == profile)
        #expect(try JSONDecoder().decode(DeviceProfile.self, from: encoded) == profile)
    }

    /// Replaced text, its replacement, and the fault; the line is that of the replaced text.
    @Test(
        arguments: [
            (
                #""value": 12.7, "low": 12.446, "high": 12.954"#, #""value": 1270, "low": 12.446, "high": 12.954"#,
                "figures.battery.capacity.value: is 1270; expected 1 to 60 Wh"
            ),
            (
                #""value": 12.7, "low": 12.446, "high": 12.954"#, #""value": 12.7, "low": 12.8, "high": 12.954"#,
                "figures.battery.capacity.low: is 12.8, above the value 12.7"
            ),
            (
                #""value": 12.7, "low": 12.446, "high": 12.954"#, #""value": 12.7, "low": 12.446, "high": 12.5"#,
                "figures.battery.capacity.high: is 12.5, below the value 12.7"
            ),
            (
                #""value": 12.7, "low": 12.446, "high": 12.954"#, #""value": "12.7", "low": 12.446, "high": 12.954"#,
                "figures.battery.capacity.value: is text; expected a number, 1 to 60 Wh"
            ),
            (
                #""battery.health": {"#, #""battery.haelth": {"#,
                "figures.battery.haelth: unknown key; did you mean \"battery.health\"?"
            ),
            (
                #""tier": "high""#, #""tier": "hihg""#,
                "tier: is \"hihg\"; expected one of high, medium, low; did you mean \"high\"?"
            ),
            (#""notes": ["#, #""notes": [1,"#, "notes[0]: is a number; expected text"),
            (
                #""chip": "A17 Pro""#, #""chip": " ""#,
                "chip: is empty"
            ),
            (
                #""systems": [17, 26]"#, #""systems": [26, 17]"#,
                "systems: is a list; expected the oldest and the newest major version, such as [15, 26]"
            ),
            (
                #""hasNeuralEngine": true"#, #""hasNeuralEngine": "yes""#,
                "hasNeuralEngine: is text; expected true or false"
            ),
            (
                #""value": 49, "low": 45, "high": 55"#, #""value": 49, "low": 35, "high": 55"#,
                "figures.thermal.criticalAt.low: is 35; expected above thermal.seriousAt's 36"
            ),
            (
                #""value": 0.6, "low": 0.55, "high": 0.79"#, #""value": 0.85, "low": 0.55, "high": 0.86"#,
                "figures.throttle.serious.value: is 0.85; expected at most throttle.fair's 0.8"
            ),
        ] as [(String, String, String)]
    )
    func aFaultIsToldWithItsLineKeyAndRange(old: String, new: String, message: String) {
        #expect(Self.text.contains(old))
        let broken = Self.text.replacingOccurrences(of: old, with: new)
        #expect(faults(broken).contains("p.json:\(line(of: old)): \(message)"), "\(faults(broken))")
    }

    @Test func allFaultsAreToldAtOnceInTheOrderOfLines() throws {
        var text = Self.text.replacing(#""tier": "high""#, with: #""tier": "top""#)
        text = text.replacing(#""value": 12.7,"#, with: #""value": 0,"#)
        text = text.replacing(
            #""value": 2.5, "low": 1.5, "high": 3.8"#,
            with: #""value": 2.5, "low": 0.5, "high": 3.8"#
        )
        let faults = faults(text)
        #expect(
            faults.map { $0.split(separator: ": ")[1] } == [
                "tier", "figures.battery.capacity.value", "figures.memory.pressure.low",
            ]
        )
    }

    @Test func everyMissingKeyIsTold() {
        let faults = faults("{}")
        #expect(faults.count == 8)
        #expect(faults.contains("p.json:1: figures: is missing; expected an object"))
        #expect(
            self.faults(#"{"figures": {}}"#).filter { $0.contains("is missing") }.count == 7
                + DeviceFigure.allCases.count
        )
    }

    @Test(
        arguments: [
            ("", "p.json:1: is not JSON: expected a value, found the end"),
            ("{\n\"name\": 1,\n\"name\": 2}", "p.json:3: is not JSON: duplicate key \"name\""),
            ("[]", "p.json:1: is a list; expected an object"),
        ]
    )
    func whatIsNoProfileIsTold(text: String, message: String) {
        #expect(faults(text) == [message])
    }

    @Test func aTraceWithoutMeaningIsRefused() {
        let trace = #"""
            "traces": [{"device": "d", "system": "s", "app": "a", "seconds": 1, "thermalTimeline": [],
              "latencies": [{"tier": "fast", "state": "nominal", "milliseconds": [2, 1], "stages": {}}]}],
            """#
        let text = Self.text.replacing("\"figures\": {", with: trace + "\"figures\": {")
        let place = line(of: "\"traces\"", in: text)
        #expect(faults(text) == ["p.json:\(place): traces: number 1 has latencies of fast at nominal that do not rise"])
        let unknown = text.replacing("\"app\": \"a\", ", with: "")
        #expect(faults(unknown) == ["p.json:\(place): traces: cannot be read: number 1.app is missing"])
    }
}
