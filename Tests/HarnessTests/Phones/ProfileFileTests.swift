import Basics
import Foundation
import Testing

@testable import Harness

@Suite struct ProfileFileTests {
    /// The project's profile of the iPhone 15 Pro.
    static let text =
        (try? String(contentsOfFile: DeviceLibraryTests.folder + "/iphone-15-pro.json", encoding: .utf8)) ?? ""

    private func faults(_ text: String) -> [String] {
        do {
            _ = try DeviceProfile.parse(Array(text.utf8), file: "p.json")
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test func theProjectsProfileIsRight() {
        #expect(faults(Self.text).isEmpty)
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let profile = try DeviceProfile.parse(Array(Self.text.utf8), file: "p.json")
        let encoded = try JSONEncoder().encode(profile)
        #expect(try DeviceProfile.parse([UInt8](encoded), file: "q.json") == profile)
        #expect(try JSONDecoder().decode(DeviceProfile.self, from: encoded) == profile)
    }

    /// Replaced texts, their replacements, in which `¦` stands before the fault, and the problems.
    private static let wrong: [(old: String, new: String, problem: String)] = [
        (
            #""value": 12.7, "low": 12.446, "high": 12.954"#, #""value": ¦1270, "low": 12.446, "high": 1270"#,
            "figures.battery.capacity.value: invalid value 1270; expected a number from 1 to 60 Wh"
        ),
        (
            #""value": 12.7, "low": 12.446"#, #""value": 12.7, "low": ¦12.8"#,
            "figures.battery.capacity.low: 12.8 is above the value 12.7"
        ),
        (
            #""low": 12.446, "high": 12.954"#, #""low": 12.446, "high": ¦12.5"#,
            "figures.battery.capacity.high: 12.5 is below the value 12.7"
        ),
        (
            #""value": 12.7, "low": 12.446"#, #""value": ¦"12.7", "low": 12.446"#,
            "figures.battery.capacity.value: invalid value \"12.7\"; expected a number"
        ),
        (
            #""battery.health": {"#, #"¦"battery.haelth": {"#,
            "figures.battery.haelth: unknown key; did you mean \"battery.health\"?"
        ),
        (
            #""tier": "high""#, #""tier": ¦"hihg""#,
            "tier: invalid value \"hihg\"; did you mean \"high\"? expected high, medium, low"
        ),
        (#""notes": ["#, #""notes": [¦1,"#, "notes[0]: invalid value 1; expected text"),
        (#""chip": "A17 Pro""#, #""chip": ¦" ""#, "chip: empty text"),
        (
            #""systems": [17, 26]"#, #""systems": ¦[17, 2600]"#,
            "systems: invalid value a list; expected the oldest and the newest major version, such as [15, 26]"
        ),
        (
            #""systems": [17, 26]"#, #""systems": ¦[17]"#,
            "systems: invalid value a list of 1; expected more elements"
        ),
        (
            #""hasNeuralEngine": true"#, #""hasNeuralEngine": ¦"yes""#,
            "hasNeuralEngine: invalid value \"yes\"; expected true or false"
        ),
        (
            #""value": 49, "low": 45, "high": 55"#, #""value": 49, "low": ¦35, "high": 55"#,
            "figures.thermal.criticalAt.low: invalid value 35; expected above thermal.seriousAt's 36"
        ),
        (
            #""value": 0.6, "low": 0.55, "high": 0.79"#, #""value": ¦0.85, "low": 0.55, "high": 0.86"#,
            "figures.throttle.serious.value: invalid value 0.85; expected at most throttle.fair's 0.8"
        ),
    ]

    /// Returns a text with a replacement, and the place of its `¦`.
    private func broken(_ text: String, _ change: (old: String, new: String, problem: String)) -> (String, String) {
        let marked = text.replacing(change.old, with: change.new)
        let lines = marked.prefix { $0 != "¦" }.split(separator: "\n", omittingEmptySubsequences: false)
        return (marked.replacing("¦", with: ""), "\(lines.count):\((lines.last?.utf8.count ?? 0) + 1)")
    }

    @Test(arguments: wrong.indices) func aFaultHasItsPlace(index: Int) {
        let change = Self.wrong[index]
        let (text, place) = broken(Self.text, change)
        #expect(text != Self.text && faults(text).contains("p.json:\(place): \(change.problem)"), "\(faults(text))")
    }

    @Test func fiveFaultsAreFoundAtOnceInTheOrderOfPlaces() {
        var (text, expected) = (Self.text, [String]())
        for index in [5, 6, 3, 11, 12] {
            let place: String
            (text, place) = broken(text, Self.wrong[index])
            expected.append("p.json:\(place): \(Self.wrong[index].problem)")
        }
        #expect(faults(text) == expected)
    }

    @Test func everyMissingKeyIsFound() {
        let found = faults("{}")
        #expect(found.count == 8 && found.allSatisfy { $0.hasSuffix(": the key is missing") })
        #expect(faults(#"{"figures": {}}"#).count == 7 + DeviceFigure.ofProfiles.count)
    }

    @Test(
        arguments: [
            ("", "p.json:1:1: invalid JSON: expected a value, found the end"),
            ("{\n\"name\": 1,\n\"name\": 2}", "p.json:3:1: invalid JSON: duplicate key \"name\""),
            ("[]", "p.json:1:1: invalid value a list; expected a mapping"),
        ]
    )
    func otherFilesAreRefused(text: String, message: String) {
        #expect(faults(text) == [message])
    }
}
