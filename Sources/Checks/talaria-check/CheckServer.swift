import ArgumentParser
import BookCatalogue
import Foundation
import ImageCodec
import Logging
import TalariaServer

/// The back end of the checks that kill one: reads ``SpineCode``s, and keeps its jobs on disk as `talaria` does.
struct CheckServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "Answers for the other checks.",
        shouldDisplay: false
    )

    @Option(help: "Of the job database.")
    var data: String

    @Option(help: "Of the pictures of open jobs.")
    var images: String

    @Option(help: "0 for any free one.")
    var port = 0

    @Option(help: "Gets the address, one line, once it answers.")
    var portFile: String

    @Option(help: "Of the numbered books.")
    var catalogue: String

    func run() async throws {
        var configuration = ServerConfiguration(dataDirectory: data, imageDirectory: images)
        configuration.port = port
        configuration.rateLimits = .none
        configuration.queueLimit = 32
        let server = try TalariaServer(
            configuration: configuration,
            catalogue: BookCatalogue(path: catalogue),
            reader: PhotoReader { bytes, name in
                let image = try ImageCodec.decode(bytes, name: name).image
                guard let code = SpineCode(image) else { throw CheckFailure("\(name) is not one of this check's") }
                return PhotoText(lines: code.lines.map { PhotoText.Line(text: $0) })
            },
            logger: Logger(label: "talaria-check") { _ in SwiftLogNoOpLogHandler() }
        )
        let portFile = portFile
        try await server.run { port in
            let line = "http://127.0.0.1:\(port)\n"
            try? Data(line.utf8).write(to: URL(filePath: portFile), options: .atomic)
        }
    }
}
