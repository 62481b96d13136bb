import Foundation
import Imaging
import TestSupport
import Testing
import TextRecognition

@testable import OpenVINOEngine

@Suite struct PrecisionTimingsTests {
    private func timings(_ f32: Double, _ bf16: Double) -> PrecisionTimings {
        PrecisionTimings(
            all: [.init(precision: .f32, milliseconds: f32), .init(precision: .bf16, milliseconds: bf16)],
            date: "2026-11-23T08:00:00Z"
        )
    }

    /// A twentieth of 20 ms is 1 ms.
    @Test(
        arguments: [
            (15, 24, .f32), (20, 20, .f32), (20, 19.1, .f32), (20, 18.9, .bf16), (40, 10, .bf16),
        ] as [(Double, Double, InferencePrecision)]
    )
    func quickestIsClearlyQuicker(f32: Double, bf16: Double, expected: InferencePrecision) {
        #expect(timings(f32, bf16).quickest == expected)
    }

    @Test func leastOfEachIsKeptWithoutTheFirstRun() throws {
        var calls: [InferencePrecision] = []
        let taken = try PrecisionTimings.taken(among: [.f32, .bf16], cache: nil) { precision in
            var times = precision == .f32 ? [1, 30, 20, 25, 30, 30, 30, 30] : [1, 9, 9, 9, 9, 9, 8, 9]
            return {
                calls.append(precision)
                return .milliseconds(times.removeFirst())
            }
        }
        #expect(taken.all == timings(20, 8).all)
        // They take turns, so that a slow moment of the machine meets both.
        #expect(calls.prefix(4) == [.f32, .bf16, .f32, .bf16])
    }

    @Test func onePrecisionIsNotTimed() throws {
        let taken = try PrecisionTimings.taken(among: [.f32], cache: nil) { _ in
            { throw OpenVINOError.canvasUnsuitable(NetworkShape(width: 0, height: 0)) }
        }
        #expect(taken.quickest == .f32)
    }

    @Test func timingsAreTakenOnceUntilTheyAreDamaged() throws {
        try withTemporaryFolder { folder in
            var runs = 0
            func take(_ precisions: [InferencePrecision]) throws {
                _ = try PrecisionTimings.taken(among: precisions, cache: "\(folder)/timings.txt") { _ in
                    {
                        runs += 1
                        return .milliseconds(5)
                    }
                }
            }
            try take([.f32, .bf16])
            let first = runs
            try take([.f32, .bf16])
            #expect(runs == first)
            // A processor that knows others.
            try take([.f32, .f16])
            #expect(runs == 2 * first)
            let damaged = ["x", #"{"all":[],"date":""}"#, #"{"all":[{"precision":"f32","milliseconds":0}],"date":""}"#]
            for (index, text) in damaged.enumerated() {
                try write(Array(text.utf8), to: "\(folder)/timings.txt")
                try take([.f32, .f16])
                #expect(runs == (3 + index) * first)
            }
        }
    }
}

@Suite(.enabled(if: RealNetworks.areThere, RealNetworks.reason))
struct PrecisionTests {
    @Test func blobsOfEachPrecisionAreKeptApart() throws {
        try withTemporaryFolder { cache in
            var options = RealNetworks.options
            options.recognizerWidths = [384]
            let line = TextFixture.line.resized(width: 357, height: 48)
            for precision in [InferencePrecision.f32, .auto] {
                options.precision = precision
                let engine = try OpenVINOEngine(
                    models: .ppOCRv6Small,
                    options: options,
                    modelDirectory: try #require(RealNetworks.directory),
                    cacheDirectory: cache
                )
                #expect(try engine.recognizer.recognize([line]).lines.map(\.text) == [TextFixture.text])
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: cache).sorted()
            #expect(files.map { $0.contains("-f32-") } == [false, true])
        }
    }

    @Test func measuredPrecisionIsOneOfTheProcessors() throws {
        try withTemporaryFolder { cache in
            var options = RealNetworks.options
            options.precision = .measured
            options.recognizerWidths = [256]
            let directory = try #require(RealNetworks.directory)
            let engine = try OpenVINOEngine(
                models: .ppOCRv4Mobile,
                options: options,
                modelDirectory: directory,
                cacheDirectory: cache
            )
            let timings = try #require(engine.precisionTimings)
            #expect(engine.precision == timings.quickest)
            #expect(timings.all.map(\.precision) == (try OpenVINOEngine.precisions().filter { $0 != .f16 }))
            let kept = try FileManager.default.contentsOfDirectory(atPath: cache).filter { $0.hasSuffix(".json") }
            // A processor that knows f32 alone has nothing to time.
            #expect(kept.count == (timings.all.count > 1 ? 1 : 0))
        }
    }

    @Test func precisionThatTheProcessorLacksIsRefused() throws {
        let known = try OpenVINOEngine.precisions()
        #expect(known.contains(.f32))
        guard let lacking = [InferencePrecision.bf16, .f16].first(where: { !known.contains($0) }) else { return }
        var options = RealNetworks.options
        options.precision = lacking
        #expect(throws: OpenVINOError.precisionUnknown(lacking, known: known)) {
            try OpenVINOEngine(
                models: .ppOCRv4Mobile,
                options: options,
                modelDirectory: RealNetworks.directory ?? "",
                cacheDirectory: nil
            )
        }
    }
}

@Suite(.enabled(if: RealNetworks.areThere, RealNetworks.reason))
struct OpenVINODirectionClassifierTests {
    @Test func lineIsToldFromItsReverse() throws {
        let classifier = try OpenVINODirectionClassifier(
            options: RealNetworks.options,
            modelDirectory: try #require(RealNetworks.directory),
            cacheDirectory: nil
        )
        // Squeezed from 357 pixels to 192; a short line is padded instead.
        let line = TextFixture.line.resized(width: 357, height: 48)
        let word = try #require(line.cropped(x: 0, y: 0, width: 160, height: 48))
        for picture in [line, word] {
            #expect(try !classifier.isUpsideDown(picture).answer)
            #expect(try classifier.isUpsideDown(picture.rotated(.half)).answer)
        }
    }

    @Test func missingModelSaysHowToGetIt() throws {
        try withTemporaryFolder { folder in
            #expect {
                try OpenVINODirectionClassifier(
                    options: RealNetworks.options,
                    modelDirectory: folder,
                    cacheDirectory: nil
                )
            } throws: { error in
                "\(error)".contains("ppocr-mobile-cls.onnx") && "\(error)".contains("make setup")
            }
        }
    }
}
