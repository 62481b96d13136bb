import ArgumentParser
import Basics
import CommandSupport
import Documents
import Foundation
import Harness
import ScanningPipeline
import ScanningPolicies
import SpineDatasets
import SpineReaders
import Systems

struct SuitesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suites",
        abstract: "List suites, show one in full, or check a suite file.",
        discussion: """
            Examples:

              spinebench suites standard > mine.yaml
              spinebench suites --check mine.yaml

            Manual: Suites/README.md.
            """
    )

    @Argument(help: .value("suite", "Suite or file to show, with all defaults."))
    var name: String?

    @Option(help: .value("file", "Check a suite file and list all errors."))
    var check: String?

    @Flag(help: "List the settings of variants and their values.")
    var settings = false

    func validate() throws {
        if [name != nil, check != nil, settings].count(where: \.self) > 1 {
            throw ValidationError("Specify a suite, --check or --settings, only one of them.")
        }
    }

    func run() throws {
        if let check {
            let path = check.contains("/") ? check : "./\(check)"
            print("\(check): " + summary(try SuiteLibrary.suite(path)))
        } else if let name {
            print(try SuiteLibrary.suite(name).yaml(base: Self.base), terminator: "")
        } else if settings {
            print(Self.settingsText)
        } else {
            try list()
        }
    }

    static func base(of variant: Variant) -> String {
        (try? ComposedVariant(variant))?.base?.name ?? "fast"
    }

    private func list() throws {
        guard let folder = SuiteLibrary.folder else {
            throw HarnessError.configuration(
                "built-in suites not found; set SPINEBENCH_SUITES to their folder"
            )
        }
        let rows = try SuiteLibrary.names.flatMap { name in
            let suite = try SuiteLibrary.suite(name)
            return [[name, suite.description], ["", summary(suite)]]
        }
        let table = Table(columns: [.text(""), .text("")], rows: rows)
        print("Suites in \(folder)\n\n" + table.terminal(width: Console.width))
        print("\nNext: spinebench suites standard, or spinebench run --suite standard".typed)
    }

    /// Returns "3 variants × 1 scenario, 2160 readings".
    private func summary(_ suite: Suite) -> String {
        let variants = NumberText.count(suite.variants.count, "variant")
        let scenarios = NumberText.count(suite.scenarios.count, "scenario")
        let counts = suite.datasets.map(pictures)
        let known = counts.compactMap(\.self)
        guard !counts.isEmpty, known.count == counts.count,
            let readings = suite.readings(samples: known.map(\.spines), photos: known.map(\.photos))
        else {
            return "\(variants) × \(scenarios)"
        }
        return "\(variants) × \(scenarios), \(NumberText.count(readings, "reading"))"
    }

    /// Returns the number of pictures of spines and of photos of shelves; nil where there is no dataset.
    private func pictures(of path: String) -> (spines: Int, photos: Int)? {
        func lines(_ name: String) -> Int? {
            FileManager.default.contents(atPath: "\(path)/\(name)").map { $0.split(separator: 10).count }
        }
        let (spines, photos) = (lines("samples.jsonl"), lines("shelves.jsonl"))
        return spines ?? photos == nil ? nil : (spines ?? 0, photos ?? 0)
    }

    private static var settingsText: String {
        func text<Owner: Settings>(_ part: (VariantSettings) -> Owner?) -> [String] {
            let bases = ComposedVariant.bases.compactMap { base in part(base.settings).map { (base.name, $0) } }
            return Owner.table.map { setting in
                let values = bases.filter { setting.kinds.contains($1.kind) }.map { "\($0) \(setting.text($1))" }
                return "\(setting.name)\n    \(setting.meaning)\n    Allowed: \(setting.allowed).\n    "
                    + values.joined(separator: "\n    ")
            }
        }
        let reading = text { $0.scanning == nil ? $0.reading : nil }
        let scanning = text(\.scanning)
        let readers = text(\.reader)
        return (["READING"] + reading + ["NAMING BOOKS"] + scanning + ["YOUR OWN READER (base: system)"] + readers)
            .joined(separator: "\n\n")
    }
}
