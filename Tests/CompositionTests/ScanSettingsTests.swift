import Evaluation
import Foundation
import Harness
import ScanningPipeline
import Testing

@testable import Composition

@Suite struct ScanSettingsTests {
    private func settings(_ base: String) throws -> ScanSettings {
        try #require(try ComposedVariant(base: base).settings.scanning)
    }

    @Test(arguments: VariantBase.scans.map(\.name))
    func everyBaseSurvivesBeingWritten(name: String) throws {
        let base = try settings(name)
        #expect(try ScanSettings(texts: base.texts, name: name) == base)
        #expect(try VariantSettings(texts: base.texts, name: name) == .scanning(base))
    }

    @Test(arguments: [
        ("network", "lte"), ("outages", "0.25"), ("network-seed", "7"), ("retry", "never"), ("patience", "2.5"),
        ("faults", "drops"), ("server-workers", "2"), ("server-queue", "1"), ("catalogue", "books.sqlite"),
        ("upload-size", "640"), ("jpeg-quality", "50"), ("slow-threshold", "0.3"), ("reader", "fast"),
        ("matching", "off"),
    ])
    func settingIsTakenOver(key: String, value: String) throws {
        let base = try settings("vision-fallback")
        let changed = try base.overridden(by: [key: value], name: "vision-fallback")
        #expect(changed != base)
        #expect(changed.texts[key] == value)
    }

    @Test(arguments: [
        (
            "hybrid", ["network": "5G"],
            "network: invalid value \"5G\"; did you mean \"5g\"? expected none, wifi, 5g, lte, poor"
        ),
        ("hybrid", ["outages": "1.5"], "outages: invalid value \"1.5\"; expected a number from 0 to 1"),
        (
            "hybrid", ["jpeg-quality": "85"],
            "jpeg-quality: does not apply to the strategy hybrid, only to talaria-only, vision-fallback"
        ),
        ("hybrid", ["patiense": "1"], "patiense: unknown setting; did you mean \"patience\"?"),
        (
            "on-device-only", ["network": "lte"],
            "network: does not apply to the strategy on-device-only, only to talaria-only, hybrid, vision-fallback"
        ),
        (
            "enrich", ["readings": "3"],
            "readings: \"3\" has no effect with matching=off: the device has no catalogue; expected 1, or "
                + "matching=on"
        ),
        ("hybrid", ["readings": "+3"], "readings: invalid value \"+3\"; expected a whole number from 1 to 5"),
        (
            "hybrid", ["alphabet": "all"],
            "alphabet: does not apply to this variant, only to fast, accurate, fast-v4, accurate-v4"
        ),
    ])
    func whatIsWrongIsSaid(base: String, overrides: [String: String], message: String) throws {
        let own = try settings(base)
        #expect {
            try own.overridden(by: overrides, name: base)
        } throws: { error in
            (error as? SettingFaults)?.faults.map(\.description) == [message]
        }
    }

    /// Records from before there were several readings mean the same, and have the same digest.
    @Test func oneReadingIsLeftOutOfRecords() throws {
        #expect(try settings("hybrid").texts["readings"] == nil)
        let three = try ComposedVariant("hybrid,readings=3").settings.texts
        #expect(three["readings"] == "3")
        #expect(try ComposedVariant("hybrid,readings=1").settings == ComposedVariant("hybrid").settings)
        // Without a catalogue, or without further readings, there is no contradiction.
        #expect(try settings("hybrid").overridden(by: ["matching": "off"], name: "").readings == 1)
        #expect(try settings("enrich").overridden(by: ["matching": "on", "readings": "3"], name: "").readings == 3)
    }

    @Test func shapedVariantsAreModelled() throws {
        #expect(try ComposedVariant("hybrid,network=lte").settings.evidence == .modelled)
        #expect(try ComposedVariant("hybrid").settings.evidence == nil)
        #expect(try ComposedVariant("fast").settings.evidence == nil)
    }

    @Test func variantsThatStartTheBackEndAlikeShareIt() throws {
        let variants = try ["hybrid", "upload,network=poor", "upload,faults=drops", "fast", "on-device-only"]
            .map { try ComposedVariant($0) }
        let references = try #require(BackEnds.references(for: variants, given: nil))
        #expect(references.map(\.variants) == [["hybrid", "upload.network-poor"], ["upload.faults-drops"]])
        #expect(references[1].arguments.contains("--faults"))
        let given = BackEnds.references(for: variants, given: "http://127.0.0.1:1")
        #expect(given?.map(\.arguments) == [["http://127.0.0.1:1"]])
        #expect(BackEnds.references(for: [variants[4]], given: nil) == nil)
    }

    @Test func keysAreUniqueAndExplained() {
        let names = ScanSettings.keys.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(ScanSettings.keys.allSatisfy { $0.meaning.hasSuffix(".") && !$0.allowed.isEmpty })
        #expect(Set(VariantBase.all.map(\.name)).count == VariantBase.all.count)
    }
}
