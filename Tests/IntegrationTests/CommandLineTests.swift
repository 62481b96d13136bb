import Foundation
import ImageCodec
import Raster
import Testing

/// The program beside the test bundle.
private let builtProgram: String? = {
    // On Linux the tests are the program that runs; on Darwin they are a bundle that another program loads.
    let bundles = Bundle.allBundles.map(\.bundleURL) + [URL(filePath: CommandLine.arguments[0])]
    return bundles.map { $0.deletingLastPathComponent().appending(path: "spinebench").path }
        .first(where: FileManager.default.isExecutableFile)
}()

/// The built `spinebench`, as a shell sees it: exit codes and what goes where.
@Suite(.enabled(if: builtProgram != nil, "spinebench lies where the tests were built"))
struct CommandLineTests {
    private struct Outcome {
        var code: Int32
        var output: String
        var errors: String
    }

    private func spinebench(_ arguments: String...) throws -> Outcome { try spinebench(arguments) }

    private func spinebench(_ arguments: [String]) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: try #require(builtProgram))
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let data = (try output.fileHandleForReading.readToEnd(), try errors.fileHandleForReading.readToEnd())
        process.waitUntilExit()
        return Outcome(
            code: process.terminationStatus,
            output: String(decoding: data.0 ?? Data(), as: UTF8.self),
            errors: String(decoding: data.1 ?? Data(), as: UTF8.self)
        )
    }

    private func withDataset(_ lines: [String], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/spinebench-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let image = RasterImage(width: 4, height: 4, channels: 3, filledWith: 200)
        try Data(ImageCodec.encodePNG(image)).write(to: URL(filePath: folder + "/a.png"))
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: folder + "/samples.jsonl"))
        try body(folder)
    }

    private let good = """
        {"id": "a", "image": "a.png", "category": "vertical", "title": "A", "transcription": "A", "orientation": "cw"}
        """

    @Test func helpIsNoError() throws {
        let outcome = try spinebench("run", "--help")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("spinebench run --dataset"))
        #expect(outcome.errors.isEmpty)
    }

    @Test(arguments: [
        ["run"], ["bogus"], ["run", "--repetitions", "many"], ["run", "--dataset", "x", "--tiers", "none"],
    ])
    func wrongUsageEndsWith2(arguments: [String]) throws {
        let outcome = try spinebench(arguments)
        #expect(outcome.code == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("Error: "))
    }

    @Test func aGoodDatasetIsSummedUp() throws {
        try withDataset([good]) { folder in
            let outcome = try spinebench("dataset", "validate", folder)
            #expect(outcome.code == 0)
            #expect(outcome.output.contains("1 spine (1 vertical), 1 legible\nsha256:"))
        }
    }

    @Test func allFaultsOfADatasetAreToldBeforeARun() throws {
        let bad = good.replacing("vertical", with: "diagonal")
        try withDataset([good, good, bad, "{"]) { folder in
            let (checked, ran) = (
                try spinebench("dataset", "validate", folder), try spinebench("run", "--dataset", folder)
            )
            for outcome in [checked, ran] {
                #expect(outcome.code == 2)
                #expect(outcome.errors.contains("4 faults in the dataset"))
                #expect(outcome.errors.contains("samples.jsonl:2: id \"a\" was already used in line 1"))
                #expect(outcome.errors.contains("samples.jsonl:3: \"category\" is \"diagonal\""))
                #expect(outcome.errors.contains("samples.jsonl:4: not valid JSON"))
            }
        }
    }

    @Test func settingsThatMakeNoSenseEndWith2() throws {
        try withDataset([good]) { folder in
            let outcome = try spinebench("run", "--dataset", folder, "--repetitions", "0", "--tiers", "fast")
            #expect(outcome.code == 2)
            #expect(outcome.errors.contains("repetitions is 0; expected 1 or more"))
        }
    }

    @Test func resumingNothingEndsWith2() throws {
        let outcome = try spinebench("run", "--resume", "/nowhere")
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("/nowhere: no run to resume"))
    }
}
