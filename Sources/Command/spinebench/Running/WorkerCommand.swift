import ArgumentParser
import Basics
import CommandParts
import Composition
import Foundation
import Harness

/// The worker that `run` starts for each measurement.
///
/// It speaks JSON lines on its standard input and output.
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Reads for 'run'; not for people.",
        shouldDisplay: false
    )

    @Option(help: "The variant to load, as JSON.")
    var variant: String

    @Option(help: "Where the back end of the variant listens.")
    var backEnd: String?

    @OptionGroup var trust: BackEndTrustOptions

    @Option(help: "A folder for what is kept while the worker runs.")
    var folder: String?

    @Option(
        help:
            "A fault to plant, for checks of the harness: slowdown=10,drop=5, in percent, sockets=1, memory=10, in MB."
    )
    var plant: PlantedFault?

    /// The command line that starts this command for `variant`: in this program unless another is named.
    static func launch(
        _ variant: Variant,
        in environment: ScanEnvironment = ScanEnvironment(),
        program: String? = nil,
        plant: PlantedFault? = nil
    ) -> WorkerLaunch {
        WorkerLaunch(
            executable: program ?? Process.ownProgram,
            // Strings, Booleans and nothing else: encoding cannot fail.
            arguments: ["worker", "--variant", (try? JSONText.line(variant)) ?? ""]
                + (environment.backEnd.map { ["--back-end", $0] } ?? []) + environment.trust.arguments
                + (environment.folder.map { ["--folder", $0] } ?? []) + (plant.map { ["--plant", $0.text] } ?? [])
        )
    }

    func run() throws {
        let variant = try JSONDecoder().decode(Variant.self, from: Data(variant.utf8))
        let environment = ScanEnvironment(backEnd: backEnd, trust: trust.trust, folder: folder)
        // Ctrl-C in a terminal reaches every process of the group: the harness decides what becomes of this one.
        signal(SIGINT, SIG_IGN)
        // Engines print to standard output as they like. They get standard error instead, and the answers a way of their own.
        let answers = dup(STDOUT_FILENO)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        let loop = WorkerLoop(input: .standardInput, output: FileHandle(fileDescriptor: answers, closeOnDealloc: true))
        try loop.run(
            load: {
                let settings = try ComposedVariant(variant).settings
                // Before anything is loaded that could open a connection: one that asks no back end has no business with it.
                let network = settings.sends ? nil : NetworkGuard.close()
                var loaded = try settings.load(in: environment)
                if let plant { loaded.system = PlantedSystem(system: loaded.system, fault: plant) }
                if let network { loaded.system = GuardedSystem(loaded.system, network: network) }
                return loaded
            },
            hungUp: {
                // The harness is gone. If a reading hangs, nobody is left to end this process.
                Thread.sleep(forTimeInterval: 5)
                _exit(1)
            }
        )
    }
}
