import Foundation
import TestSupport
import Testing

/// Datasets in a store that speaks S3: moto's server, which checks every signature with botocore, behind a proxy that
/// does damage (`Tests/s3/server.py`).
@Suite(.inTurns, .needsProgram, .needsObjectStore, .serialized)
struct ObjectStoreTests {
    private static let set = URL(filePath: #filePath).appending(path: "../../../Datasets/spines-1").standardizedFileURL
        .path

    private static let reading = [
        "run", "--variants", "tesseract", "--limit", "12", "--repetitions", "1", "--warmup", "1", "--devices", "none",
    ]

    /// Returns a store with the dataset in files and in shards.
    private func withSets(_ body: (Folder, TestStore) throws -> Void) throws {
        try Folder.with { folder in
            let split = try Program.run("dataset", "split", Self.set, "--out", folder("tar"), "--tar", "100")
            #expect(split.code == 0, "\(split.errors)")
            let store = try TestStore(cache: folder("cache"))
            try store.order(["do": "upload", "folder": Self.set, "to": "books/files/spines 1"])
            try store.order(["do": "upload", "folder": folder("tar"), "to": "books/tar"])
            try body(folder, store)
        }
    }

    private func bytes(_ folder: Folder, _ names: [String]) throws -> [Data] {
        try names.map { try Data(contentsOf: URL(filePath: folder($0))) }
    }

    @Test("runs over files and over shards of a store read what one over the folder does, and so do their merged parts")
    func sameBytes() throws {
        try withSets { folder, store in
            let here = try Program.run(Self.reading + ["--dataset", Self.set, "--out", folder("here")])
            #expect([0, 1, 3].contains(here.code), "\(here.errors)")
            // moto takes a signature of a path with a blank for a wrong one, botocore's own too.
            try store.order(["do": "mend", "open": true])
            let place = "s3://books/files/spines 1"
            let files = try store.run(Self.reading + ["--dataset", place, "--out", folder("files")])
            #expect(files.code == here.code, "\(files.errors)")
            _ = try store.requests()
            let tar = try store.run(Self.reading + ["--dataset", "s3://books/tar/", "--out", folder("tar-run")])
            #expect(tar.code == here.code, "\(tar.errors)")
            let whole = try store.requests().filter { $0.path.hasSuffix(".tar") && $0.range == nil }
            #expect(whole.isEmpty, "\(whole)")
            let names = ["accuracy.json", "accuracy.csv"]
            let expected = try bytes(folder, names.map { "here/\($0)" })
            #expect(try bytes(folder, names.map { "files/\($0)" }) == expected)
            #expect(try bytes(folder, names.map { "tar-run/\($0)" }) == expected)

            for (shard, path) in [(1, "s3://books/tar"), (2, place)] {
                _ = try store.requests()
                let outcome = try store.run(
                    Self.reading + ["--dataset", path, "--shard", "\(shard)/2", "--out", folder("\(shard)")]
                )
                #expect(outcome.code == 0, "\(outcome.errors)")
                // The shard's pictures are checked and read; no archive is fetched whole, and the labels are here
                // already.
                let asked = try store.requests().filter { $0.method == "GET" }
                #expect((100..<200).contains(asked.count), "\(asked.count) requests")
                #expect(!asked.contains { $0.range == "bytes=0-8388607" || $0.path.contains("jsonl") })
            }
            let merged = try store.run(
                ["merge", folder("2"), folder("1"), "--dataset", "s3://books/tar", "--out", folder("merged")]
            )
            #expect(merged.code == 0, "\(merged.errors)")
            #expect(try bytes(folder, names.map { "merged/\($0)" }) == expected)
        }
    }

    @Test("of runs that two jobs add to a history in a store at once, one of them killed, each is there once")
    func history() throws {
        try HistoryCommandTests.withRuns(40) { folder, runs in
            let store = try TestStore(cache: folder("cache"))
            // moto does not know how to check signatures of bodies; a unit test compares them with Amazon's.
            try store.order(["do": "put", "to": "history/ci/README.md", "text": "not an entry", "open": true])
            let add = { (runs: [String]) in try store.start(["history", "add"] + runs + ["--to", "s3://history/ci"]) }
            let other = try add(runs.dropFirst(10).reversed())
            for _ in 0..<3 {
                let killed = try add(Array(runs.prefix(20)))
                Thread.sleep(forTimeInterval: Double.random(in: 0.1...0.8))
                kill(killed.processIdentifier, SIGKILL)
                killed.waitUntilExit()
            }
            for process in [other, try add(Array(runs.prefix(20)))] {
                process.waitUntilExit()
                #expect(process.terminationStatus == 0)
            }
            let shown = try store.run(["history", "show", "--from", "s3://history/ci/", "--json"])
            let json = try JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any]
            let times = (json?["runs"] as? [[String: Any]] ?? []).compactMap { $0["time"] as? String }
            #expect(times.count == 40 && Set(times).count == 40, "\(shown.errors)")
        }
    }

    @Test("what the other commands say is what they say of the folder, and labels are fetched once")
    func commands() throws {
        try withSets { folder, store in
            let validated = try Program.run("dataset", "validate", Self.set)
            let statistics = try Program.run("dataset", "stats", Self.set, "--json")
            for path in ["s3://books/tar", "s3://books/tar/"] {
                #expect(try store.run(["dataset", "validate", path]).output == validated.output)
            }
            let stats = try store.run(["dataset", "stats", "s3://books/tar", "--json"])
            #expect(stats.output == statistics.output, "\(stats.errors)")
            let labels = try store.requests().filter { $0.method == "GET" && $0.path == "/books/tar/samples.jsonl" }
            #expect(labels.count == 1, "\(labels)")
            let split = try store.run(["dataset", "split", "s3://books/tar", "--tar", "100", "--out", folder("copy")])
            #expect(split.code == 0, "\(split.errors)")
            let names = ["spines-1-000000.tar", "shards.json", "samples.jsonl", "dataset.json", "CARD.md"]
            #expect(try bytes(folder, names.map { "copy/\($0)" }) == bytes(folder, names.map { "tar/\($0)" }))
            let write = try store.run(["dataset", "digest", "s3://books/tar", "--write"])
            #expect(write.code == 2 && write.errors.contains("copy dataset.json into the store"), "\(write.errors)")
        }
    }

    @Test("an archive that is longer than a block is read once, and its damage is found in any block of it")
    func blocks() throws {
        try Folder.with { folder in
            let shelves = URL(filePath: Self.set).deletingLastPathComponent().appending(path: "shelves-2").path
            let split = try Program.run("dataset", "split", shelves, "--out", folder("tar"), "--tar", "1000")
            #expect(split.code == 0, "\(split.errors)")
            let store = try TestStore(cache: folder("cache"))
            try store.order(["do": "upload", "folder": folder("tar"), "to": "books"])
            // Its digest is stated.
            #expect(try store.run(["dataset", "validate", "s3://books"]).code == 0)
            let name = "shelves-2-000000.tar"
            let ranges = try store.requests().filter { $0.path.hasSuffix(name) }.compactMap(\.range)
            let bytes = try Data(contentsOf: URL(filePath: folder("tar/\(name)")))
            #expect(ranges.prefix(2) == ["bytes=0-8388607", "bytes=8388608-\(bytes.count - 1)"])
            for place in [5_000, (8 << 20) + 5_000] {
                var changed = bytes
                changed[place] ^= 1
                try changed.write(to: URL(filePath: folder("tar/\(name)")))
                try store.order(["do": "upload", "folder": folder("tar"), "to": "books"])
                let outcome = try store.run(["dataset", "validate", "s3://books"])
                #expect(outcome.code == 2, "\(outcome.errors)")
                #expect(outcome.errors.contains("s3://books/\(name): SHA-256 is"), "\(outcome.errors)")
            }
        }
    }

    @Test("eight processes that fetch the same labels at once all find them whole")
    func together() throws {
        try Folder.with { folder in
            let store = try TestStore(cache: folder("cache"))
            try store.order(["do": "upload", "folder": Self.set, "to": "books/set"])
            let processes = try (0..<8).map { _ in try store.start(["dataset", "digest", "s3://books/set"]) }
            for process in processes {
                process.waitUntilExit()
                #expect(process.terminationStatus == 0)
            }
            let kept = try FileManager.default.contentsOfDirectory(atPath: folder("cache/spinebench/s3"))
            #expect(kept.count == 1, "\(kept)")
            // A file is cut there.
            try Data("{".utf8).write(to: URL(filePath: folder("cache/spinebench/s3/\(kept[0])/samples.jsonl")))
            #expect(try store.run(["dataset", "validate", "s3://books/set"]).code == 0)
        }
    }

    @Test("a picture that goes, changes or stops coming between two readings ends the run with its sample's id and key")
    func changedUnderWay() throws {
        try Folder.with { folder in
            let store = try TestStore(cache: folder("cache"))
            let set = "s3://books/set"
            /// Does something to the store when the run has read some.
            func during(
                _ name: String,
                _ settings: [String: String] = [:],
                _ act: @escaping @Sendable () throws -> Void
            ) throws -> Program.Outcome {
                let (acted, isOver) = (DispatchGroup(), DispatchSemaphore(value: 0))
                acted.enter()
                let readings = folder("\(name)/samples.jsonl")
                Thread.detachNewThread {
                    while isOver.wait(timeout: .now()) == .timedOut,
                        (FileManager.default.contents(atPath: readings)?.count ?? 0) < 2_000
                    {
                        usleep(5_000)
                    }
                    try? act()
                    acted.leave()
                }
                let outcome = try store.run(
                    ["run", "--dataset", set, "--variants", "tesseract", "--devices", "none", "--out", folder(name)]
                        + ["--repetitions", "400", "--limit", "2", "--warmup", "0"],
                    settings
                )
                isOver.signal()
                acted.wait()
                return outcome
            }
            try store.order(["do": "upload", "folder": Self.set, "to": "books/set"])
            let key = "books/set/images/spine-00001.jpg"
            let other = try #require(
                try? Data(contentsOf: URL(filePath: "\(Self.set)/images/spine-00002.jpg"))
            ).base64EncodedString()

            let replaced = try during("replaced") { try store.order(["do": "put", "to": key, "base64": other]) }
            #expect(replaced.code == 2, "\(replaced.errors)")
            #expect(
                replaced.errors.contains(
                    "sample \"spine-00001\": s3://books/set: image \"images/spine-00001.jpg\" has changed since it was "
                        + "checked: s3://\(key) was replaced"
                ),
                "\(replaced.errors)"
            )
            // Earlier readings are kept, and all of them are of the earlier picture.
            let texts = Set(
                try folder.lines(of: "replaced/samples.jsonl").filter { $0.contains("\"id\":\"spine-00001\"") }
                    .map { $0.matches(of: /"text":"[^"]*"/).map { String($0.0) } }
            )
            #expect(texts.count == 1, "\(texts)")
            try store.order(["do": "upload", "folder": Self.set, "to": "books/set"])

            let gone = try during("gone") { try store.order(["do": "delete", "to": key]) }
            #expect(gone.code == 2 && gone.errors.contains("\"spine-00001\""), "\(gone.errors)")
            #expect(gone.errors.contains("s3://\(key): object not found"), "\(gone.errors)")
            try store.order(["do": "upload", "folder": Self.set, "to": "books/set"])

            for (kind, words) in [
                ("cut", "sent a truncated answer"), ("hang", "does not answer in time"), ("slow-down", "SlowDown"),
            ] {
                let outcome = try during(kind, kind == "hang" ? TestStore.impatient : [:]) {
                    try store.order(["do": "fault", "on": "spine-00001", "kind": kind])
                }
                #expect(outcome.code == 4, "\(kind): \(outcome.errors)")
                #expect(
                    outcome.errors.contains("sample \"spine-00001\"") && outcome.errors.contains(words)
                        && outcome.errors.contains("--resume"),
                    "\(outcome.errors)"
                )
                try store.order(["do": "mend"])
            }
            let refused = try during("refused") {
                try store.order(["do": "fault", "on": "spine-00001", "kind": "denied"])
            }
            #expect(refused.code == 2 && refused.errors.contains("HTTP 403, AccessDenied"), "\(refused.errors)")
        }
    }

    @Test("a run that waits for a silent store stops when it is told to, and does not wait for the report's pictures")
    func stopped() throws {
        try Folder.with { folder in
            let store = try TestStore(cache: folder("cache"))
            try store.order(["do": "upload", "folder": Self.set, "to": "books/set"])
            let run = try store.start(
                ["run", "--dataset", "s3://books/set", "--variants", "tesseract", "--devices", "none", "--limit", "2"]
                    + ["--repetitions", "400", "--out", folder("run")]
            )
            let readings = folder("run/samples.jsonl")
            while run.isRunning, (FileManager.default.contents(atPath: readings)?.count ?? 0) < 2_000 { usleep(5_000) }
            // Forgotten before the store is silent: the request that hangs may be the last one.
            _ = try store.requests()
            try store.order(["do": "fault", "on": "spine-0000", "kind": "hang"])
            while run.isRunning, try store.requests().isEmpty { usleep(5_000) }
            // The store is waited for an hour: a run that waits for it ends with the suite's limit.
            kill(run.processIdentifier, SIGINT)
            run.waitUntilExit()
            #expect(run.terminationStatus == 130)
        }
    }

    @Test("a store that refuses, lies or is silent is told with the key and what to do, and with the right exit code")
    func faults() throws {
        try withSets { folder, store in
            func told(_ path: String, _ settings: [String: String] = [:]) throws -> (code: Int32, errors: String) {
                let outcome = try store.run(["dataset", "validate", path], settings)
                return (outcome.code, outcome.errors)
            }
            func expect(
                _ outcome: (code: Int32, errors: String),
                _ code: Int32,
                _ words: String...,
                line: Int = #line
            ) {
                #expect(outcome.code == code, "line \(line): \(outcome.errors)")
                for word in words { #expect(outcome.errors.contains(word), "line \(line): \(outcome.errors)") }
            }
            let tar = "s3://books/tar"
            expect(try told("s3://nowhere/x"), 2, "s3://nowhere/x/samples.jsonl: bucket not found: \"nowhere\"")
            expect(try told("s3://books/none"), 2, "s3://books/none/samples.jsonl: object not found")
            expect(try told("s3://"), 2, "s3://: has no bucket")
            expect(try told(tar, ["AWS_SECRET_ACCESS_KEY": "wrong"]), 2, "SignatureDoesNotMatch", "check the keys")
            expect(try told(tar, ["AWS_ACCESS_KEY_ID": "AKIDWRONG"]), 2, "InvalidAccessKeyId")
            expect(try told(tar, ["AWS_ACCESS_KEY_ID": ""]), 2, "AWS_SECRET_ACCESS_KEY: is set alone")
            let nobody = try told(tar, ["AWS_ENDPOINT_URL_S3": "http://127.0.0.1:9"])
            expect(nobody, 4, "connection refused", "try again later")
            let cases: [(kind: String, place: String, code: Int32, words: String)] = [
                ("region", "", 2, "set AWS_REGION=ap-south-1"), ("elsewhere", "", 2, "127.0.0.1:9/stolen (HTTP 307"),
                ("denied", "samples", 2, "AccessDenied"), ("expired", "samples", 4, "renew the session token"),
                ("hang", "samples", 4, "does not answer in time"), ("slow-down", ".tar", 4, "503, SlowDown"),
                ("cut", "000001.tar", 4, "spines-1-000001.tar: "),
                ("whole", "000001.tar", 2, "does not support partial reads (Range)"),
            ]
            for (kind, place, code, words) in cases {
                try store.order(["do": "fault", "on": place, "kind": kind])
                expect(try told(tar, kind == "hang" ? TestStore.impatient : [:]), code, words)
                try store.order(["do": "mend"])
            }
            try store.order(["do": "fault", "on": "000001.tar", "kind": "slow-down", "times": 1])
            try store.order(["do": "fault", "on": "000002.tar", "kind": "cut", "times": 1])
            expect(try told(tar), 0)
            try store.order(["do": "mend"])
            try store.order(["do": "upload", "folder": folder("tar"), "to": "books/open", "open": true])
            let noKeys = ["AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""]
            expect(try told("s3://books/open", noKeys), 0)
            expect(try told(tar, noKeys), 2, "HTTP 403", "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
            let files = "s3://books/files/spines 1"
            try store.order(["do": "fault", "on": "spine-00007.jpg", "kind": "xml", "open": true])
            expect(try told(files), 2, "\(files)/samples.jsonl:7: image images/spine-00007.jpg: found markup")
            try store.order(["do": "put", "to": "books/tar/spines-1-000001.tar", "text": "short", "open": true])
            expect(try told(tar), 2, "\(tar)/spines-1-000001.tar: byte 0: the archive is truncated")
            try store.order(["do": "delete", "to": "books/tar/spines-1-000001.tar", "open": true])
            expect(try told(tar), 2, "\(tar)/spines-1-000001.tar: object not found")
        }
    }
}

/// A running store, in a process that ends with this one.
private final class TestStore: Sendable {
    /// The Python that has moto; nil where none has.
    static let python: String? = {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        return [root.appending(path: ".s3/bin/python").path, "/usr/bin/env"].first { program in
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments = (program.hasSuffix("env") ? ["python3"] : []) + ["-c", "import boto3, moto.server"]
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
    }()

    /// Limit for actions that should take longer than it; anything else may take an hour.
    static let impatient = ["SPINEBENCH_S3_TIMEOUT": "10"]

    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())
    private let environment: [String: String]

    /// Creates a store, and `cache`, the programs' cache folder.
    ///
    /// - Throws: when it cannot be started.
    init(cache: String) throws {
        let python = try #require(Self.python)
        let script = URL(filePath: #filePath).appending(path: "../../s3/server.py").standardizedFileURL.path
        process.executableURL = URL(filePath: python)
        process.arguments = (python.hasSuffix("env") ? ["python3"] : []) + ["-B", script]
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        environment = try #require(try Self.line(of: output) as? [String: String]).merging([
            "XDG_CACHE_HOME": cache, "SPINEBENCH_S3_TIMEOUT": "3600",
        ]) { $1 }
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    @discardableResult
    func order(_ order: [String: any Sendable]) throws -> [String: Any] {
        try input.fileHandleForWriting.write(contentsOf: JSONSerialization.data(withJSONObject: order) + [0x0A])
        return try Self.line(of: output)
    }

    /// Requests since the last call.
    func requests() throws -> [(method: String, path: String, range: String?)] {
        let requests = try #require(try order(["do": "requests"])["requests"] as? [[Any]])
        return requests.map { ("\($0[0])", "\($0[1])", $0[2] as? String) }
    }

    private static func line(of pipe: Pipe) throws -> [String: Any] {
        var line = Data()
        while let byte = try pipe.fileHandleForReading.read(upToCount: 1), byte != Data([0x0A]) {
            guard !byte.isEmpty else { break }
            line += byte
        }
        return try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
    }

    func run(_ arguments: [String], _ settings: [String: String] = [:]) throws -> Program.Outcome {
        try Program.run(arguments, environment: environment.merging(settings) { $1 })
    }

    func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Program.path))
        process.arguments = Program.patient(arguments)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        return process
    }
}

extension Trait where Self == ConditionTrait {
    fileprivate static var needsObjectStore: Self {
        .enabled(if: TestStore.python != nil, "no Python here has moto's server: scripts/setup.sh s3 brings it")
    }
}
