import ArgumentParser
import Foundation

do {
    let options = try FuzzOptions.parse()
    var run = FuzzRun(options: options, seeds: try SeedCorpus.load(options.folders))
    try run.execute()
    print(run.summary)
    exit(run.findings.isEmpty ? 0 : 1)
} catch {
    print(FuzzOptions.fullMessage(for: error))
    exit(FuzzOptions.exitCode(for: error) == .success ? 0 : 2)
}
