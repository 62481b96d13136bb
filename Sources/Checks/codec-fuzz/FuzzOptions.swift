/// Settings of a run, resolved from the command line.
struct FuzzOptions {
    var count = 10_000
    var seed: UInt64 = 1
    /// The limit given to the codec, and the base of the memory bound.
    var maximumPixels = 4_000_000
    var slowLimit = Duration.seconds(2)
    /// Off under a sanitizer, whose own memory would count.
    var checksMemory = true
    /// Where mutants that found something are kept.
    var keep = "."
    var folders: [String] = []

    static let usage = """
        Usage: codec-fuzz [options] [FOLDER…]

        Damages images in many ways, decodes every one and takes its metadata out: each must decode or fail with a typed
        error, within bounds of time and memory, and be the same picture without its metadata. PNG and JPEG images are
        made in memory; those in the folders, HEIC too, come on top.

          --count N        mutants to decode (10000)
          --seed N         seed of the random choices (1); the same seed and images give the same mutants
          --max-pixels N   the codec's limit on pixels (4000000)
          --slow-ms N      milliseconds that one decoding may take (2000)
          --keep FOLDER    where to write a mutant that found something (the working folder)
          --no-memory      do not bound memory: for runs under a sanitizer or valgrind

        A crash leaves the mutant in FOLDER/codec-fuzz-current. Exit status: 0 nothing found, 1 something found, 2 usage.
        """

    /// Nil when help was asked for.
    init?(_ arguments: [String]) throws(FuzzError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": return nil
            case "--count": count = try Self.number(argument, &rest)
            case "--seed": seed = UInt64(try Self.number(argument, &rest))
            case "--max-pixels": maximumPixels = try Self.number(argument, &rest)
            case "--slow-ms": slowLimit = .milliseconds(try Self.number(argument, &rest))
            case "--no-memory": checksMemory = false
            case "--keep":
                guard let folder = rest.popFirst() else { throw .missingValue(option: argument) }
                keep = folder
            default:
                if argument.hasPrefix("-") { throw .unknownOption(argument) }
                folders.append(argument)
            }
        }
    }

    private static func number(_ option: String, _ rest: inout ArraySlice<String>) throws(FuzzError) -> Int {
        guard let text = rest.popFirst() else { throw .missingValue(option: option) }
        guard let number = Int(text), number >= 0 else { throw .notANumber(option: option, value: text) }
        return number
    }
}

/// Why a run could not begin or go on.
enum FuzzError: Error, CustomStringConvertible {
    case missingValue(option: String)
    case notANumber(option: String, value: String)
    case unknownOption(String)
    case unreadableFolder(String, reason: String)
    case notWritten(path: String)
    case notEncoded(String)

    var description: String {
        switch self {
        case .missingValue(let option): "\(option) needs a value; see --help"
        case .notANumber(let option, let value): "\(option) needs a number from 0, not '\(value)'"
        case .unknownOption(let option): "there is no option \(option); see --help"
        case .unreadableFolder(let path, let reason): "the folder \(path) cannot be read: \(reason)"
        case .notWritten(let path): "cannot write \(path); give a folder with --keep"
        case .notEncoded(let reason): "could not make the images to begin with: \(reason)"
        }
    }
}
