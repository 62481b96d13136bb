import Foundation
import ScanningPipeline
import ScanningPolicies

/// Whether the degradation ladder works on the real readers, and whether their memory is given back (E-15, S3-28).
let usage = """
    Usage: quality-check [memory|ladder]… [--dataset FOLDER] [--spines N] [--cycles N] [--quiet SECONDS] [--fault SECONDS]
                         [--only TEXT]… [--json FILE]

    memory: loads each reader, reads N spines and lets it go, --cycles times (10), with what the process holds each time.
    ladder: measures each quality, then slows the readers down, warns of memory, heats and empties the battery by
    script, and prints what the ladder makes of it. --quiet is its quiet time (5 s here, 30 s in the app); a fault lasts
    for --fault (15 s); --only takes those whose names contain a text, such as 'memory'.
    Both unless one is named. The dataset is Datasets/spines-1, N is 60.
    """

struct Report: Encodable {
    var host = ProcessInfo.processInfo.operatingSystemVersionString
    var processors = ProcessInfo.processInfo.activeProcessorCount
    var memory: MemoryCheck?
    var ladder: LadderCheck?
}

/// Says it at once, also into a file.
func say(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8)) }

func fail(_ message: String) -> Never {
    try? FileHandle.standardError.write(contentsOf: Data("quality-check: \(message)\n\n\(usage)\n".utf8))
    exit(2)
}

var (modes, dataset, limit, cycles, json) = (Set<String>(), "Datasets/spines-1", 60, 10, String?.none)
var (quiet, fault, only) = (5.0, 15.0, [String]())
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    func value() -> String { arguments.popFirst() ?? { fail("\(argument) needs a value") }() }
    func number() -> Int {
        let text = value()
        guard let number = Int(text), number > 0 else { fail("\(argument): '\(text)' is no number above 0") }
        return number
    }
    switch argument {
    case "memory", "ladder": modes.insert(argument)
    case "--dataset": dataset = value()
    case "--spines": limit = number()
    case "--cycles": cycles = number()
    case "--quiet": quiet = Double(number())
    case "--fault": fault = Double(number())
    case "--only": only.append(value())
    case "--json": json = value()
    default: fail("'\(argument)' is not known")
    }
}
if modes.isEmpty { modes = ["memory", "ladder"] }

do {
    var report = Report()
    let spines = try Spines(folder: dataset, limit: limit)
    if modes.contains("memory") {
        report.memory = try await MemoryCheck(spines, count: cycles, qualities: [.high, .medium, .low])
    }
    if modes.contains("ladder") {
        report.ladder = try await LadderCheck(spines, quiet: quiet, fault: fault, only: only)
    }
    if let json {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(report).write(to: URL(filePath: json))
    }
} catch {
    try? FileHandle.standardError.write(contentsOf: Data("quality-check: \(error)\n".utf8))
    exit(1)
}
