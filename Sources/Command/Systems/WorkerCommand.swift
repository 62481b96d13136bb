package import ArgumentParser
import Basics
import CommandSupport
import Foundation
package import Harness
import OpenVINOEngine

/// The worker that `run` starts for each measurement of a variant of this program.
package struct WorkerCommand: ParsableCommand {
    package static let configuration = WorkerOptions.configuration

    @OptionGroup var options: WorkerOptions

    package init() {}

    package func run() throws { try options.run() }
}

/// Options of a worker, which speaks JSON lines on its standard input and output.
package struct WorkerOptions: ParsableArguments {
    package static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Internal: worker process of 'run'.",
        shouldDisplay: false
    )

    @Option(help: "The variant to load, as JSON.")
    var variant: String

    @Option(help: "Address of the variant's back end.")
    var backEnd: String?

    @OptionGroup var trust: BackEndTrustOptions

    @Option(help: "Folder of temporary files, deleted when the worker ends.")
    var folder: String?

    @Option(
        help:
            "Fault to inject, for checks of the harness: slowdown=10,drop=5, in percent, sockets=1, memory=10, in MB, detection=1, in percent of the samples."
    )
    var plant: InjectedFault?

    package init() {}

    /// The launch of a worker for `variant`; `program`: a `spinebench` to start instead of this program.
    package static func launch(
        _ variant: Variant,
        in environment: ScanEnvironment = ScanEnvironment(),
        program: String? = nil,
        plant: InjectedFault? = nil
    ) -> WorkerLaunch {
        WorkerLaunch(
            executable: program ?? Process.ownProgram,
            // Strings, Booleans and nothing else: encoding cannot fail.
            arguments: ["worker", "--variant", (try? JSONText.line(variant)) ?? ""]
                + (environment.backEnd.map { ["--back-end", $0.address] + $0.trust.arguments } ?? [])
                + (environment.folder.map { ["--folder", $0] } ?? []) + (plant.map { ["--plant", $0.text] } ?? [])
        )
    }

    /// Reads what the harness asks for, until its end.
    package func run() throws {
        let variant = try JSONDecoder().decode(Variant.self, from: Data(variant.utf8))
        let backEnd = backEnd.map { BackEndAddress(address: $0, trust: trust.trust) }
        let environment = ScanEnvironment(backEnd: backEnd, folder: folder)
        // Ctrl-C in a terminal reaches every process of the group: the harness decides whether this one ends.
        signal(SIGINT, SIG_IGN)
        ProcessTree.adoptOrphans()
        // Engines print to standard output as they like. They get standard error instead, and the answers a way of
        // their own.
        let answers = dup(STDOUT_FILENO)
        _ = fcntl(answers, F_SETFD, FD_CLOEXEC)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        // Opened before loading is timed and memory counted, as the system opens what a program is linked with.
        _ = OpenVINOEngine.problem
        let loop = WorkerLoop(input: .standardInput, output: FileHandle(fileDescriptor: answers, closeOnDealloc: true))
        try loop.run(
            load: { report in
                let settings = try ComposedVariant(variant).settings
                // Closed before anything is loaded that could open a connection: a variant without a back end needs
                // none.
                let network = settings.sends || settings.reader != nil ? nil : NetworkGuard.close()
                if settings.reader?.network == .refused, NetworkGuard.close(toCommands: true) == nil {
                    throw HarnessError.configuration("this system cannot refuse the network; remove network=refused")
                }
                var loaded = try settings.load(in: environment, report: report)
                if let plant { loaded.system = FaultySystem(system: loaded.system, fault: plant) }
                if let network { loaded.system = GuardedSystem(loaded.system, network: network) }
                return loaded
            },
            hungUp: {
                // The harness has ended. If a reading hangs, no other process ends this one.
                Thread.sleep(forTimeInterval: 5)
                _exit(1)
            }
        )
    }
}
