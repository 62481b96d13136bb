import Foundation
import ImageCodec
import Raster
import ScanningPipeline

/// How the presence gate does: what it misses, what it lets through, how long it takes, and what it saves (E-07).
let usage = """
    Usage: gate-check [--spines FOLDER]… [--shelves FOLDER]… [--without FOLDER]… [--frames N] [--seed N] [--evidence FILE]

    Frames of 1440 × 1920 pixels of luma: each picture of the --spines folders (one spine each) before a drawn background,
    parts of the pictures of the --shelves folders (which books must fill), parts of the pictures without books of the --without folders, and N
    drawn frames without books of each kind (40). --evidence writes what the gate saw of every frame, for fitting.
    """

/// A sort of frames, and what the gate said of them.
struct Group {
    var name: String
    var hasSpine: Bool
    var found: [Bool] = []
}

struct Check {
    let gate = PresenceGate()
    var groups: [Group] = []
    var milliseconds: [Double] = []
    /// Of this thread alone: what the gate takes on a machine that is busy with other things, too.
    var processor: [Double] = []
    var evidence = ""

    private static var processorMilliseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }

    mutating func look(at frame: RasterImage, in group: Int) {
        let (start, used) = (ContinuousClock.now, Self.processorMilliseconds)
        let finding = gate.examine(frame)
        milliseconds.append(start.duration(to: .now) / .milliseconds(1))
        processor.append(Self.processorMilliseconds - used)
        groups[group].found.append(finding.isSpine)
        let features = GateEvidence(of: frame).features.map { "\($0)" }.joined(separator: "\t")
        evidence += "\(groups[group].name)\t\(groups[group].hasSpine ? 1 : 0)\t\(features)\n"
    }

    mutating func add(_ name: String, hasSpine: Bool) -> Int {
        groups.append(Group(name: name, hasSpine: hasSpine))
        return groups.count - 1
    }

    func rate(hasSpine: Bool) -> (found: Int, of: Int) {
        let all = groups.filter { $0.hasSpine == hasSpine }.flatMap(\.found)
        return (all.count { $0 }, all.count)
    }
}

func pictures(in folder: String) throws -> [(name: String, image: RasterImage)] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted().compactMap { name in
        guard ImageFormat.fileExtensions.contains(URL(filePath: name).pathExtension.lowercased()) else { return nil }
        return (name, try ImageCodec.decode(contentsOf: "\(folder)/\(name)").image)
    }
}

var (spines, shelves, without, frames, seed, evidenceFile) = ([String](), [String](), [String](), 40, UInt64(1), "")
var arguments = CommandLine.arguments.dropFirst()
while let option = arguments.popFirst() {
    guard let value = arguments.popFirst() else {
        print(usage)
        exit(option == "--help" ? 0 : 2)
    }
    switch option {
    case "--spines": spines.append(value)
    case "--shelves": shelves.append(value)
    case "--without": without.append(value)
    case "--frames": frames = Int(value) ?? frames
    case "--seed": seed = UInt64(value) ?? seed
    case "--evidence": evidenceFile = value
    default:
        print(usage)
        exit(2)
    }
}

var check = Check()
var maker = FrameMaker(seed: seed)
for folder in spines {
    let group = check.add("spines of \(folder)", hasSpine: true)
    for (_, image) in try pictures(in: folder) { check.look(at: maker.frame(with: image), in: group) }
}
for folder in shelves {
    let group = check.add("parts of shelves of \(folder)", hasSpine: true)
    for (_, image) in try pictures(in: folder) {
        for _ in 0..<4 { check.look(at: maker.part(of: image), in: group) }
    }
}
for folder in without {
    let group = check.add("pictures of \(folder)", hasSpine: false)
    for (_, image) in try pictures(in: folder) {
        for _ in 0..<4 { check.look(at: maker.part(of: image), in: group) }
    }
}
for (kind, name) in FrameMaker.kinds.enumerated() {
    let group = check.add("drawn: \(name)", hasSpine: false)
    for _ in 0..<frames { check.look(at: maker.empty(kind), in: group) }
}

for group in check.groups where !group.found.isEmpty {
    let seen = group.found.count { $0 }
    print("\(group.name): \(group.hasSpine ? "seen" : "false alarms") \(seen) of \(group.found.count)")
}
let (hits, alarms) = (check.rate(hasSpine: true), check.rate(hasSpine: false))
func share(_ rate: (found: Int, of: Int)) -> Double { rate.of > 0 ? Double(rate.found) / Double(rate.of) : .nan }
func percent(_ value: Double) -> String { String(format: "%.1f %%", 100 * value) }
print("\nmissed: \(percent(1 - share(hits))) of \(hits.of) frames with a spine")
print(
    "false alarms: \(percent(share(alarms))) of \(alarms.of) frames without (\(without.isEmpty ? "all" : "most") drawn)"
)
for (name, times) in [("time", check.milliseconds), ("processor time", check.processor)] where !times.isEmpty {
    let sorted = times.sorted()
    let (half, most) = (sorted[sorted.count / 2], sorted[sorted.count * 95 / 100])
    print("\(name): " + String(format: "P50 %.2f ms, P95 %.2f ms of %d frames", half, most, sorted.count))
}

// Sequences of 10,000 frames, drawn with replacement from those above.
print("\nframes with a spine   readings saved   spines missed")
let (withSpine, empty) = (
    check.groups.filter(\.hasSpine).flatMap(\.found), check.groups.filter { !$0.hasSpine }.flatMap(\.found)
)
var random = SplitMix64(seed: seed)
for present in [5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95] where !withSpine.isEmpty {
    var (read, missed, there) = (0, 0, 0)
    for _ in 0..<10_000 {
        let isThere = Int.random(in: 0..<100, using: &random) < present
        let isFound = (isThere ? withSpine : empty).randomElement(using: &random) ?? false
        if isFound { read += 1 }
        if isThere {
            there += 1
            if !isFound { missed += 1 }
        }
    }
    let saved = 1 - Double(read) / 10_000
    print(
        String(
            format: "%17d %%   %12.1f %%   %11.1f %%",
            present,
            100 * saved,
            100 * Double(missed) / Double(max(1, there))
        )
    )
}
if !evidenceFile.isEmpty { try check.evidence.write(toFile: evidenceFile, atomically: true, encoding: .utf8) }
