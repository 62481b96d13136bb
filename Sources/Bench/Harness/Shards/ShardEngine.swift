package import SpineDatasets

/// A program that starts the tasks of a run, and tells each which one it is by variables of its environment.
package enum ShardEngine: String, Sendable, CaseIterable {
    /// An array job: `sbatch --array=1-64`.
    case slurm
    /// An indexed job: `completionMode: Indexed`.
    case kubernetes

    /// Variables that people set beside the engine's own.
    package enum Variable {
        /// Every index of the whole array, as `1-64`, `0-63:2` or `1,3,5,9`: an index's place in it is its shard.
        package static let list = "SPINEBENCH_SHARD_LIST"
        package static let count = "SPINEBENCH_SHARD_COUNT"
    }

    var index: String {
        switch self {
        case .slurm: "SLURM_ARRAY_TASK_ID"
        case .kubernetes: "JOB_COMPLETION_INDEX"
        }
    }

    /// The shard that an engine's variables name, empty ones counting as missing; `engine` is nil for the one that is
    /// there.
    ///
    /// - Throws: ``HarnessError/configuration(_:)``, rather than guess, with what is missing or does not fit.
    package static func shard(_ variables: [String: String], engine: ShardEngine? = nil) throws(HarnessError) -> Shard {
        let variables = variables.filter { !$0.value.isEmpty }
        let present = allCases.filter { variables[$0.index] != nil }
        guard let engine = engine ?? (present.count == 1 ? present.first : nil) else {
            let names = allCases.map(\.index)
            throw .configuration(
                present.isEmpty
                    ? "--shard auto: no engine names a task here: \(names.joined(separator: " and ")) are not set; give "
                        + "--shard i/n"
                    : "--shard auto: \(names.joined(separator: " and ")) are both set; choose one with --shard slurm "
                        + "or --shard kubernetes"
            )
        }
        let task = ShardTask(engine: engine, variables: variables)
        return try task.shard()
    }
}

private struct ShardTask {
    let engine: ShardEngine
    /// None is empty.
    let variables: [String: String]

    func shard() throws(HarnessError) -> Shard {
        let index = try number(engine.index)
        let stated = try optional(ShardEngine.Variable.count)
        let listed = try listed(index)
        if let listed, let stated, stated != listed.count {
            throw refusal(
                "\(ShardEngine.Variable.count) is \(stated), and \(ShardEngine.Variable.list) has \(listed.count)"
            )
        }
        switch engine {
        case _ where listed != nil: return try checked(listed?.place ?? 0, of: listed?.count ?? 0, index)
        case .kubernetes:
            guard let stated else {
                throw refusal(
                    "\(ShardEngine.Variable.count) is not set, and a pod of Kubernetes cannot know the number of completions; "
                        + "set it to the job's spec.completions"
                )
            }
            return try checked(index + 1, of: stated, index)
        case .slurm: return try ofArray(index, stated)
        }
    }

    /// The index's place in an array without gaps: an index is not a place, and the number of tasks not the last index.
    private func ofArray(_ index: Int, _ stated: Int?) throws(HarnessError) -> Shard {
        let count = try number("SLURM_ARRAY_TASK_COUNT")
        let (first, last) = (try number("SLURM_ARRAY_TASK_MIN"), try number("SLURM_ARRAY_TASK_MAX"))
        let step = try optional("SLURM_ARRAY_TASK_STEP") ?? 1
        if let stated, stated != count {
            throw refusal(
                "SLURM_ARRAY_TASK_COUNT is \(count), and \(ShardEngine.Variable.count) is \(stated): for a part of the array, specify "
                    + "in \(ShardEngine.Variable.list) what all of it is"
            )
        }
        guard first <= 1 || stated != nil else {
            throw refusal(
                "the array begins at \(first): it seems to be a part of one that was submitted before, whose "
                    + "indexes Slurm does not report; name all of them, such as \(ShardEngine.Variable.list)=1-\(last), or, "
                    + "where these are all, their number in \(ShardEngine.Variable.count)"
            )
        }
        guard step >= 1, first <= last, (last - first) / step + 1 == count, (last - first) % step == 0 else {
            throw refusal(
                "the array has gaps: \(count) tasks from \(first) to \(last) in steps of \(step); name all of its indexes, such "
                    + "as \(ShardEngine.Variable.list)=1,3,5,9"
            )
        }
        guard index >= first, (index - first) % step == 0 else {
            throw refusal("\(engine.index) is \(index), which is none of \(first)-\(last):\(step)")
        }
        return try checked((index - first) / step + 1, of: count, index)
    }

    private func checked(_ place: Int, of count: Int, _ index: Int) throws(HarnessError) -> Shard {
        guard let shard = Shard(number: place, of: count) else {
            throw refusal("\(engine.index) is \(index), which does not fit \(count) shards")
        }
        return shard
    }

    /// The index's place in the list, from 1; nil without a list.
    private func listed(_ index: Int) throws(HarnessError) -> (place: Int, count: Int)? {
        let name = ShardEngine.Variable.list
        guard let text = variables[name] else { return nil }
        var all: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let match = part.wholeMatch(of: /([0-9]{1,9})(?:-([0-9]{1,9})(?::([0-9]{1,9}))?)?/),
                case (let first, let last, let step) = (
                    Int(match.1) ?? 0, match.2.flatMap { Int($0) }, match.3.flatMap { Int($0) } ?? 1
                ),
                case let last = last ?? first, first <= last, step >= 1, (last - first) / step < Shard.most
            else { throw refusal("\(name) is \"\(text)\"; expected indexes such as 1,3,5,9 or 0-63:2") }
            all += stride(from: first, through: last, by: step)
        }
        guard Set(all).count == all.count else { throw refusal("\(name) is \"\(text)\" and has an index twice") }
        guard let place = all.firstIndex(of: index) else {
            throw refusal("\(engine.index) is \(index), which \(name) (\(text)) lacks")
        }
        return (place + 1, all.count)
    }

    private func number(_ name: String) throws(HarnessError) -> Int {
        guard let number = try optional(name) else { throw refusal("\(name) is not set; it identifies the shard") }
        return number
    }

    private func optional(_ name: String) throws(HarnessError) -> Int? {
        guard let text = variables[name] else { return nil }
        guard text.wholeMatch(of: /[0-9]{1,9}/) != nil, let number = Int(text) else {
            throw refusal("\(name) is \"\(text)\"; expected a whole number")
        }
        return number
    }

    private func refusal(_ problem: String) -> HarnessError { .configuration("--shard \(engine.rawValue): \(problem)") }
}
