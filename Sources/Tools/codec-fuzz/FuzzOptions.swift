import ArgumentParser

/// Settings of a run, as the command line has them.
struct FuzzOptions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codec-fuzz",
        abstract: "Damage images in many ways, decode each one and remove its metadata.",
        discussion: """
            Each must decode or fail with a typed error, within bounds of time and memory, and be the same picture without its \
            metadata. PNG and JPEG images are made in memory; those in the folders, HEIC too, come on top. The same seed and \
            images give the same mutants. A crash leaves the mutant in FOLDER/codec-fuzz-current.

            Exit status: 0 nothing found, 1 something found, 2 usage.
            """
    )

    @Option(help: "Mutants to decode.")
    var count = 10_000

    @Option(help: "Seed of the random choices.")
    var seed: UInt64 = 1

    @Option(name: .customLong("max-pixels"), help: "The codec's limit on pixels, and the base of the memory bound.")
    var maximumPixels = 4_000_000

    @Option(name: .customLong("slow-ms"), help: "Maximum time of one decoding, in milliseconds.")
    var slowMilliseconds = 2_000

    @Option(help: "The folder where a mutant that found something is written.")
    var keep = "."

    @Flag(name: .customLong("no-memory"), help: "Do not limit memory: for runs under a sanitizer or valgrind.")
    var ignoresMemory = false

    @Argument(help: "Folders of further images.")
    var folders: [String] = []

    func validate() throws {
        guard count >= 0, maximumPixels >= 0, slowMilliseconds >= 0 else {
            throw ValidationError("Invalid --count, --max-pixels or --slow-ms: expected 0 or more.")
        }
    }
}

/// Reason why a run could not begin or continue.
enum FuzzError: Error, CustomStringConvertible {
    case unreadableFolder(String, reason: String)
    case notWritten(path: String)
    case notEncoded(String)

    var description: String {
        switch self {
        case .unreadableFolder(let path, let reason): "the folder \(path) cannot be read: \(reason)"
        case .notWritten(let path): "cannot write \(path); give a folder with --keep"
        case .notEncoded(let reason): "could not create the initial images: \(reason)"
        }
    }
}
