#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

do {
    guard let options = try FuzzOptions(Array(CommandLine.arguments.dropFirst())) else {
        print(FuzzOptions.usage)
        exit(0)
    }
    let seeds = try SeedCorpus.load(options.folders)
    var run = FuzzRun(options: options, seeds: seeds)
    try run.execute()
    print(run.summary)
    exit(run.findings.isEmpty ? 0 : 1)
} catch {
    print("codec-fuzz: \(error)")
    exit(2)
}
