import ArgumentParser
import Basics
import BookCatalogue
import Captures
import CommandSupport
import Foundation
import ScanningPipeline
import SpineReaders
import VisualSearch

struct StoreOptions: ParsableArguments {
    @Option(
        help: "Store file. (default: spinebench/sessions.sqlite in XDG_DATA_HOME or ~/.local/share)",
        completion: .file()
    )
    var store: String?

    /// The file that was named, else the user's own.
    var path: String { store ?? UserFolder.data() + "/sessions.sqlite" }

    /// The option as it was given, for commands that are printed; "" without one.
    var flag: String { store.map { " --store '\($0)'" } ?? "" }

    func open() throws -> CaptureStore { try CaptureStore(path: path) }

    /// Opens a store that is there.
    func openExisting() throws -> CaptureStore {
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError.unusable(path: path, problem: "does not exist; 'captures add' creates it")
        }
        return try CaptureStore(path: path)
    }
}

struct PipelineOptions: ParsableArguments {
    @Option(help: "Reader of pictures: fast or accurate.") var reader = PictureReader.fast

    @Option(help: .value("file", "Catalogue file; “embedded” for the built-in one."))
    var catalogue = BookCatalogue.embeddedName

    @Option(
        help: .value(
            "file",
            "Allowed services (Apps/Captures/README.md#sources). (default: none)"
        ),
        completion: .file()
    )
    var providers: String?

    @Flag(help: "Only find codes, without an engine.")
    var codesOnly = false

    /// Returns the reader of pictures, with its engine loaded.
    func processor() throws -> IntelligenceProcessor {
        guard !codesOnly else { return IntelligenceProcessor(search: nil) }
        if let notice = Installation.firstRunNotice { Console.standardError(notice) }
        let (loaded, catalogue) = (try reader.settings.load(), try books())
        let matcher = try CatalogueMatcher(catalogue: catalogue)
        let pipeline = SpinePipeline(reader: loaded.scanner, shelf: loaded.shelf) { try matcher.match($0, readings: 1) }
        let search = EntitySearch(pipeline, catalogue: catalogue, library: nil)
        return IntelligenceProcessor(search: search, things: ThingNamer(folder: Installation.modelDirectory))
    }

    /// Returns the pipeline over a store; with a processor, nothing is loaded again.
    func pipeline(
        over store: CaptureStore,
        processor: IntelligenceProcessor? = nil
    ) throws -> CapturePipeline {
        let configuration = try configuration()
        // Once a home is named, every later command redacts its address.
        if configuration.home != nil { try store.keep(secrets: configuration.secrets) }
        let ledger = EgressLedger { entry in
            // A line that cannot be saved does not discard the answer.
            guard let line = try? EgressLedger.line(entry) else { return }
            try? store.note(transfer: line)
        }
        return CapturePipeline(
            store: store,
            processor: try processor ?? self.processor(),
            enricher: Enricher(configuration.providers(catalogue: { try books() }) { ledger.note($0) }),
            narrator: configuration.narrator { ledger.note($0) } ?? Self.narrator,
            memory: CaptureMemory(over: store)
        )
    }

    /// The system's language model where there is one, else rules.
    fileprivate static var narrator: any NarrativeGenerator {
        #if canImport(FoundationModels)
        if #available(macOS 26, *), let model = AppleNarrator.make() { return model }
        #endif
        return RuleNarrator()
    }

    /// The option of the sources as it was given, for commands that are printed; "" without one.
    var flag: String { providers.map { " --providers '\($0)'" } ?? "" }

    /// Validates the options before anything is saved or changed.
    func check() throws {
        _ = try configuration()
        // The one inside the program is there; it is made, once, when a book is looked for.
        if catalogue != BookCatalogue.embeddedName { _ = try books() }
    }

    func books() throws -> BookCatalogue {
        try .named(catalogue)
    }

    /// Allowed services, and the home.
    func configuration() throws -> EnrichmentConfiguration {
        guard let providers else { return EnrichmentConfiguration() }
        let bytes = try InputFile.bytes(providers, most: 1 << 20)
        let environment = ProcessInfo.processInfo.environment
        do { return try EnrichmentConfiguration(bytes, name: providers, environment: environment) } catch {
            throw InputError("\(error)")
        }
    }
}

extension CaptureStore {
    /// Describes a session again with its current items; nothing is processed, and no provider is asked.
    func describe(session: UUID) async throws {
        let pipeline = CapturePipeline(
            store: self,
            processor: IntelligenceProcessor(search: nil),
            enricher: Enricher([]),
            narrator: PipelineOptions.narrator
        )
        try await pipeline.describe(session: session)
        // The earlier description may have the words of a deleted item.
        forgetWords()
    }
}

extension CapturePipeline {
    /// Processes the waiting items of a store, those that other processes add meanwhile, and those whose failed sources
    /// are to be asked again.
    ///
    /// - Returns: false when another program processes them.
    func processWaiting(
        in store: CaptureStore,
        onEvent: @escaping EventHandler = { _ in }
    ) async throws -> Bool {
        while try hasWork() {
            guard let lock = try store.beginProcessing() else { return false }
            try await processAll(lock: lock, onEvent: onEvent)
        }
        return true
    }
}

/// Reader of pictures, as `spinebench run` measures it.
enum PictureReader: String, ExpressibleByArgument, CaseIterable {
    case fast
    case accurate

    var settings: ReadingSettings { self == .fast ? .fast : .accurate }
}
