import Foundation
package import SpineDatasets

/// `shards` of a merged run's `config.json`: which shards the run was put together from, and where each was read.
package struct MergedShards: Sendable, Equatable, Codable {
    /// One shard.
    package struct Part: Sendable, Equatable, Codable {
        package var shard: Shard
        /// Name of its folder.
        package var folder: String
        package var samples: Int
        package var readings: Int
        package var attempts: [ShardRecord.Attempt]
        package var finishedAt: String
        /// From the start of its first attempt, waiting between attempts included.
        package var seconds: Double
        /// Whether it took more than half as long again as the middle one of three shards or more.
        package var isStraggler: Bool

        package init(
            shard: Shard,
            folder: String,
            samples: Int,
            readings: Int,
            attempts: [ShardRecord.Attempt],
            finishedAt: String,
            seconds: Double
        ) {
            (self.shard, self.folder, self.samples, self.readings) = (shard, folder, samples, readings)
            (self.attempts, self.finishedAt, self.seconds, isStraggler) = (attempts, finishedAt, seconds, false)
        }
    }

    /// Names of the machines, in ascending order: ``SampleRecord/machine`` is an index of them.
    package var machines: [String]
    /// In the order of the shards.
    package var parts: [Part]
    /// Names of the folders that newer attempts of their shards replace.
    package var superseded: [String]

    package init(machines: [String], parts: [Part], superseded: [String]) {
        (self.machines, self.parts, self.superseded) = (machines, parts, superseded)
    }
}

extension ShardRecord.Attempt {
    /// Name of the machine with its fingerprint: machines of one name differ by what they are.
    package var machineName: String { "\(machine) (\(host.fingerprint))" }
}
