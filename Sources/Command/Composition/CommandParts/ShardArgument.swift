import ArgumentParser
import Foundation
package import Harness
package import SpineDatasets

/// A shard such as `2/7`, the second of seven; or the name of an engine, whose variables contain it.
package enum ShardArgument: ExpressibleByArgument {
    case given(Shard)
    /// Engine; nil for the one whose variables are set.
    case engine(ShardEngine?)

    package init?(argument: String) {
        if argument == "auto" {
            self = .engine(nil)
        } else if let engine = ShardEngine(rawValue: argument) {
            self = .engine(engine)
        } else if let shard = Shard(argument) {
            self = .given(shard)
        } else {
            return nil
        }
    }

    /// Returns the shard; an engine's variables are those of this process.
    package func shard() throws -> Shard {
        switch self {
        case .given(let shard): shard
        case .engine(let engine): try ShardEngine.shard(ProcessInfo.processInfo.environment, engine: engine)
        }
    }
}
