import Foundation
import Harness
import OpenVINOEngine
import SpineReaders
import Testing

@testable import Composition

@Suite struct ReadingSettingsTests {
    @Test(arguments: VariantBase.all.filter { $0.settings.scanning == nil }.map(\.name))
    func everyBaseSurvivesBeingWritten(name: String) throws {
        let base = try ComposedVariant(base: name).reading
        let read = try ReadingSettings(texts: base.texts, name: name)
        #expect(read.texts == base.texts)
        #expect(read.resolvedCanvases == base.resolvedCanvases)
        #expect(read.reader == base.reader || base.engine == .tesseract || base.engine == .vision)
    }

    /// The further looks are searched in tiles on the canvas of the first.
    @Test func theCanvasIsTheFirstLooks() {
        #expect(ReadingSettings.fast.resolvedCanvases == [NetworkShape(width: 1024, height: 96)])
        #expect(ReadingSettings.accurate.resolvedCanvases == [NetworkShape(width: 1024, height: 96)])
    }

    @Test(arguments: [
        ("engine", "tesseract-lines"), ("models", "ppocrv4-mobile"), ("first-models", "./v6-tiny"),
        ("looks", "turned:96x1536+across:128x1280"),
        ("further-looks", "always"), ("canvases", "1024x1024"), ("orientation", "both-ways"),
        ("sure-confidence", "1.0"), ("minimum-confidence", "0.25"), ("precision", "f16"), ("threads", "1"),
        ("line-widths", "64+4096"), ("alphabet", "all"), ("correction", "off"),
        ("word-list", "names.txt"),
        ("preprocessing", "autocontrast"), ("decode-short-side", "64"), ("prewarm", "on"),
    ])
    func settingIsTakenOver(key: String, value: String) throws {
        let changed = try ReadingSettings.fast.overridden(by: [key: value], name: "fast")
        #expect(changed != .fast)
        #expect(changed.texts[key] == value)
        #expect(try ReadingSettings(texts: changed.texts, name: "").texts == changed.texts)
    }

    @Test func languagesAreTesseracts() throws {
        let changed = try ReadingSettings.fast.with(engine: .tesseract).overridden(
            by: ["languages": "eng+fra"],
            name: ""
        )
        #expect(changed.texts["languages"] == "eng+fra")
        #expect(changed.texts["threads"] == nil)
    }

    @Test(arguments: [
        (["thraeds": "1"], "thraeds: unknown setting; did you mean \"threads\"?"),
        (["threads": "0"], "threads: invalid value \"0\"; expected a whole number from 1 to 256"),
        (["threads": "2.5"], "threads: invalid value \"2.5\"; expected a whole number from 1 to 256"),
        (["threads": "03"], "threads: invalid value \"03\"; expected a whole number from 1 to 256"),
        (
            ["canvases": "+64x1024"],
            "canvases: invalid value \"+64x1024\"; expected 1 to 16 of <width>x<height> with + between, multiples of 32 "
                + "up to 4096"
        ),
        (
            ["readings": "3"],
            "readings: does not apply to this variant, only to enrich, hybrid, vision-fallback, on-device-only, shelf-fast, "
                + "shelf-accurate, visual-search, context"
        ),
        (
            ["gaps-searched": "4"],
            "gaps-searched: was removed: gaps between lines are no longer searched, as this read no additional titles; delete this setting"
        ),
        (["sure-confidence": "nan"], "sure-confidence: invalid value \"nan\"; expected a number from 0 to 1"),
        (
            ["precision": "bf61"],
            "precision: invalid value \"bf61\"; did you mean \"bf16\"? expected auto, f32, bf16, f16, measured"
        ),
        (["correction": "true"], "correction: invalid value \"true\"; expected on, off"),
        (
            ["looks": "turned:1024x64"],
            "looks: invalid value \"turned:1024x64\"; expected 1 to 8 of turned:<short>x<long> and "
                + "across:<short>x<long> with + between, sides of 16 to 4096 pixels"
        ),
        (
            ["line-widths": "128+"],
            "line-widths: invalid value \"128+\"; expected 1 to 16 multiples of 8 from 64 to 4096 "
                + "with + between"
        ),
        (["languages": "eng"], "languages: does not apply to the engine openvino, only to tesseract, tesseract-lines"),
        (
            ["engine": "tesseract", "threads": "1"],
            "threads: does not apply to the engine tesseract, only to openvino, tesseract-lines"
        ),
    ])
    func whatIsWrongIsSaid(overrides: [String: String], message: String) {
        #expect {
            try ReadingSettings.fast.overridden(by: overrides, name: "fast")
        } throws: { error in
            (error as? SettingFaults)?.faults.map(\.description) == [message]
        }
    }

    @Test func everyFaultIsListed() {
        #expect {
            try ReadingSettings.fast.overridden(by: ["threads": "x", "alphabet": "x", "x": "y"], name: "fast")
        } throws: { error in
            (error as? SettingFaults)?.faults.map(\.key) == ["threads", "alphabet", "x"]
        }
    }

    /// Records from before there was a further word list mean the same, and have the same digest.
    @Test func aWordListThatIsNotSetIsLeftOutOfRecords() throws {
        #expect(ReadingSettings.fast.texts["word-list"] == nil)
        let settings = try ReadingSettings.fast.overridden(by: ["word-list": "/no/such/names.txt"], name: "fast")
        #expect(settings.wordList == "/no/such/names.txt")
        #expect(try ReadingSettings.fast.overridden(by: ["word-list": "none"], name: "fast") == .fast)
    }

    /// A worker of another version must not fill in settings that the harness omitted.
    @Test func missingSettingIsNotFilledIn() throws {
        var texts = ReadingSettings.fast.texts
        texts["alphabet"] = nil
        #expect {
            try ReadingSettings(texts: texts, name: "fast")
        } throws: { error in
            "\(error)" == "invalid settings of variant fast: alphabet: is missing; expected latin, all"
        }
    }

    @Test func keysAreUniqueAndExplained() {
        let names = ReadingSettings.keys.map(\.name)
        #expect(Set(names).count == names.count)
        for key in ReadingSettings.keys {
            #expect(key.meaning.hasSuffix(".") && !key.allowed.isEmpty && !key.scopes.isEmpty)
        }
    }
}

@Suite struct ComposedVariantTests {
    /// Whether PaddleOCR's networks and Tesseract are on this machine.
    static let areThere = ReadingSettings.fast.with(engine: .tesseractLines, models: .ppOCRv4Mobile).problem == nil

    @Test func overridesAreInTheName() throws {
        let variant = try ComposedVariant("fast,threads=1,looks=turned:64x512")
        #expect(variant.name == "fast.looks-turned-64x512.threads-1")
        #expect(variant.tier == "fast")
        let texts = variant.settings.texts
        #expect(texts["threads"] == "1" && texts["looks"] == "turned:64x512")
    }

    @Test(arguments: [
        ("fats", "unknown variant \"fats\"; did you mean \"fast\"?"),
        ("fast,threads", "invalid setting \"threads\" in \"fast,threads\": expected setting=value"),
        ("fast,", "invalid setting \"\" in \"fast,\": expected setting=value"),
        ("fast,threads=1,threads=2", "\"fast,threads=1,threads=2\" sets threads twice"),
        (
            "fast,threads=",
            "invalid settings of variant fast: threads: invalid value \"\"; expected a whole number from 1 to 256"
        ),
    ])
    func wrongVariantIsExplained(text: String, message: String) {
        #expect { try ComposedVariant(text) } throws: { "\($0)" == message }
    }

    @Test func variantWithoutMeaningIsAProblem() {
        #expect {
            try ComposedVariant(Variant(name: "x", tier: nil, settings: ["engine": "openvin"]))
        } throws: {
            "\($0)".contains("engine: invalid value \"openvin\"; did you mean \"openvino\"?")
        }
    }

    /// A variant keeps its meaning in a record, with any source.
    @Test(arguments: VariantBase.all.map(\.name))
    func aRecordMeansTheSame(name: String) throws {
        let variant = try ComposedVariant(base: name)
        let record = Variant(name: variant.name, tier: variant.tier, settings: variant.settings.texts)
        #expect(try ComposedVariant(record).settings.texts == variant.settings.texts)
        #expect(
            VariantBase.holding(variant)?.tier == variant.tier || variant.tier == "fast" || variant.tier == "accurate"
        )
    }

    @Test func enginesAreAskedForByTheFirstThatReadsWithThem() {
        #expect(VariantBase.reader(engine: "openvino")?.name == "fast")
        #expect(VariantBase.reader(engine: "tesseract")?.name == "tesseract")
        #expect(VariantBase.reader(engine: "none") == nil)
        #expect(VariantBase.engines.prefix(3) == ["openvino", "tesseract", "tesseract-lines"])
    }

    #if !canImport(Vision)
    @Test func engineOfAnotherPlatformIsAProblem() throws {
        let settings = try ComposedVariant(base: "vision").settings
        #expect(settings.problem == "Apple Vision is part of macOS and iOS")
        #expect(throws: (any Error).self) { try settings.load(in: ScanEnvironment()) }
        #expect(try settings.modelDigests().isEmpty)
    }
    #endif
}

@Suite(.enabled(if: ComposedVariantTests.areThere, "an engine is missing: run 'make setup'"))
struct ModelDigestTests {
    /// Digest by `sha256sum`, in the list by which the models are fetched.
    @Test func digestsAreThoseOfTheFilesThatAreRead() throws {
        let digests = try ComposedVariant("tesseract-lines,models=ppocrv4-mobile").settings.modelDigests()
        #expect(digests.keys.sorted() == ["eng.traineddata", "ppocrv4-mobile-det.onnx"])
        #expect(
            digests["ppocrv4-mobile-det.onnx"]
                == "sha256:d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9"
        )
    }

    @Test func classifierIsAmongTheFilesOfAVariantThatHasOne() throws {
        let settings = try ComposedVariant("fast,orientation=classifier,correction=off").reading
        let names = try settings.files.map { URL(filePath: $0).lastPathComponent }
        #expect(names == ["ppocrv6-small-det.onnx", "ppocrv6-small-rec.onnx", "ppocr-mobile-cls.onnx"])
    }
}
