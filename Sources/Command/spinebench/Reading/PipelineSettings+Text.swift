import BenchmarkHarness
import SpineReaders
import TextRecognition

extension PipelineSettings: KeyedSettings {
    static let scopeName = "engine"
    static let unset = fast
    var scope: Engine { engine }

    /// Settings that are allowed one by one and not together.
    var contradictions: [SettingFault] {
        var faults: [SettingFault] = []
        if engine == .openVINO, let parallelLines, parallelLines > threads {
            let problem = "\"\(parallelLines)\" is more than the \(threads) threads; expected as many at most"
            faults.append(SettingFault(key: "parallel-lines", problem: problem))
        }
        if let canvases, engine == .openVINO || engine == .tesseractLines {
            // A picture that fits no canvas is shrunk: the look would not be the one that was asked for.
            for look in [reader.firstLook] + reader.furtherLooks {
                let size = CanvasSize(of: look)
                if !canvases.contains(where: { $0.width >= size.width && $0.height >= size.height }) {
                    let problem =
                        "none holds the look \(look.frame.rawValue):\(look.shortSide)x\(look.longSide); "
                        + "it needs \(size.width)x\(size.height), or leave the canvases to the looks"
                    faults.append(SettingFault(key: "canvases", problem: problem))
                }
            }
        }
        return faults
    }
}
