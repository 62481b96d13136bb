import BenchmarkHarness
import Foundation
import SpineDatasets

/// Blocking work that holds none of the concurrency runtime's few threads.
enum OwnThread {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}

/// What `--dataset` names.
enum DatasetOption {
    /// A dataset that has something to read.
    static func load(_ path: String) throws -> Dataset {
        let dataset = try DatasetLoader().load(path)
        guard !dataset.samples.isEmpty else {
            throw HarnessError.configuration(
                "\(path) has \(NumberText.count(dataset.shelves.count, "shelf", plural: "shelves")) and no samples.jsonl; "
                    + "pictures of single spines are needed"
            )
        }
        return dataset
    }
}
