import Basics
import Evaluation
import Foundation
import Harness
import SpineDatasets

/// What a recording of `SpineBenchKit` carries beside its readings, for checks.
struct RecordingFacts {
    /// The app that read: its names, and the digest of its program; nil when the file has none.
    struct App: Decodable {
        var identifier: String?
        var version: String?
        var digest: String?
    }

    /// The last line: ECDSA over SHA-256 of all bytes before it.
    struct Signature: Decodable {
        var key: String
        var signature: String
    }

    /// Version of the recorder.
    var version: String?
    /// The system's name of the device's model; nil when the file has none.
    var model: String?
    var isSimulator = false
    var app: App?
    var signature: Signature?
}

/// What a line of a recording carries beside its reading.
struct RecordedReading: Decodable {
    /// SHA-256 of the picture as it was read.
    var picture: String?
    /// Number of the process that recorded, from 1, and the nanoseconds of its clock at the begin and the end of the reading.
    var session: Int?
    var began: Int64?
    var ended: Int64?
}

/// Checks of a recording: what fails or is absent keeps its figures from being measured on a device.
struct RecordingCheck {
    let file: ReadingFile
    let facts: RecordingFacts

    /// The recorder's name in a header, and the versions whose files are known: 1 carries nothing to check.
    static let recorder = "SpineBenchKit"
    private static let versions: Set = ["1", "2"]

    /// Returns the checks that fail or are absent, in words; none when the figures are measured on a device.
    ///
    /// `sample`: The sample of a reading; nil when the dataset has none. `keys`: Keys that the suite names; nil without a
    /// suite.
    func problems(over store: PictureStore, keys: [SigningKey]?, sample: (StatedReading) -> Sample?) -> [String] {
        [
            ("version", version), ("app", app), ("device", device), ("pictures", pictures(store, sample)),
            ("clock", clock), ("thermal states", thermal), ("signature", signature(keys)),
        ].compactMap { name, problem in problem.map { "\(name): \($0)" } }
    }

    private var version: String? {
        guard let version = facts.version else { return "absent" }
        return Self.versions.contains(version) ? nil : "\"\(version.prefix(20))\" is not known"
    }

    private var app: String? {
        guard let app = facts.app, app.version != nil else { return "absent" }
        return app.digest?.wholeMatch(of: /[0-9a-f]{64}/) == nil ? "the digest of its program is absent" : nil
    }

    private var device: String? {
        guard let model = facts.model else { return "absent" }
        if facts.isSimulator { return "a simulator" }
        return Self.isIdentifier(model)
            ? nil : "\"\(model.onOneLine.prefix(40))\" is not the identifier of a phone or tablet, such as iPhone17,1"
    }

    /// Whether a text is a phone's or tablet's name as Apple's systems report it.
    static func isIdentifier(_ model: String) -> Bool {
        model.wholeMatch(of: /(?:iPhone|iPad)[1-9]\d?,[1-9]\d?/) != nil
    }

    private func pictures(_ store: PictureStore, _ sample: (StatedReading) -> Sample?) -> String? {
        var digests: [String: String] = [:]
        return first(of: file.readings) { reading in
            guard let stated = reading.recorded.picture else { return "absent" }
            guard let image = sample(reading)?.image else { return nil }
            if digests[image] == nil {
                digests[image] = (try? store.contents(of: image)).map { SHA256.hex(of: $0) } ?? ""
            }
            return stated == digests[image] ? nil : "the digest is not that of \(image)"
        }
    }

    private var clock: String? {
        var last = (session: 1, ended: Int64(0))
        return first(of: file.readings) { reading in
            let recorded = reading.recorded
            guard let session = recorded.session, let began = recorded.began, let ended = recorded.ended else {
                return "absent"
            }
            defer { last = (session, ended) }
            let earliest = session == last.session ? last.ended : 0
            guard session >= last.session, began >= earliest, ended >= began else { return "goes backwards" }
            let milliseconds = Double(ended - began) / 1e6
            guard let latency = reading.milliseconds, abs(latency - milliseconds) <= 0.001 else {
                return "\(NumberText.short(milliseconds)) ms passed, and the latency is "
                    + (reading.milliseconds.map { "\(NumberText.short($0)) ms" } ?? "absent")
            }
            return nil
        }
    }

    private var thermal: String? { first(of: file.readings) { $0.stated?.thermal == nil ? "absent" : nil } }

    private func signature(_ keys: [SigningKey]?) -> String? {
        guard let signature = facts.signature else { return "absent" }
        guard let keys else { return "not checked without the suite that names its key (--suite)" }
        guard let key = keys.first(where: { $0.text == signature.key }) else { return "its key is none of the suite's" }
        guard let bytes = Data(base64Encoded: signature.signature) else { return "not base64" }
        guard let message = try? Data(contentsOf: URL(filePath: file.path), options: .mappedIfSafe),
            key.verifies(bytes, of: Self.signed(message))
        else { return "does not fit the file: a byte was changed, or it is another file's" }
        return nil
    }

    /// Returns a file's bytes before its last line that is not blank.
    static func signed(_ file: Data) -> Data {
        let end = file.lastIndex { $0 > 0x20 } ?? file.startIndex
        return file[..<end].lastIndex(of: 0x0A).map { file[...$0] } ?? Data()
    }

    /// Returns the problem of the first reading with one, with its line and the number of readings with one.
    private func first(of readings: [StatedReading], _ problem: (StatedReading) -> String?) -> String? {
        var found: (text: String, count: Int)?
        for reading in readings {
            guard let text = problem(reading) else { continue }
            let line = reading.place.line.map { "line \($0): " } ?? ""
            found = (found?.text ?? line + text, (found?.count ?? 0) + 1)
        }
        if readings.isEmpty { return "no reading" }
        return found.map { $0.count == 1 ? $0.text : "\($0.text) (\($0.count) readings)" }
    }
}

extension ReadingFile {
    /// Decides whether its figures are measured on a device, and notes what speaks against it.
    ///
    /// A run's folder has what was checked when it was made; its key is compared with the suite's once more.
    mutating func check(over store: PictureStore, keys: [SigningKey]?, sample: (StatedReading) -> Sample?) {
        if let facts {
            problems = RecordingCheck(file: self, facts: facts).problems(over: store, keys: keys, sample: sample)
            if problems.isEmpty { evidence = .measuredOnDevice }
        } else if evidence == .measuredOnDevice, keys?.contains(where: { $0.text == variant?.origin?.key }) != true {
            (evidence, problems) = (.reportedByRecording, ["signature: its key is none of a suite's (--suite)"])
        } else {
            problems = variant?.origin?.problems ?? []
        }
    }
}
