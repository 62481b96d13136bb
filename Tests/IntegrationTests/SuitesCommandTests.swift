import Basics
import Foundation
import TestSupport
import Testing

/// `spinebench suites`.
@Suite(.inTurns, .needsProgram)
struct SuitesCommandTests {
    @Test("suites are listed with what they are for and how much they run")
    func list() throws {
        let outcome = try Program.run("suites")
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.contains("standard        Both tiers of the scanner"))
        // 240 spines, three times each, by three variants.
        #expect(outcome.output.contains("3 variants × 1 scenario, 2160 readings"))
    }

    @Test("a suite that is shown in full can be checked, and shown again as it was")
    func show() throws {
        try Folder.with { folder in
            let shown = try Program.run("suites", "engines")
            #expect(shown.code == 0)
            for text in [
                "name: tesseract-lines", "precision: measured", "canvases: 1024x96",
                "decode-short-side: 384",
            ] {
                #expect(shown.output.contains(text), "\(text)")
            }
            try folder.write(shown.output, to: "mine.yaml")
            let checked = try Program.run("suites", "--check", folder("mine.yaml"))
            #expect(checked.code == 0)
            #expect(checked.output.contains("mine.yaml: 7 variants × 1 scenario"))
            let again = try Program.run("suites", folder("mine.yaml"))
            let withoutDatasets = { (text: String) in text.split(separator: "\n").filter { !$0.hasPrefix("datasets") } }
            #expect(withoutDatasets(again.output) == withoutDatasets(shown.output))
        }
    }

    @Test("everything that is wrong with a suite is said at once, with its line")
    func check() throws {
        try Folder.with { folder in
            try folder.write(
                """
                suite: mine
                description: One.
                variants:
                  - { base: fast, settings: { thraeds: 2, precision: f33 } }
                  - { base: tesseract, settings: { threads: 2 } }
                repetitions: none
                """,
                to: "mine.yaml"
            )
            let outcome = try Program.run("suites", "--check", folder("mine.yaml"))
            #expect(outcome.code == 2)
            #expect(outcome.output.isEmpty)
            let path = folder("mine.yaml")
            #expect(
                outcome.errors.split(separator: "\n").map(String.init) == [
                    "error: \(path):4:31: variants[0].settings.thraeds: unknown setting; did you mean \"threads\"?",
                    "\(path):4:54: variants[0].settings.precision: invalid value \"f33\"; did you mean \"f32\"? "
                        + "expected auto, f32, bf16, f16, measured",
                    "\(path):5:36: variants[1].settings.threads: does not apply to the engine tesseract, only to openvino, "
                        + "tesseract-lines",
                    "\(path):6:14: repetitions: invalid value \"none\"; expected a whole number from 1 to 1000",
                ]
            )
        }
    }

    @Test("the settings are listed with what they may be")
    func settings() throws {
        let outcome = try Program.run("suites", "--settings")
        #expect(outcome.code == 0)
        for text in [
            "sure-confidence", "Allowed: auto, f32, bf16, f16, measured.", "fast turned:96x1024+across:96x768",
        ] {
            #expect(outcome.output.contains(text), "\(text)")
        }
    }

    @Test(
        "what cannot be is refused with 2",
        arguments: [
            ["suites", "standrad"], ["suites", "--check", "no-such-file"], ["suites", "standard", "--settings"],
        ]
    )
    func refused(_ arguments: [String]) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.code == 2)
        #expect(outcome.errors.lowercased().hasPrefix("error: "))
    }
}
