import Basics
import Foundation
import Synchronization

/// The process groups that a system's commands run in: their folder, their memory, and their end.
///
/// A guardian, a shell of its own, waits for the end of this process, however it ends: it then kills the groups that
/// are left, and removes the folder. A process that leaves its group and its parent (a daemon) escapes it.
///
/// What a command's processes leave behind becomes a child of a worker: see ``ProcessTree/adoptOrphans()``.
final class ProcessGroups: Sendable {
    /// Folder for files, in memory where the system has a place for that.
    let folder: String
    let files: PictureFiles
    private let guardian: ChildProcess
    private let state = Mutex(State())

    private struct State {
        /// Leaders of the groups, each with the number of its group.
        var leaders: Set<Int32> = []
        /// Processes of the groups at the last scan, and all that were there at the last sample.
        var members: Set<Int32> = []
        var known: Set<Int32> = []
        var scanned: ContinuousClock.Instant?
        var last: MemoryReading?
    }

    /// Time between two scans of all processes of the machine: a scan takes milliseconds.
    private static let scanInterval = Duration.milliseconds(200)
    /// The guardian reads the groups that run, a line for each change; commands have a second to end by themselves.
    private static let guardianScript = """
        while read -r line; do groups=$line; done
        if [ -n "$groups" ]; then sleep 1; kill -KILL $groups; fi
        rm -rf "$0"
        """

    /// - Throws: when the folder cannot be made, or there is no shell.
    init() throws {
        let memory = "/dev/shm"
        let place =
            FileManager.default.isWritableFile(atPath: memory)
            ? memory : FileManager.default.temporaryDirectory.path(percentEncoded: false)
        folder = URL(filePath: place).appending(path: "spinebench-\(UUID().uuidString)").path(percentEncoded: false)
        files = PictureFiles(in: folder)
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        let launch = WorkerLaunch(executable: "/bin/sh", arguments: ["-c", Self.guardianScript, folder])
        guardian = ChildProcess(launch)
        try guardian.start { _ in }
    }

    deinit { try? guardian.input.close() }

    func add(_ leader: ChildProcess) { change { $0.leaders.insert(leader.id) } }

    /// Kills what is left of a command's group, and the processes that its members started.
    func end(_ command: ChildProcess) {
        let leader = command.id
        guard state.withLock({ $0.leaders.contains(leader) }) else { return }
        // Orphans that have ended; Foundation has waited for the leader.
        while !command.isRunning, waitpid(-leader, nil, WNOHANG) > 0 {}
        // Mostly nothing is left of a command that has ended, and the list of all processes takes milliseconds.
        if kill(-leader, 0) == 0 {
            let members = ProcessTree.members(of: ProcessTree.entries(), groups: [leader])
            kill(-leader, SIGKILL)
            for member in members { kill(member, SIGKILL) }
            let reap = DispatchWorkItem { ProcessTree.reap(ProcessTree.entries()) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50), execute: reap)
        }
        change { $0.leaders.remove(leader) }
    }

    private func change(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            let line = state.leaders.sorted().map { "-\($0)" }.joined(separator: " ") + "\n"
            try? guardian.input.write(contentsOf: Data(line.utf8))
        }
    }

    // MARK: Memory

    /// Meter of their readings; between those it also looks for processes that have left their parents.
    var meter: MemoryMeter {
        MemoryMeter(
            read: { self.sample(isScanning: true) },
            sample: { self.sample() },
            resetPeak: { self.resetPeak() }
        )
    }

    /// Returns the sums over all processes of the groups and those that they started: pages that several share count
    /// for each, and the resident peak is the sum of their peaks; the last such sums while none runs, and nil before
    /// there were any.
    @discardableResult
    func sample(isScanning: Bool = false) -> MemoryReading? {
        state.withLock { state in
            let readings = members(&state, isScanning: isScanning).compactMap(ProcessMemory.reading)
            guard !readings.isEmpty else { return state.last }
            func sum(_ level: KeyPath<MemoryReading, MemoryReading.Level?>) -> MemoryReading.Level? {
                let own = readings.compactMap { $0[keyPath: level] }
                guard own.count == readings.count else { return nil }
                let peak = own.reduce(0) { $0 + $1.peak }
                return .init(own.reduce(0) { $0 + $1.bytes }, peak: max(peak, state.last?[keyPath: level]?.peak ?? 0))
            }
            state.last = MemoryReading(resident: sum(\.resident), footprint: sum(\.footprint))
            return state.last
        }
    }

    private func resetPeak() -> Bool {
        state.withLock { state in
            state.last = nil
            // A child may have ended meanwhile.
            return members(&state, isScanning: true).allSatisfy {
                ProcessMemory.resetPeak(of: "\($0)") || ProcessMemory.reading(of: $0) == nil
            }
        }
    }

    /// Returns the leaders and all that they have started: as a child may live for one reading alone, their own lists
    /// are read each time, which takes microseconds.
    ///
    /// A fork has the pages of its parent until it runs a program, mostly within a millisecond: it counts from its second
    /// sample on.
    private func members(_ state: inout State, isScanning: Bool) -> Set<Int32> {
        if isScanning || !ProcessTree.listsChildren,
            state.scanned.map({ $0.duration(to: .now) >= Self.scanInterval }) ?? true
        {
            let entries = ProcessTree.entries()
            state.members = ProcessTree.members(of: entries, groups: state.leaders)
            state.scanned = .now
            ProcessTree.reap(entries)
        }
        let family = ProcessTree.family(of: state.members.union(state.leaders), children: ProcessTree.children)
        let new = family.subtracting(state.known).subtracting(state.leaders)
        state.known = family
        return family.subtracting(new.filter { ProcessTree.entry(of: "\($0)")?.isFork == true })
    }
}

/// Files in which commands find pictures; they are used again, as new pages cost more than the copy.
final class PictureFiles: Sendable {
    private let folder: String
    private let state = Mutex((count: 0, free: [String: [File]]()))

    private struct File {
        var path: String
        var handle: FileHandle
    }

    init(in folder: String) { self.folder = folder }

    /// Calls `body` with the path of a file with these bytes, whose name has the ending of `name`.
    func with<Value>(_ bytes: [UInt8], named name: String, _ body: (String) throws -> Value) throws -> Value {
        let parts = name.split(separator: ".")
        let isEnding = parts.count > 1 && parts[parts.count - 1].allSatisfy { $0.isASCII && $0.isLetter }
        let ending = isEnding ? parts[parts.count - 1].lowercased() : "image"
        let file = try free(ending) ?? new(ending)
        defer { state.withLock { $0.free[ending, default: []].append(file) } }
        try file.handle.seek(toOffset: 0)
        try file.handle.write(contentsOf: bytes)
        try file.handle.truncate(atOffset: UInt64(bytes.count))
        return try body(file.path)
    }

    /// Returns a file that no reading uses, and no command has removed.
    private func free(_ ending: String) -> File? {
        state.withLock { $0.free[ending]?.popLast() }.flatMap { access($0.path, W_OK) == 0 ? $0 : nil }
    }

    private func new(_ ending: String) throws -> File {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let path = "\(folder)/\(number).\(ending)"
        try Data().write(to: URL(filePath: path))
        return File(path: path, handle: try FileHandle(forUpdating: URL(filePath: path)))
    }
}
