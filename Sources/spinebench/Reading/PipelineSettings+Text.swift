import BenchmarkHarness
import SpineReaders
import TextRecognition

extension PipelineSettings {
    /// Every setting that means something to the engine, by its key: what a variant is written as.
    var texts: [String: String] {
        Dictionary(uniqueKeysWithValues: Self.keys(of: engine).map { ($0.name, $0.text(self)) })
    }

    /// The settings that were written as `texts`.
    ///
    /// - Throws: `SettingFaults` when a key is missing, unknown or means nothing to the engine, or a value is not allowed.
    init(texts: [String: String], name: String) throws(SettingFaults) {
        self = .fast
        var faults = apply(texts)
        for key in Self.keys(of: engine) where texts[key.name] == nil {
            faults.append(SettingFault(key: key.name, problem: "is missing; expected \(key.allowed)"))
        }
        if !faults.isEmpty { throw SettingFaults(base: name, faults: faults) }
    }

    /// These settings with others over them.
    ///
    /// - Throws: `SettingFaults` with all that is wrong.
    func overridden(by texts: [String: String], name: String) throws(SettingFaults) -> PipelineSettings {
        var changed = self
        let faults = changed.apply(texts)
        if !faults.isEmpty { throw SettingFaults(base: name, faults: faults) }
        return changed
    }

    private static func keys(of engine: Engine) -> [PipelineKey] { keys.filter { $0.engines.contains(engine) } }

    /// Sets what can be set and says what cannot.
    private mutating func apply(_ texts: [String: String]) -> [SettingFault] {
        var faults: [SettingFault] = []
        for key in Self.keys {
            guard let text = texts[key.name] else { continue }
            // The engine is the first key: the others are held against the new one.
            if !key.engines.contains(engine) {
                let engines = key.engines.map(\.rawValue).joined(separator: ", ")
                let problem = "means nothing to the engine \(engine.rawValue), only to \(engines)"
                faults.append(SettingFault(key: key.name, problem: problem, isOfKey: true))
            } else if !key.set(&self, text) {
                faults.append(SettingFault(key: key.name, problem: Self.refusal(of: text, for: key)))
            }
        }
        let names = Self.keys(of: engine).map(\.name)
        for name in texts.keys.sorted() where !Self.keys.contains(where: { $0.name == name }) {
            let problem = "there is no such setting; \(NearName.hint(for: name, among: names))"
            faults.append(SettingFault(key: name, problem: problem, isOfKey: true))
        }
        return faults.isEmpty ? contradictions : faults
    }

    private static func refusal(of text: String, for key: PipelineKey) -> String {
        let near = NearName.of(text, among: key.choices).map { "did you mean \"\($0)\"? " } ?? ""
        return "\"\(text)\" is not allowed; \(near)expected \(key.allowed)"
    }

    /// Settings that are allowed one by one and not together.
    private var contradictions: [SettingFault] {
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
