import ArgumentParser
import BookCatalogue
import CommandSupport
import Foundation
import SpineReaders
import TalariaServer

extension ServerLog.Level: ExpressibleByArgument {}

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve requests until SIGTERM or SIGINT.",
        discussion: """
            Prints its address when it is ready. Accepted jobs are completed after a restart with the same --data. \
            Manual: Docs/READING.md#the-back-end.
            """
    )

    @OptionGroup var options: ServerConfiguration

    @Option(help: "File for the address, written when the server is ready.")
    var portFile: String?

    @Option(help: "File of 'spinebench catalogue build'; “embedded” for the built-in one.")
    var catalogue = BookCatalogue.embeddedName

    @Option(help: "JSON file of faults to inject, for tests of clients.")
    var faults: String?

    @Option(help: "Minimum log level.")
    var logLevel = ServerLog.Level.info

    func validate() throws {
        let inputs = [catalogue, faults].compactMap(\.self).compactMap(FileIdentity.init)
        if let portFile, let file = FileIdentity(portFile), inputs.contains(file) {
            throw ValidationError("--port-file \(portFile) is also an input file; specify another output file.")
        }
    }

    func run() async throws {
        let plan = try faults.map(FaultPlan.init(path:))
        let log = ServerLog(from: logLevel, write: Console.standardError)
        if let plan {
            log.warning(
                "FAULT INJECTION IS ON",
                ["faults": plan.names.joined(separator: ", "), "seed": "\(plan.seed)"]
            )
        }
        let reader = try EnginePhotoReader()
        let books = try BookCatalogue.named(catalogue)
        let matcher = try CatalogueMatcher(catalogue: books)
        let server = try TalariaServer(
            configuration: options,
            faults: plan,
            catalogue: books,
            matcher: matcher,
            reader: reader.photoReader(matcher),
            log: log
        )
        try reader.warmUp()
        let (host, portFile) = (options.host, portFile)
        try await server.run { port in
            let line = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)\n"
            StandardOutput.write("talaria listens on \(line)")
            if let portFile { try? Data(line.utf8).write(to: URL(filePath: portFile), options: .atomic) }
        }
    }
}
