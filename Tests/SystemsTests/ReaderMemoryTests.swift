import Basics
import Foundation
import Imaging
import OpenVINOEngine
import ScanningPipeline
import ScanningPolicies
import SpineReaders
import TestSupport
import Testing
import TextRecognition

@testable import Systems

/// Released readers free their memory (S3-28): in a separate process, where nothing else takes any.
@Suite(.inTurns, .enabled(if: ReadingSettings.fast.problem == nil, "the models are not there: run 'make setup'"))
struct ReaderMemoryTests {
    @Test func unloadingGivesMemoryBackAndLoadingAgainTakesNoMore() async {
        await #expect(processExitsWith: .success) {
            func megabytes() -> Double { Double(AdaptiveReader.residentBytes() ?? 0) / 1e6 }
            let path = Project.folder.appending(path: "Datasets/spines-1/images/spine-00001.jpg").path
            let image = try ImageCodec.decode(contentsOf: path).image
            var left: [Double] = []
            for quality in [ReadingQuality.high, .medium, .low, .high, .medium, .low] {
                let before = megabytes()
                var reader: (any SpineTextReader)?
                do {
                    let loaded = try ReadingSettings(quality).load()
                    try loaded.prepare()
                    reader = loaded.scanner.reader
                }
                _ = try reader?.read(image)
                let taken = megabytes() - before
                reader = nil
                OpenVINOEngine.giveBackMemory()
                left.append(megabytes())
                // Memory of OpenVINO itself, once in a process, is the first reader's.
                guard left.count > 1 else { continue }
                // About 40 MB for the networks that one spine needs.
                #expect(taken > 25, "\(quality)")
                #expect(before + taken - megabytes() >= taken / 2, "\(quality)")
            }
            // A leak of each reader would be several times the size of one.
            #expect(left[5] - left[1] < 100)
        }
    }
}
