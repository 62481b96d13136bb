import BenchmarkHarness
import Foundation
import OpenVINOEngine
import SpineReaders
import Testing
import TextRecognition

@testable import spinebench

@Suite struct PipelineSettingsTests {
    @Test(arguments: PipelineBase.all.map(\.name))
    func everyBaseSurvivesBeingWritten(name: String) throws {
        let base = try #require(PipelineBase.named(name))
        let read = try PipelineSettings(texts: base.settings.texts, name: name)
        #expect(read.texts == base.settings.texts)
        #expect(read.resolvedCanvases == base.settings.resolvedCanvases)
        #expect(read.openVINO.detectorCanvases == base.settings.openVINO.detectorCanvases)
        #expect(
            read.reader == base.settings.reader || base.settings.engine == .tesseract || base.settings.engine == .vision
        )
    }

    /// The sizes that both tiers were tuned with.
    @Test func canvasesFollowTheLooks() {
        #expect(PipelineSettings.fast.openVINO.detectorCanvases == [[640, 64], [1024, 64], [96, 768]])
        #expect(
            PipelineSettings.accurate.openVINO.detectorCanvases == [
                [640, 64], [1024, 64], [128, 1280], [1440, 160],
            ]
        )
    }

    @Test func gapsOfALookAcrossHaveACanvasThatLies() throws {
        let across = try PipelineSettings.fast.overridden(by: ["looks": "across:70x500"], name: "")
        // 70 and 500 go up to multiples of 32; five eighths of 500 are 312, which goes up to 320.
        #expect(across.openVINO.detectorCanvases == [[96, 320], [96, 512], [512, 96]])
    }

    @Test(arguments: [
        ("engine", "tesseract-lines"), ("models", "ppocrv4-mobile"), ("looks", "turned:96x1536+across:128x1280"),
        ("further-looks", "always"), ("canvases", "1024x1024"), ("orientation", "both-ways"), ("gaps-searched", "0"),
        ("sure-confidence", "1.0"), ("minimum-confidence", "0.25"), ("precision", "f16"), ("threads", "1"),
        ("parallel-lines", "1"), ("line-widths", "64+4096"), ("alphabet", "all"), ("correction", "off"),
        ("preprocessing", "autocontrast"), ("decode-short-side", "64"), ("prewarm", "on"),
    ])
    func settingIsTakenOver(key: String, value: String) throws {
        let changed = try PipelineSettings.fast.overridden(by: [key: value], name: "fast")
        #expect(changed != .fast)
        #expect(changed.texts[key] == value)
        #expect(try PipelineSettings(texts: changed.texts, name: "").texts == changed.texts)
    }

    @Test func languagesAreTesseracts() throws {
        let changed = try PipelineSettings.fast.with(engine: .tesseract).overridden(
            by: ["languages": "eng+fra"],
            name: ""
        )
        #expect(changed.texts["languages"] == "eng+fra")
        #expect(changed.texts["threads"] == nil)
    }

    @Test func oneThreadReadsOneLineAtATime() throws {
        #expect(try PipelineSettings.fast.overridden(by: ["threads": "1"], name: "").texts["parallel-lines"] == "1")
    }

    @Test(arguments: [
        (["thraeds": "1"], "thraeds: there is no such setting; did you mean \"threads\"?"),
        (["threads": "0"], "threads: \"0\" is not allowed; expected a whole number from 1 to 256"),
        (["threads": "2.5"], "threads: \"2.5\" is not allowed; expected a whole number from 1 to 256"),
        (["sure-confidence": "nan"], "sure-confidence: \"nan\" is not allowed; expected a number from 0 to 1"),
        (
            ["precision": "bf61"],
            "precision: \"bf61\" is not allowed; did you mean \"bf16\"? expected auto, f32, bf16, f16, measured"
        ),
        (["correction": "true"], "correction: \"true\" is not allowed; expected on, off"),
        (
            ["looks": "turned:1024x64"],
            "looks: \"turned:1024x64\" is not allowed; expected 1 to 8 of turned:<short>x<long> and "
                + "across:<short>x<long> with + between, sides of 16 to 4096 pixels"
        ),
        (
            ["line-widths": "128+"],
            "line-widths: \"128+\" is not allowed; expected 1 to 16 multiples of 8 from 64 to 4096 "
                + "with + between"
        ),
        (["languages": "eng"], "languages: means nothing to the engine openvino, only to tesseract, tesseract-lines"),
        (
            ["engine": "tesseract", "threads": "1"],
            "threads: means nothing to the engine tesseract, only to openvino, tesseract-lines"
        ),
        (
            ["threads": "1", "parallel-lines": "2"],
            "parallel-lines: \"2\" is more than the 1 threads; expected as many at most"
        ),
        (
            ["canvases": "64x64+1024x64"],
            "canvases: none holds the look across:96x768; it needs 96x768, or leave the canvases to the looks"
        ),
    ])
    func whatIsWrongIsSaid(overrides: [String: String], message: String) {
        #expect {
            try PipelineSettings.fast.overridden(by: overrides, name: "fast")
        } throws: { error in
            (error as? SettingFaults)?.faults.map(\.description) == [message]
        }
    }

    @Test func everyFaultIsListed() {
        #expect {
            try PipelineSettings.fast.overridden(by: ["threads": "x", "alphabet": "x", "x": "y"], name: "fast")
        } throws: { error in
            (error as? SettingFaults)?.faults.map(\.key) == ["threads", "alphabet", "x"]
        }
    }

    /// A worker of another version must not fill in what the harness did not say.
    @Test func missingSettingIsNotFilledIn() throws {
        var texts = PipelineSettings.fast.texts
        texts["alphabet"] = nil
        #expect {
            try PipelineSettings(texts: texts, name: "fast")
        } throws: { error in
            "\(error)" == "the variant fast cannot be set so: alphabet: is missing; expected latin, all"
        }
    }

    @Test func keysAreUniqueAndExplained() {
        let names = PipelineSettings.keys.map(\.name)
        #expect(Set(names).count == names.count)
        for key in PipelineSettings.keys {
            #expect(key.meaning.hasSuffix(".") && !key.allowed.isEmpty && !key.scopes.isEmpty)
        }
    }
}

@Suite struct PipelinesTests {
    /// Whether PaddleOCR's networks and Tesseract are on this machine.
    static let areThere = PipelineSettings.fast.with(engine: .tesseractLines, models: .ppOCRv4Mobile).problem == nil

    @Test func overridesAreInTheName() throws {
        let variant = try Pipelines.resolve("fast,threads=1,looks=turned:64x512")
        #expect(variant.name == "fast.looks-turned-64x512.threads-1")
        #expect(variant.tier == "fast" && !variant.gates)
        #expect(variant.settings["threads"] == "1" && variant.settings["looks"] == "turned:64x512")
        #expect(variant.settings["gaps-searched"] == "1")
    }

    @Test(arguments: [
        ("fats", "there is no variant \"fats\"; did you mean \"fast\"?"),
        ("fast,threads", "\"threads\" in \"fast,threads\" sets nothing; expected setting=value"),
        ("fast,", "\"\" in \"fast,\" sets nothing; expected setting=value"),
        ("fast,threads=1,threads=2", "\"fast,threads=1,threads=2\" sets threads twice"),
        (
            "fast,threads=",
            "the variant fast cannot be set so: threads: \"\" is not allowed; expected a whole number from 1 to 256"
        ),
    ])
    func wrongVariantIsExplained(text: String, message: String) {
        #expect { try Pipelines.resolve(text) } throws: { "\($0)" == message }
    }

    @Test func variantWithoutMeaningIsAProblem() {
        let problem = Pipelines.problem(of: Variant(name: "x", settings: ["engine": "openvin"]))
        #expect(problem?.contains("engine: \"openvin\" is not allowed; did you mean \"openvino\"?") == true)
    }

    #if !canImport(Vision)
    @Test func engineOfAnotherPlatformIsAProblem() throws {
        let variant = try Pipelines.resolve(base: "vision")
        #expect(Pipelines.problem(of: variant) == "Apple Vision comes with macOS and iOS")
        #expect(throws: (any Error).self) { try Pipelines.load(variant, in: Tiers.Surroundings()) }
        #expect(try Pipelines.modelDigests(of: variant).isEmpty)
    }
    #endif
}

@Suite(.enabled(if: PipelinesTests.areThere, "an engine is missing: run 'make setup'"))
struct ModelDigestTests {
    /// As `sha256sum` gives it, in the list by which the models are fetched.
    @Test func digestsAreThoseOfTheFilesThatAreRead() throws {
        let variant = try Pipelines.resolve("tesseract-lines,models=ppocrv4-mobile")
        let digests = try Pipelines.modelDigests(of: variant)
        #expect(digests.keys.sorted() == ["eng.traineddata", "ppocrv4-mobile-det.onnx"])
        #expect(
            digests["ppocrv4-mobile-det.onnx"]
                == "sha256:d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9"
        )
    }

    @Test func classifierIsAmongTheFilesOfAVariantThatHasOne() throws {
        let settings = try Pipelines.settings(of: Pipelines.resolve("fast,orientation=classifier,correction=off"))
        let names = try settings.files.map { URL(filePath: $0).lastPathComponent }
        #expect(names == ["ppocrv6-small-det.onnx", "ppocrv6-small-rec.onnx", "ppocr-mobile-cls.onnx"])
    }
}
