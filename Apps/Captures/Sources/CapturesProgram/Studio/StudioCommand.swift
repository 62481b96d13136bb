package import ArgumentParser
import Basics
import BookCatalogue
import Captures
import CommandSupport
import Foundation
import LocalPages

package struct StudioCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "studio",
        abstract: "Serve a page for your sessions: capture, view, rename, copy, merge, delete.",
        discussion: """
            Open the printed address, on 127.0.0.1; its token locks out other users. Manual: \
            Apps/Captures/README.md#the-page.
            """
    )

    @Option(help: .value("port", "Port of the page; 0 for a free port."))
    var port = 8767

    @Option(help: .value("folder", "Import the files of this folder every few seconds."), completion: .directory)
    var inbox: String?

    @OptionGroup var options: PipelineOptions
    @OptionGroup var store: StoreOptions
    @Option(help: "Library file. (default: that of 'spinebench scan')", completion: .file()) var library: String?

    package init() {}

    package func validate() throws {
        if !(0...65_535).contains(port) { throw ValidationError("Invalid --port \(port): expected 0 to 65535.") }
    }

    package func run() async throws {
        if let inbox, !FileManager.default.isFolder(inbox) {
            throw InputError("--inbox \(inbox): folder not found")
        }
        let (store, configuration) = (try store.open(), try options.configuration())
        let processor = try options.processor()
        let pipeline = try options.pipeline(over: store, processor: processor)
        let camera = LiveLook(search: processor.search, things: processor.things)
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let inbox = inbox.map { Inbox(URL(filePath: $0), store: store) }
        let work = Task { await Self.process(store, pipeline, inbox, wakes) }
        let clock = Task {
            // Captures of other programs do not notify this process.
            while !Task.isCancelled {
                wake.yield()
                try await Task.sleep(for: .seconds(2))
            }
        }
        defer {
            work.cancel()
            clock.cancel()
        }
        try await StudioServer(
            store: store,
            memory: CaptureMemory(over: store),
            wake: { wake.yield() },
            catalogue: options.books(),
            library: { [path = library ?? UserFolder.data() + "/library.sqlite"] in try LibraryStore(path: path) },
            sources: configuration.sources.map { StudioSource(id: $0.name, host: $0.host) },
            camera: camera,
            port: port
        ).run()
        work.cancel()
        await work.value
    }

    private static func process(
        _ store: CaptureStore,
        _ pipeline: CapturePipeline,
        _ inbox: Inbox?,
        _ wakes: AsyncStream<Void>
    ) async {
        for await _ in wakes {
            do {
                for problem in try inbox?.importFiles().compactMap(\.problem) ?? [] {
                    Console.error(PlainLine.of(problem))
                }
                _ = try await pipeline.processWaiting(in: store)
            } catch is CancellationError {
                return
            } catch {
                // A full disk may have room again.
                Console.error("\(error)")
            }
        }
    }
}
