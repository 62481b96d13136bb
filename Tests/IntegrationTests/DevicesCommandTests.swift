import Basics
import Foundation
import TestSupport
import Testing

@Suite(.inTurns, .needsProgram) struct DevicesCommandTests {
    private static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// Written by a recorder: 2 % of the battery in ten minutes.
    static let log = project.appending(path: "Tests/DeviceSimulationTests/Fixtures/trace.jsonl").path
    static let profile = project.appending(path: "Devices/iphone-15-pro.json").path

    @Test func devicesAreListed() throws {
        let list = try Program.run("devices")
        #expect(list.code == 0, "\(list.errors)")
        #expect(list.lines.count == 17 && list.lines[0].hasPrefix("  device"))
        let row = try #require(list.lines.first { $0.hasPrefix("  iPhone 15 Pro") })
        #expect(
            row.split(separator: " ") == [
                "iPhone", "15", "Pro", "A17", "Pro", "high", "8", "12.7", "1.25", "1.30", "1.24", "base", "0",
            ]
        )
        #expect(list.errors == "Show one in full: spinebench devices \"iPad 9\"\n")
    }

    @Test func oneIsShownInFull() throws {
        let shown = try Program.run("devices", "iphone-12")
        #expect(shown.code == 0)
        #expect(shown.lines[0].hasPrefix("iPhone 12: A14, tier medium, system 14 to 26, Neural Engine yes"))
        let place = try #require(shown.lines.firstIndex { $0.hasPrefix("neuralEngine.speed ") })
        #expect(
            shown.lines[place].split(separator: " ") == ["neuralEngine.speed", "0.57", "[0.55–0.74]", "derived"]
        )
        #expect(shown.lines[place + 1] == "    Neural Engine speed, relative to an A15.")
        #expect(shown.lines[place + 2].hasPrefix("    Apple, ml-stable-diffusion README"))
        let json = try Program.run("devices", "iPhone 12", "--json")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        )
        #expect(object["chip"] as? String == "A14" && (object["figures"] as? [String: Any])?.count == 32)
    }

    @Test func aWrongNameIsRefusedWithTheNearOne() throws {
        let outcome = try Program.run("devices", "iPhnoe 15 Pro")
        #expect(outcome.code == 2 && outcome.output.isEmpty)
        #expect(outcome.errors == "error: unknown device \"iPhnoe 15 Pro\"; did you mean \"iPhone 15 Pro\"?\n")
    }

    @Test func everythingThatIsWrongWithProfilesIsTold() throws {
        try Folder.with { folder in
            let text = try String(contentsOfFile: Self.profile, encoding: .utf8)
            try folder.write(text.replacing("\"tier\": \"high\"", with: "\"tier\": \"hihg\""), to: "a.json")
            try folder.write(text.replacing("\"value\": 12.7,", with: "\"value\": 127,"), to: "b.json")
            let outcome = try Program.run("devices", "check", folder("a.json"), folder("b.json"), Self.profile)
            #expect(outcome.code == 2)
            #expect(outcome.output == "\(Self.profile): iPhone 15 Pro, 32 figures\n")
            #expect(outcome.errors.contains("a.json:4: tier: is \"hihg\"; expected one of high, medium, low"))
            #expect(outcome.errors.contains("figures.battery.capacity.value: is 127; expected 1 to 60 Wh"))
            // A wrong profile in a folder of one's own is refused as well.
            let list = try Program.run("devices", "--device-folder", folder("."))
            #expect(list.code == 2 && list.errors.contains("figures.battery.capacity.value"))
            #expect(try Program.run("devices", "check", Self.profile).code == 0)
            #expect(try Program.run("devices", "--device-folder", folder("none")).code == 2)
        }
    }

    @Test func aRecordingBecomesPartOfAProfile() throws {
        try Folder.with { folder in
            let written = folder("mine/iphone-15-pro.json")
            let outcome = try Program.run(
                "devices",
                "import-trace",
                Self.log,
                "--device",
                "iphone 15 pro",
                "--out",
                written
            )
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.lines.contains("  fast at nominal: 2 readings, median 38.8 ms, slowest 41.2 ms"))
            // 2 % of 12.7 Wh × 0.92 in 600 s are 1.402 W.
            #expect(outcome.lines.contains("  battery: 1.402 [0.5974–2.332] W"))
            #expect(try Program.run("devices", "check", written).code == 0)
            let list = try Program.run("devices", "--device-folder", folder("mine"))
            let row = try #require(list.lines.first { $0.hasPrefix("  iPhone 15 Pro") })
            #expect(row.split(separator: " ").last == "1")
            let shown = try Program.run("devices", "iPhone 15 Pro", "--device-folder", folder("mine"))
            #expect(shown.output.contains("Recorded on iPhone16,1 with iOS 26.1 by Spines 1.0"))
        }
    }

    @Test func aWrongRecordingIsRefusedWithItsLineAndNothingIsWritten() throws {
        try Folder.with { folder in
            let text = try String(contentsOfFile: Self.log, encoding: .utf8)
            try folder.write(text.replacing("\"fair\"", with: "\"warm\""), to: "log.jsonl")
            let outcome = try Program.run(
                "devices",
                "import-trace",
                folder("log.jsonl"),
                "--device",
                "iPhone 15 Pro",
                "--out",
                folder("p.json")
            )
            #expect(outcome.code == 2)
            #expect(outcome.errors.hasPrefix("error: \(folder("log.jsonl")):7: thermalState: is \"warm\""))
            #expect(!folder.contains("p.json"))
        }
    }
}
