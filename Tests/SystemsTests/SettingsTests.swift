import Evaluation
import Foundation
import Harness
import OpenVINOEngine
import SpineReaders
import Testing

@testable import Systems

@Suite struct SettingsTests {
    /// Whether PaddleOCR's networks and Tesseract are on this machine.
    static let areThere = ReadingSettings.fast.with(engine: .tesseractLines, models: .ppOCRv4Mobile).problem == nil

    /// A variant keeps its meaning in a record.
    @Test(arguments: ComposedVariant.named)
    func aRecordMeansTheSame(variant: ComposedVariant) throws {
        let record = Variant(name: variant.name, tier: variant.tier, settings: variant.settings.texts)
        let read = try ComposedVariant(record).settings
        #expect(read.texts == variant.settings.texts)
        #expect(read.scanning == variant.settings.scanning)
        #expect(read.reading?.resolvedCanvases == variant.settings.reading?.resolvedCanvases)
        #expect(variant.base?.tier == variant.tier || variant.tier == "fast" || variant.tier == "accurate")
        #expect(ComposedVariant.named.count { $0.name == variant.name } == 1)
    }

    /// The further looks are searched in tiles on the canvas of the first.
    @Test func theCanvasIsTheFirstLooks() {
        #expect(ReadingSettings.fast.resolvedCanvases == [NetworkShape(width: 1024, height: 96)])
        #expect(ReadingSettings.accurate.resolvedCanvases == [NetworkShape(width: 1024, height: 96)])
    }

    @Test(arguments: [
        ("fast", "engine", "tesseract-lines"), ("fast", "models", "ppocrv4-mobile"),
        ("fast", "first-stage", "./v6-tiny"), ("fast", "gate", "lines"),
        ("fast", "looks", "turned:96x1536+across:128x1280"),
        ("fast", "further-looks", "always"), ("fast", "canvases", "1024x1024"), ("fast", "orientation", "both-ways"),
        ("fast", "sure-confidence", "1.0"), ("fast", "minimum-confidence", "0.25"), ("fast", "precision", "f16"),
        ("fast", "threads", "1"), ("fast", "line-widths", "64+4096"), ("fast", "alphabet", "all"),
        ("fast", "correction", "off"), ("fast", "word-list", "names.txt"), ("fast", "preprocessing", "autocontrast"),
        ("fast", "decode-short-side", "64"), ("fast", "prewarm", "on"), ("tesseract", "languages", "eng+fra"),
        ("vision-fallback", "network", "lte"), ("vision-fallback", "outages", "0.25"),
        ("vision-fallback", "network-seed", "7"), ("vision-fallback", "retry", "never"),
        ("vision-fallback", "patience", "2.5"), ("vision-fallback", "faults", "drops"),
        ("vision-fallback", "server-workers", "2"), ("vision-fallback", "server-queue", "1"),
        ("vision-fallback", "catalogue", "books.sqlite"), ("vision-fallback", "upload-size", "640"),
        ("vision-fallback", "jpeg-quality", "50"), ("vision-fallback", "slow-threshold", "0.3"),
        ("vision-fallback", "reader", "fast"), ("vision-fallback", "matching", "off"), ("hybrid", "readings", "3"),
        ("system", "lanes", "2"), ("system", "environment", "A=b C=d"), ("system", "network", "refused"),
    ])
    func settingIsChanged(base: String, key: String, value: String) throws {
        let variant = try #require(ComposedVariant.named(base))
        let changed = try variant.settings.overridden(by: [key: value], name: base)
        #expect(changed != variant.settings)
        #expect(changed.texts[key] == value)
        #expect(try base == "system" || VariantSettings(texts: changed.texts, name: "").texts == changed.texts)
    }

    @Test(arguments: [
        ("fast,thraeds=1", "thraeds: unknown setting; did you mean \"threads\"?"),
        ("fast,threads=0", "threads: invalid value \"0\"; expected a whole number from 1 to 256"),
        ("fast,threads=2.5", "threads: invalid value \"2.5\"; expected a whole number from 1 to 256"),
        ("fast,threads=03", "threads: invalid value \"03\"; expected a whole number from 1 to 256"),
        ("fast,threads=", "threads: invalid value \"\"; expected a whole number from 1 to 256"),
        (
            "fast,canvases=+64x1024",
            "canvases: invalid value \"+64x1024\"; expected 1 to 16 of <width>x<height> with + between, multiples of 32 "
                + "up to 4096"
        ),
        (
            "fast,readings=3",
            "readings: does not apply to this variant, only to enrich, hybrid, vision-fallback, on-device-only, shelf-fast, "
                + "shelf-accurate, visual-search"
        ),
        (
            "fast,gaps-searched=4",
            "gaps-searched: was removed: gaps between lines are no longer searched, as this read no additional titles; delete this setting"
        ),
        ("fast,sure-confidence=nan", "sure-confidence: invalid value \"nan\"; expected a number from 0 to 1"),
        (
            "fast,precision=bf61",
            "precision: invalid value \"bf61\"; did you mean \"bf16\"? expected auto, f32, bf16, f16, measured"
        ),
        ("fast,correction=true", "correction: invalid value \"true\"; expected on, off"),
        (
            "fast,looks=turned:1024x64",
            "looks: invalid value \"turned:1024x64\"; expected 1 to 8 of turned:<short>x<long> and "
                + "across:<short>x<long> with + between, sides of 16 to 4096 pixels"
        ),
        (
            "fast,line-widths=128+",
            "line-widths: invalid value \"128+\"; expected 1 to 16 multiples of 8 from 64 to 4096 with + between"
        ),
        ("fast,languages=eng", "languages: does not apply to the engine openvino, only to tesseract, tesseract-lines"),
        (
            "tesseract,languages=eng+",
            "languages: invalid value \"eng+\"; expected names of Tesseract's language data with + between, such as eng+fra"
        ),
        (
            "fast,engine=tesseract,threads=1",
            "threads: does not apply to the engine tesseract, only to openvino, tesseract-lines"
        ),
        (
            "fast,threads=x,alphabet=x,x=y",
            "threads: invalid value \"x\"; expected a whole number from 1 to 256; alphabet: invalid value \"x\"; expected "
                + "latin, all; x: unknown setting; there are engine, models, first-stage, gate, looks, further-looks, canvases, "
                + "orientation, sure-confidence, minimum-confidence, precision, threads, line-widths, alphabet, correction, "
                + "word-list, preprocessing, decode-short-side, prewarm"
        ),
        (
            "hybrid,network=5G",
            "network: invalid value \"5G\"; did you mean \"5g\"? expected none, wifi, 5g, lte, poor"
        ),
        ("hybrid,outages=1.5", "outages: invalid value \"1.5\"; expected a number from 0 to 1"),
        (
            "hybrid,jpeg-quality=85",
            "jpeg-quality: does not apply to the strategy hybrid, only to talaria-only, vision-fallback"
        ),
        ("hybrid,patiense=1", "patiense: unknown setting; did you mean \"patience\"?"),
        (
            "on-device-only,network=lte",
            "network: does not apply to the strategy on-device-only, only to talaria-only, hybrid, vision-fallback"
        ),
        (
            "enrich,readings=3",
            "readings: \"3\" has no effect with matching=off: the device has no catalogue; expected 1, or matching=on"
        ),
        ("hybrid,readings=+3", "readings: invalid value \"+3\"; expected a whole number from 1 to 5"),
        (
            "hybrid,alphabet=all",
            "alphabet: does not apply to this variant, only to fast, accurate, quick, staged, fast-v4, accurate-v4"
        ),
    ])
    func wrongSettingIsExplained(text: String, message: String) {
        let base = text.prefix { $0 != "," }
        #expect { try ComposedVariant(text) } throws: { "\($0)" == "invalid settings of variant \(base): \(message)" }
    }

    @Test(arguments: [
        ("fats", "unknown variant \"fats\"; did you mean \"fast\"?"),
        ("fast,threads", "invalid setting \"threads\" in \"fast,threads\": expected setting=value"),
        ("fast,", "invalid setting \"\" in \"fast,\": expected setting=value"),
        ("fast,threads=1,threads=2", "\"fast,threads=1,threads=2\" sets threads twice"),
    ])
    func wrongVariantIsExplained(text: String, message: String) {
        #expect { try ComposedVariant(text) } throws: { "\($0)" == message }
    }

    /// Records from before there was the setting mean the same, and have the same digest.
    @Test(arguments: [
        ("fast", "word-list", "none"), ("fast", "first-stage", "none"), ("fast", "gate", "spines"),
        ("hybrid", "readings", "1"),
        ("on-device-only", "pictures", "spines"),
    ])
    func aLaterSettingIsLeftOutOfRecords(base: String, key: String, standard: String) throws {
        let variant = try ComposedVariant(base)
        #expect(variant.settings.texts[key] == nil)
        #expect(try ComposedVariant("\(base),\(key)=\(standard)").settings == variant.settings)
    }

    /// Without a catalogue, or without further readings, there is no contradiction.
    @Test(arguments: [("hybrid,matching=off", 1), ("enrich,matching=on,readings=3", 3)])
    func readingsNeedACatalogue(text: String, readings: Int) throws {
        #expect(try ComposedVariant(text).settings.scanning?.readings == readings)
    }

    /// A worker of another version must not fill in settings that the harness omitted.
    @Test(arguments: [
        ("alphabet", nil, "alphabet: is missing; expected latin, all"),
        (
            "engine", "openvin",
            "engine: invalid value \"openvin\"; did you mean \"openvino\"? expected openvino, tesseract, "
                + "tesseract-lines, vision"
        ),
    ])
    func aRecordIsWhole(key: String, value: String?, message: String) {
        var texts = ReadingSettings.fast.texts
        texts[key] = value
        #expect { try ComposedVariant(Variant(name: "x", tier: nil, settings: texts)) } throws: {
            "\($0)" == "invalid settings of variant x: \(message)"
        }
    }

    @Test func tablesAreWhole() {
        func check<Owner: Settings>(_ type: Owner.Type) {
            #expect(Set(Owner.table.map(\.name)).count == Owner.table.count)
            #expect(Owner.table.allSatisfy { $0.meaning.hasSuffix(".") && !$0.allowed.isEmpty && !$0.kinds.isEmpty })
        }
        check(ReadingSettings.self)
        check(ScanSettings.self)
        check(ReaderSettings.self)
    }

    @Test func overridesAreInTheName() throws {
        let variant = try ComposedVariant("fast,threads=1,looks=turned:64x512")
        #expect(variant.name == "fast.looks-turned-64x512.threads-1")
        #expect(variant.tier == "fast")
        let texts = variant.settings.texts
        #expect(texts["threads"] == "1" && texts["looks"] == "turned:64x512")
    }

    /// An engine alone stands for the settings of the variant that is named after it.
    @Test(arguments: ["tesseract", "tesseract-lines", "vision"])
    func anEngineHasTheOtherSettingsOfFast(engine: String) throws {
        #expect(try ComposedVariant("fast,engine=\(engine)").settings == ComposedVariant(engine).settings)
    }

    @Test(arguments: [("hybrid,network=lte", EvidenceClass?.some(.modelled)), ("hybrid", nil), ("fast", nil)])
    func shapedVariantsAreModelled(text: String, evidence: EvidenceClass?) throws {
        #expect(try ComposedVariant(text).settings.evidence == evidence)
    }

    @Test func variantsThatStartTheBackEndAlikeShareIt() throws {
        let variants = try ["hybrid", "upload,network=poor", "upload,faults=drops", "fast", "on-device-only"]
            .map { try ComposedVariant($0) }
        let references = try #require(MeasuringSite.backEnds(for: variants, given: nil))
        #expect(references.map(\.variants) == [["hybrid", "upload.network-poor"], ["upload.faults-drops"]])
        #expect(references[1].arguments.contains("--faults"))
        let given = MeasuringSite.backEnds(for: variants, given: "http://127.0.0.1:1")
        #expect(given?.map(\.arguments) == [["http://127.0.0.1:1"]])
        #expect(MeasuringSite.backEnds(for: [variants[4]], given: nil) == nil)
    }

    #if !canImport(Vision)
    @Test func engineOfAnotherPlatformIsAProblem() throws {
        let settings = try ComposedVariant("vision").settings
        #expect(settings.problem == "Apple Vision is part of macOS and iOS")
        #expect(throws: (any Error).self) { try settings.load(in: ScanEnvironment()) }
        #expect(try settings.modelDigests().isEmpty)
    }
    #endif

    /// Digest by `sha256sum`, in the list by which the models are fetched.
    @Test(.enabled(if: areThere, "an engine is missing: run 'make setup'"))
    func digestsAreThoseOfTheFilesThatAreRead() throws {
        let digests = try ComposedVariant("tesseract-lines,models=ppocrv4-mobile").settings.modelDigests()
        #expect(digests.keys.sorted() == ["eng.traineddata", "ppocrv4-mobile-det.onnx"])
        #expect(
            digests["ppocrv4-mobile-det.onnx"]
                == "sha256:d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9"
        )
    }

    @Test(.enabled(if: areThere, "an engine is missing: run 'make setup'"))
    func classifierIsAmongTheFilesOfAVariantThatHasOne() throws {
        let settings = try ComposedVariant("fast,orientation=classifier,correction=off").reading
        let names = try settings.files.map { URL(filePath: $0).lastPathComponent }
        #expect(names == ["ppocrv6-small-det.onnx", "ppocrv6-small-rec.onnx", "ppocr-mobile-cls.onnx"])
    }
}
