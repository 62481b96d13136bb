import ArgumentParser
import BenchmarkHarness
import Foundation

/// The worker that `run` starts for each tier.
///
/// It speaks JSON lines on its standard input and output.
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Reads for 'run'; not for people.",
        shouldDisplay: false
    )

    @Option(help: "The tier to load.")
    var tier: String

    /// How to start this command for `tier`, from the program that runs now.
    static func launch(tier: String) -> WorkerLaunch {
        WorkerLaunch(
            executable: Bundle.main.executablePath ?? CommandLine.arguments[0],
            arguments: ["worker", "--tier", tier]
        )
    }

    func run() throws {
        // Ctrl-C in a terminal reaches every process of the group: the harness decides what becomes of this one.
        signal(SIGINT, SIG_IGN)
        // Engines print to standard output as they like. They get standard error instead, and the answers a way of their own.
        let answers = dup(STDOUT_FILENO)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        let loop = WorkerLoop(input: .standardInput, output: FileHandle(fileDescriptor: answers, closeOnDealloc: true))
        try loop.run(
            load: { try TierFactory.makeSystem(tier: tier) },
            hungUp: {
                // The harness is gone. If a reading hangs, nobody is left to end this process.
                Thread.sleep(forTimeInterval: 5)
                _exit(1)
            }
        )
    }
}
