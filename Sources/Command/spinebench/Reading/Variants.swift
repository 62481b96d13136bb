import SpineReaders
import TextRecognition

/// Every named way of reading that this program was built with.
let readers = ReaderRegistry(
    PipelineBase.all.filter { isBuilt($0.settings.engine) }.map { base in
        ReaderVariant(
            name: base.name,
            engine: base.settings.engine.rawValue,
            summary: base.summary,
            problem: { base.settings.problem },
            load: {
                let pipeline = try base.settings.load()
                return ReaderVariant.Loaded(
                    reader: pipeline.scanner.reader,
                    description: pipeline.description,
                    prepare: pipeline.prepare
                )
            }
        )
    }
)

/// Vision is of its platforms alone; the other engines are told to be missing when they are.
private func isBuilt(_ engine: PipelineSettings.Engine) -> Bool {
    #if canImport(Vision)
    return true
    #else
    return engine != .vision
    #endif
}
