import ArgumentParser
import Foundation
import ImageCodec
import OpenVINOEngine
import Raster
import TextRecognition

struct ReadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "read", abstract: "Read spines.")
    @Argument var paths: [String]
    @Option var models = "/work/main/.deps/models"
    func run() throws {
        let o = OpenVINOOptions(
            threads: 2,
            detectorCanvases: [
                [640, 64], [1024, 64], [640, 96], [1024, 96], [1440, 96], [1024, 160], [160, 1440], [960, 192],
                [192, 1440], [640, 128], [1024, 128], [2048, 128], [192, 640], [128, 640], [256, 1024], [128, 1280],
                [1280, 128], [96, 960], [96, 1280], [96, 640],
            ],
            recognizerWidths: (ProcessInfo.processInfo.environment["W"] ?? "128,224,320,448").split(separator: ",").map
            { Int($0)! }
        )
        let e = try OpenVINOEngine(
            models: .ppOCRv6Small,
            options: o,
            modelDirectory: models,
            cacheDirectory: "/tmp/sbcache"
        )
        let r = SpineReader(
            detector: e.detector,
            recognizer: e.recognizer,
            configuration: SpineReaderConfiguration(
                firstLook: Look(
                    frame: .turned,
                    shortSide: Int(ProcessInfo.processInfo.environment["S"] ?? "64")!,
                    longSide: 1920
                ),
                furtherLooks: (ProcessInfo.processInfo.environment["LOOKS"] ?? "r128").split(separator: ",").map {
                    Look(
                        frame: $0.hasPrefix("t") ? .turned : .asIs,
                        shortSide: Int($0.dropFirst())!,
                        longSide: Int($0.dropFirst())! * 16
                    )
                },
                furtherLooksWhen: ProcessInfo.processInfo.environment["ALWAYS"] != nil ? .always : .whenUnsure,
                searchesGaps: ProcessInfo.processInfo.environment["GAPS"] != nil
            )
        )
        try e.prepare()
        for p in paths {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: p)))
            let c = ContinuousClock()
            let t = c.now
            let d = try ImageCodec.decode(bytes, name: p, options: DecodingOptions())
            let t1 = c.now
            let x = try r.read(d.image)
            if ProcessInfo.processInfo.environment["JS"] != nil {
                struct L: Encodable {
                    let text: String
                    let confidence: Double
                    let quad: Quad
                }
                struct O: Encodable {
                    let path: String
                    let milliseconds: Double
                    let lines: [L]
                    let det: Double
                    let rec: Double
                    let dec: Double
                }
                func ms(_ d: Duration) -> Double { d / .milliseconds(1) }
                let o = O(
                    path: p,
                    milliseconds: ms(t.duration(to: c.now)),
                    lines: x.lines.map { L(text: $0.text, confidence: $0.confidence, quad: $0.quad) },
                    det: ms(x.timings.detectionInference),
                    rec: ms(x.timings.recognitionInference),
                    dec: ms(t.duration(to: t1))
                )
                print(String(decoding: try JSONEncoder().encode(o), as: UTF8.self))
                continue
            }
            print(
                p,
                x.orientation?.rawValue ?? "-",
                t.duration(to: c.now),
                "decode",
                t.duration(to: t1),
                x.timings.detectionInference,
                x.timings.recognitionInference,
                x.timings.total
            )
            for l in x.lines { print("   ", l.text, l.confidence) }
        }
    }
}
