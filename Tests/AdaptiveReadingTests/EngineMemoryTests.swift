import AdaptiveReading
import OpenVINOEngine
import Raster
import ScanningPolicies
import SpineReaders
import Testing
import TextRecognition

/// The real engine, and what the process really holds.
@Suite(.serialized, .enabled(if: PipelineSettings.fast.problem == nil, "the models are not there: run 'make setup'"))
struct EngineMemoryTests {
    private func manager() -> ModelManager<any SpineTextReader> {
        ModelManager(
            [
                .init(name: "reader", isCritical: true, memoryBytes: 300_000_000) { quality in
                    var settings = PipelineSettings(quality)
                    // What precision is quickest is not to the point, and would be timed first.
                    settings.precision = .f32
                    let pipeline = try settings.load()
                    try pipeline.prepare()
                    return pipeline.scanner.reader
                }
            ],
            giveBack: OpenVINOEngine.giveBackMemory
        )
    }

    @Test func unloadingAReaderGivesItsMemoryBackAndLoadingItAgainTakesNoMore() async throws {
        let manager = manager()
        let image = RasterImage(width: 600, height: 64, channels: 1, pixels: Array(repeating: 200, count: 600 * 64))
        // What OpenVINO itself takes, once in a process.
        _ = try await manager.use("reader", at: .low) { try $0.read(image).lines.count }
        await manager.unload("reader")
        let floor = try #require(ResidentMemory.bytes())
        var (after, most) = ([Int](), 0)
        for _ in 0..<3 {
            let load = try await manager.use("reader", at: .low) { try $0.read(image).lines.count }.load
            let loaded = try #require(ResidentMemory.bytes())
            await manager.unload("reader")
            after.append(try #require(ResidentMemory.bytes()))
            let taken = loaded - floor
            most = max(most, taken)
            // Other tests of this process take and give memory meanwhile; a reader is more than all of them.
            #expect(taken > 50_000_000 && loaded - after[after.count - 1] >= taken / 2)
            #expect(try #require(load?.memoryBytes) > 50_000_000)
        }
        // What stays behind twice would be twice what one takes.
        #expect(after[2] - after[0] < most / 2)
    }
}
