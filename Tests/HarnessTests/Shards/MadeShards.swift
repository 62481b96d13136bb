import Basics
import Evaluation
import Foundation
import SpineDatasets
import Testing

@testable import Harness

/// Finished shards of a run over labels without pictures; written line by line, so that there may be millions.
struct MadeShards {
    private(set) var folders: [String] = []
    /// Number of titles in the generated texts.
    private(set) var titlesRead = 0

    /// Returns whether the sample is read; of each ten samples, which are of one photo, the third has other words.
    private static func isRead(_ number: Int) -> Bool { number % 10 != 3 }

    init(samples count: Int, shards: Int, in folder: String) throws {
        let set = "\(folder)/set"
        try FileManager.default.createDirectory(atPath: set, withIntermediateDirectories: true)
        try Self.write("\(set)/\(Labels.samplesFile)", count) { number in
            #"{"id":"\#(Self.id(number))","image":"images/\#(number).jpg","category":"\#(SampleCategory.allCases[number % 4])","#
                + #""title":"Winter Harbour \#(number)","transcription":"Winter Harbour \#(number) Ida Bloom","#
                + #""orientation":"cw","group":"\#(Self.group(number))"}"# + "\n"
        }
        // One sample represents all of them in the configuration: no more fit into memory.
        let one = Sample(
            id: Self.id(0),
            image: "images/0.jpg",
            category: .vertical,
            title: "Winter Harbour 0",
            transcription: "Winter Harbour 0 Ida Bloom",
            orientation: .clockwise
        )
        let dataset = Dataset(
            path: set,
            manifest: DatasetManifest(name: "made", version: "1.0"),
            digest: "sha256:00",
            samples: [one]
        )
        var configuration = RunConfiguration(
            tool: "check",
            datasets: [DatasetReference(dataset)],
            variants: [Variant(name: "made", tier: nil, settings: [:])]
        )
        configuration.repetitions = 1
        let measurement = try #require(configuration.measurements.first).id
        // Groups follow each other in tens: a group's shard is asked for once.
        var members = [[Int32]](repeating: [], count: shards)
        for first in stride(from: 0, to: count, by: 10) {
            let shard = Shard.number(ofGroup: Self.group(first), count: shards) - 1
            members[shard] += (Int32(first)..<Int32(min(first + 10, count)))
        }
        for shard in Shard.all(of: shards) {
            let own = members[shard.number - 1].map(Int.init)
            var record = try ShardRecord(shard, configuration, [dataset])
            record.members = [ShardRecord.Members(dataset: "made", subject: .spines, ids: own.map(Self.id))]
            let path = "\(folder)/shard-\(shard.number)"
            let (work, _) = try ShardFolder.begin(record, at: path, configuration)
            try Self.write("\(work.part)/\(RunFolder.Name.samples)", own.count) { place in
                let number = own[place]
                let text = Self.isRead(number) ? "Winter Harbour \(number)" : "Summer"
                return
                    #"{"id":"\#(Self.id(number))","measurement":"\#(measurement)","milliseconds":\#(20 + number % 97),"#
                    + #""outcome":"read","position":\#(number),"prediction":{"lines":[{"text":"\#(text)"},"#
                    + #"{"confidence":0.97,"text":"Ida Bloom"}]},"repetition":1}"# + "\n"
            }
            _ = try work.finish(configuration)
            folders.append(path)
        }
        titlesRead = (0..<count).count(where: Self.isRead)
    }

    private static func id(_ number: Int) -> String { "spine-\(number)" }

    private static func group(_ number: Int) -> String { "photo-\(number / 10)" }

    private static func write(_ path: String, _ count: Int, _ line: (Int) -> String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        var buffer = Data()
        for number in 0..<count {
            buffer += Data(line(number).utf8)
            guard buffer.count > 1 << 20 || number == count - 1 else { continue }
            try file.write(contentsOf: buffer)
            buffer.removeAll(keepingCapacity: true)
        }
        try file.close()
    }
}
