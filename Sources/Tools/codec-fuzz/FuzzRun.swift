import Basics
import Foundation
import Imaging

/// Fuzz run: makes mutants, decodes them, and counts the outcomes.
struct FuzzRun {
    private let options: FuzzOptions
    private let seedCount: Int
    private var mutator: Mutator
    private var choices: SplitMix64
    private var decoded = 0
    private var errors: [String: Int] = [:]
    private var worst: (time: Duration, index: Int) = (.zero, 0)
    private var peakGrowth = 0
    /// Findings, a line for each mutant with a forbidden outcome.
    private(set) var findings: [String] = []

    /// Maximum memory of decoding one mutant, in bytes: the codec's documented use for its limit on pixels, twice the
    /// largest file, and room for the libraries' own buffers.
    private var memoryLimit: Int { options.maximumPixels * 12 + (8 << 20) + (24 << 20) }

    init(options: FuzzOptions, seeds: [[UInt8]]) {
        self.options = options
        seedCount = seeds.count
        mutator = Mutator(seeds: seeds, seed: options.seed)
        choices = SplitMix64(state: ~options.seed)
    }

    mutating func execute() throws(FuzzError) {
        // Twice the bound: freed memory is not always given back at once.
        if !options.ignoresMemory { ProcessMemory.limitGrowth(to: memoryLimit * 2) }
        let current = options.keep + "/codec-fuzz-current"
        for index in 0..<options.count {
            let mutant = mutator.next()
            // Written first, so that it is there after a crash.
            try save(mutant, current)
            for finding in attempt(mutant, index) {
                let path = options.keep + "/codec-fuzz-\(options.seed)-\(index)"
                try save(mutant, path)
                findings.append("\(path): \(finding)")
            }
        }
        try? FileManager.default.removeItem(atPath: current)
    }

    /// Decodes one mutant, and returns the faults of the outcome.
    private mutating func attempt(_ mutant: [UInt8], _ index: Int) -> [String] {
        let name = "mutant-\(index)"
        let shortSide = Bool.random(using: &choices) ? Int.random(in: 1...96, using: &choices) : nil
        let before = options.ignoresMemory ? nil : ProcessMemory.current()?.residentBytes
        if before != nil { _ = ProcessMemory.resetPeak() }
        var problems: [String] = []
        var image: RasterImage?
        let start = ContinuousClock.now
        do throws(ImageCodecError) {
            let result = try ImageCodec.decode(
                mutant,
                name: name,
                options: DecodingOptions(maximumPixels: options.maximumPixels, minimumShortSide: shortSide)
            )
            decoded += 1
            if !isConsistent(result) { problems.append("decoded, but differs from its header") }
            image = result.image
        } catch {
            let text = "\(error)"
            errors[kind(error.fault), default: 0] += 1
            if !text.contains(name) { problems.append("the error does not name the file: \(text)") }
        }
        let time = ContinuousClock.now - start
        if time > worst.time { worst = (time, index) }
        if time > .milliseconds(options.slowMilliseconds) { problems.append("took \(time)") }
        if let before, let peak = ProcessMemory.current()?.peakBytes {
            peakGrowth = max(peakGrowth, peak - before)
            if peak - before > memoryLimit { problems.append("took \((peak - before) >> 20) MiB") }
        }
        return problems + Self.strip(mutant, name: name, decoded: shortSide == nil ? image : nil)
    }

    /// Removes the metadata from a mutant, and returns the faults of the outcome; `decoded` is its decoded image.
    private static func strip(_ mutant: [UInt8], name: String, decoded: RasterImage?) -> [String] {
        do throws(ImageCodecError) {
            _ = try ImageCodec.containsLocation(mutant, name: name)
            let stripped = try ImageCodec.withoutMetadata(mutant, name: name).bytes
            let again = try ImageCodec.withoutMetadata(stripped, name: name)
            guard again.bytes == stripped, again.removed.isEmpty else {
                return ["stripping twice differs from stripping once"]
            }
            guard try !ImageCodec.containsLocation(stripped, name: name) else { return ["a location was left"] }
            guard let decoded else { return [] }
            return try ImageCodec.decode(stripped, name: name).image == decoded ? [] : ["stripped to another picture"]
        } catch {
            guard case .notStripped = error.fault else {
                return decoded == nil ? [] : ["decoded, but could not be stripped: \(error)"]
            }
            return []
        }
    }

    private func isConsistent(_ result: DecodedImage) -> Bool {
        func matches(_ length: Int, _ full: Int) -> Bool {
            length == Int((Double(full) * result.scale).rounded(.up))
        }
        return result.image.channels == result.header.channels && result.scale > 0 && result.scale <= 1
            && matches(result.image.width, result.header.orientedWidth)
            && matches(result.image.height, result.header.orientedHeight)
    }

    private func kind(_ fault: ImageFault) -> String {
        switch fault {
        case .unreadable: "unreadable"
        case .empty: "empty"
        case .foreign: "foreign"
        case .tooManyBytes: "too many bytes"
        case .tooManyPixels: "too many pixels"
        case .truncated: "truncated"
        case .corrupt: "corrupt"
        case .unsupported: "unsupported"
        case .notStarted: "not started"
        case .notEncoded: "not encoded"
        case .notStripped: "not stripped"
        }
    }

    private func save(_ bytes: [UInt8], _ path: String) throws(FuzzError) {
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
            throw .notWritten(path: path)
        }
    }

    /// Result of the run, for people.
    var summary: String {
        var lines = ["\(options.count) mutants of \(seedCount) images, seed \(options.seed)", "  decoded: \(decoded)"]
        lines += errors.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
        lines.append("  longest: \(worst.time) (mutant \(worst.index))")
        if !options.ignoresMemory {
            lines.append("  most memory: \(peakGrowth >> 20) MiB of \(memoryLimit >> 20) MiB allowed")
        }
        lines.append(findings.isEmpty ? "nothing found" : "found \(findings.count):")
        return (lines + findings.map { "  " + $0 }).joined(separator: "\n")
    }
}

extension ProcessMemory {
    /// Lets the address space grow by no more than `bytes` from now on: an allocation beyond that ends the process.
    fileprivate static func limitGrowth(to bytes: Int) {
        #if os(Linux)
        // The first field: pages of the address space (Linux, Documentation/filesystems/proc.rst, "statm").
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        guard let pages = fields?.first.flatMap({ Int($0) }) else { return }
        let most = rlim_t(pages * Int(getpagesize()) + bytes)
        var limit = rlimit(rlim_cur: most, rlim_max: most)
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        #endif
    }
}
