import Basics
import Foundation
import Imaging
import TestSupport
import Testing

/// A hundred faults in a run of the program, twenty of each owner, and whose `errors` says they are.
///
/// Two readers of a user have the pictures of drawn spines, and answer what `fast` and Tesseract read of them; what goes
/// wrong, and where, is drawn from a seed.
@Suite(.tags(.program), .inTurns, .needsProgram) struct PlantedFaultsTests {
    /// A reader of one process: what it does with a picture is in a file named after the picture's SHA-256.
    private static let reader = """
        [ -e "$FOLDER/break" ] && . "$FOLDER/break" && rm "$FOLDER/break"
        echo '{"ready": {}}'
        while read -r line; do
            id=${line#*:}; id=${id%%,*}; image=${line#*'"image":"'}; image=${image%%'"'*}
            key=$(sha256sum < "$image")
            . "$FOLDER/$1/${key%% *}"
            printf '{"id": %s, %s}\\n' "$id" "$answer"
        done
        """

    private static let machine = [
        "kill -9 $$", "kill -TERM $$", "kill -9 $PPID; sleep 60", "head -c 9 /dev/zero > /dev/full || exit 1",
        "answer='\"error\": \"cannot write: No space left on device\"'",
    ]
    private static let ownFaults = [
        "exit 3", "kill -SEGV $$", "kill -ABRT $$", "answer='\"lines\": 7'", "answer='\"error\": \"I do not know\"'",
        said("lorem ipsum dolor sit amet consectetur"), said(""),
    ]

    private static func said(_ text: String) -> String {
        let bytes = (try? JSONEncoder().encode(text)) ?? Data()
        return "answer='\"text\": \(String(decoding: bytes, as: UTF8.self).replacing("'", with: "'\\''"))'"
    }

    @Test(arguments: [1, 2] as [UInt64])
    func aHundredPlantedFaultsAreOwedToTheRightParty(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        try Folder.with { folder in
            let set = try DrawnSpines()
            let drawn = random.shuffled(set.ids)
            let both = drawn.filter { set.isRead($0, "fast") && set.isRead($0, "tesseract") }
            let labels = Array(both.prefix(20))
            let rest = drawn.filter { !labels.contains($0) && set.isRead($0, "fast") }
            var owners = Dictionary(uniqueKeysWithValues: labels.map { ($0, "label") })
            for (place, owner) in ["picture", "machine", "reader", "harness"].enumerated() {
                for id in rest[place * 20..<place * 20 + 20] { owners[id] = owner }
            }
            func planted(_ owner: String) -> [String] { drawn.filter { owners[$0] == owner } }
            let (pictures, machines, readers) = (planted("picture"), planted("machine"), planted("reader"))
            let harness = planted("harness")
            let used = Set(owners.keys).union(rest.prefix(120))

            // What each reader does with a picture.
            var lines: [String] = []
            var breaking = ""
            for id in set.ids where used.contains(id) {
                var (fast, other) = (Self.said(set.text(id, "fast")), Self.said(set.text(id, "tesseract")))
                var (label, bytes) = (set.labels[id] ?? [:], try set.picture(id))
                if let place = labels.firstIndex(of: id) {
                    let wrong: [String: Any] =
                        place < 10
                        ? set.labels[labels[place ^ 1]] ?? [:]
                        : ["title": "Xylophone Quartet", "author": "Zyx Qwfp", "transcription": "Xylophone Quartet"]
                    for key in ["title", "author", "transcription"] { label[key] = wrong[key] }
                } else if let place = machines.firstIndex(of: id) {
                    fast = Self.machine[place % Self.machine.count]
                } else if let place = readers.firstIndex(of: id) {
                    // Also the text of another spine, which it reads there, too.
                    let faults = Self.ownFaults + [Self.said(set.text(rest[119], "fast"))]
                    fast = faults[place % faults.count]
                } else if let place = harness.firstIndex(of: id), place < 4 {
                    fast = "kill -SEGV $PPID; sleep 60"
                } else if let place = pictures.firstIndex(of: id) {
                    let path = folder("set/\(label["image"] ?? "")")
                    switch place % 4 {
                    case 0: breaking += "rm '\(path)'\n"
                    case 1: breaking += "truncate -s 900 '\(path)'\n"
                    case 2: label["legible"] = false
                    default:
                        let size = try ImageCodec.header(of: bytes, name: id)
                        let flat = RasterImage(
                            width: size.orientedWidth,
                            height: size.orientedHeight,
                            channels: 3,
                            filledWith: UInt8(100 + place)
                        )
                        bytes = try ImageCodec.encodePNG(flat)
                    }
                    (fast, other) = (Self.said(""), Self.said(""))
                }
                let name = try #require(label["image"] as? String)
                try folder.write(bytes, to: "set/\(name)")
                let key = SHA256.hex(of: bytes)
                try folder.write(fast, to: "a/\(key)")
                try folder.write(other, to: "b/\(key)")
                lines.append(String(decoding: try JSONSerialization.data(withJSONObject: label), as: UTF8.self))
            }
            try folder.write(lines.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            for name in ["a", "b"] { try folder.write("# \(name)\n" + Self.reader, to: "\(name).sh") }
            try folder.write(breaking, to: "break")

            // The run, in which pictures break after they were checked.
            let pristine = try set.pictures(in: folder)
            let systems = ["a", "b"].flatMap { ["--system", "\($0)=sh \(folder("\($0).sh")) \($0)"] }
            let outcome = try Program.run(
                ["run", "--dataset", folder("set"), "--out", folder("run"), "--repetitions", "1", "--warmup", "0"]
                    + systems,
                environment: ["FOLDER": folder.path]
            )
            #expect([0, 1, 3].contains(outcome.code), "\(outcome.errors)")
            for (path, bytes) in pristine { try folder.write(bytes, to: path) }
            try Self.damage(folder("run/samples.jsonl"), harness.dropFirst(4))

            let errors = try Program.run("errors", folder("run"), "--json")
            try #require(errors.code == 0, "\(errors.errors)")
            struct Errors: Decodable {
                struct Fault: Decodable {
                    var id: String
                    var owner: String
                    var evidence: String
                }
                var faults: [Fault]
            }
            let all = try JSONDecoder().decode([String: Errors].self, from: Data(errors.output.utf8))
            let faults = try #require(all["a"]).faults
            let found = Dictionary(grouping: faults, by: \.id)
            #expect(owners.count == 100)
            for (id, owner) in owners {
                #expect(found[id]?.map(\.owner) == [owner], "\(id): \(found[id] ?? [])")
            }
            // The others are read by this reader, as it was drawn; records of strangers are the harness's.
            #expect(faults.allSatisfy { owners[$0.id] != nil || $0.id.hasPrefix("stranger") && $0.owner == "harness" })
            print(
                "seed \(seed): \(owners.count { found[$0]?.map(\.owner) == [$1] }) of \(owners.count) owners are right"
            )
        }
    }

    /// Loses records of spines, or makes others of them, in turn.
    private static func damage(_ path: String, _ ids: some Collection<String>) throws {
        var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        for (place, id) in ids.enumerated() {
            let found = lines.firstIndex { $0.contains("\"id\":\"\(id)\"") && $0.contains("\"measurement\":\"a\"") }
            let index = try #require(found)
            switch place % 4 {
            case 0: lines.remove(at: index)
            case 1: lines[index] = String(lines[index].prefix(200))
            case 2: lines[index] = lines[index].replacing("\"id\":\"\(id)\"", with: "\"id\":\"stranger-\(place)\"")
            default:
                let isFound = try Regex("\"title\":\\{\"found\":[0-9]+").firstMatch(in: lines[index])
                lines[index].replaceSubrange(try #require(isFound).range, with: "\"title\":{\"found\":0")
            }
        }
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }
}

/// Labels and pictures of `Datasets/spines-1`, and recorded readings of them.
private struct DrawnSpines {
    let ids: [String]
    private(set) var labels: [String: [String: Any]] = [:]
    private var texts: [String: [String: String]] = [:]
    private static let folder = Project.folder.appending(path: "Datasets/spines-1")

    init() throws {
        func objects(_ file: URL) throws -> [[String: Any]] {
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
        }
        let fixture = Project.folder.appending(path: "Tests/SpineDatasetsTests/Fixtures/readings/spines-1.jsonl")
        for object in try objects(fixture) {
            texts[object["id"] as? String ?? ""] = object.compactMapValues { $0 as? String }
        }
        let fields = [
            "id", "image", "category", "title", "author", "transcription", "orientation", "language", "legible",
        ]
        let all = try objects(Self.folder.appending(path: "samples.jsonl"))
        for object in all { labels[object["id"] as? String ?? ""] = object.filter { fields.contains($0.key) } }
        ids = all.compactMap { $0["legible"] as? Bool == true ? $0["id"] as? String : nil }
    }

    func text(_ id: String, _ reader: String) -> String { texts[id]?[reader] ?? "" }

    /// Whether a reading has every word of title and author as it is printed.
    func isRead(_ id: String, _ reader: String) -> Bool {
        let words = Set(FoldedText.words(of: text(id, reader)))
        return ["title", "author"].allSatisfy {
            Set(FoldedText.words(of: labels[id]?[$0] as? String ?? "")).isSubset(of: words)
        }
    }

    func picture(_ id: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Self.folder.appending(path: labels[id]?["image"] as? String ?? "")))
    }

    /// Returns the pictures in a folder by their paths.
    func pictures(in folder: Folder) throws -> [String: [UInt8]] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder("set/images")).map { "set/images/\($0)" }
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, [UInt8](try Data(contentsOf: URL(filePath: folder($0))))) }
        )
    }
}
