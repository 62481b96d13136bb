import CNetworkGuard
import Foundation

struct MachineReading: Sendable, Equatable {
    var wallSeconds: Double
    /// Monotonic clock that continues while the machine is suspended.
    var continuousSeconds: Double
    /// Monotonic clock that stops while the machine is suspended.
    var awakeSeconds: Double
    /// Load average of the minute before the first reading: this process itself raises it later.
    var loadAverage: Double?
    /// Processor time of this process and of all that it started, back ends and workers too, whether they still run
    /// or not.
    var ownSeconds: Double
    var processors: ProcessorTimes?

    static func now() -> MachineReading {
        MachineReading(
            wallSeconds: Date().timeIntervalSince1970,
            continuousSeconds: origin.continuous.duration(to: .now).milliseconds / 1_000,
            awakeSeconds: origin.awake.duration(to: .now).milliseconds / 1_000,
            loadAverage: origin.load,
            // RUSAGE_SELF and RUSAGE_CHILDREN, whose types differ from system to system.
            ownSeconds: usage(0) + usage(-1) + ProcessTree.secondsOfDescendants(),
            processors: ProcessorTimes.current()
        )
    }

    private static let origin = {
        var average = 0.0
        let isKnown = getloadavg(&average, 1) == 1
        return (continuous: ContinuousClock.now, awake: SuspendingClock.now, load: isKnown ? average : nil)
    }()

    /// Returns the processor time of this process, or of its children that have ended.
    private static func usage(_ who: Int32) -> Double {
        var usage = rusage()
        guard getrusage(who, &usage) == 0 else { return 0 }
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
}

/// Times of all processors together since the machine was started, in seconds.
struct ProcessorTimes: Sendable, Equatable {
    var busy: Double
    /// Taken by the host of a virtual machine.
    var stolen: Double
    var total: Double

    static func current() -> ProcessorTimes? {
        FileManager.default.contents(atPath: "/proc/stat").flatMap { parse(String(decoding: $0, as: UTF8.self)) }
    }

    /// Parses user, nice, system, idle, iowait, irq, softirq, steal in hundredths of a second (USER_HZ); guests are in
    /// user.
    ///
    /// Source: Linux, Documentation/filesystems/proc.rst, section 1.7.
    static func parse(_ text: String) -> ProcessorTimes? {
        guard let line = text.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
        let times = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0).map { $0 / 100 } }
        guard times.count == 8 else { return nil }
        let busy = times[0] + times[1] + times[2] + times[5] + times[6]
        return ProcessorTimes(busy: busy, stolen: times[7], total: busy + times[3] + times[4] + times[7])
    }
}

package struct Conditions: Sendable, Equatable, Codable {
    /// Duration by a clock that continues while the machine is suspended.
    package var seconds: Double
    /// Difference between the time of day and that clock.
    package var wallJumpSeconds: Double
    package var suspendedSeconds: Double
    /// Load average of the minute before the harness first looked; nil where the system has none.
    package var loadAverageBefore: Double?
    /// Share of all processors' time used by programs that the harness did not start, 0…1; nil when the system does
    /// not report it.
    package var otherShare: Double?
    /// Share of all processors' time that the host took from this virtual machine, 0…1; nil when the system does not
    /// report it.
    package var stealShare: Double?
    package var cores: Int

    init(from first: MachineReading, to last: MachineReading, cores: Int) {
        seconds = last.continuousSeconds - first.continuousSeconds
        wallJumpSeconds = last.wallSeconds - first.wallSeconds - seconds
        // The two clocks are not read at one instant.
        suspendedSeconds = max(0, seconds - (last.awakeSeconds - first.awakeSeconds))
        loadAverageBefore = first.loadAverage
        self.cores = cores
        guard let a = first.processors, let b = last.processors, b.total > a.total else { return }
        let total = b.total - a.total
        let own = last.ownSeconds - first.ownSeconds
        otherShare = min(1, max(0, (b.busy - a.busy - own) / total))
        stealShare = min(1, max(0, (b.stolen - a.stolen) / total))
    }
}

/// Processor time of the processes that one started, and of those that they started.
package enum ProcessTree {
    struct Entry: Equatable {
        var id: Int32
        var parent: Int32
        var group: Int32
        /// Processor time of it and of its children that have ended.
        var seconds: Double
        /// Whether it has not run a program since it was forked.
        var isFork = false
        /// Whether it has ended, and its parent has not waited for it.
        var isEnded = false
    }

    /// Returns the seconds of all descendants that still run, without `root`; 0 where the system has no list of
    /// processes.
    ///
    /// Those that have ended are in their parents' accounts once these have waited for them; of parents that ignore the
    /// ends of their children (SIGCHLD), they are in none.
    static func secondsOfDescendants(of root: Int32 = ProcessInfo.processInfo.processIdentifier) -> Double {
        seconds(of: entries(), below: root)
    }

    /// Returns all processes of the machine; none where the system has no list of them.
    static func entries() -> [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { $0.first?.isNumber == true ? entry(of: $0) : nil }
    }

    /// Makes this process the parent of descendants whose own parents end before them, so that their processor time is
    /// its own, and not another program's (Linux alone).
    ///
    /// For workers: a program that waits for any child of its own would meet these, too.
    package static func adoptOrphans() {
        #if os(Linux)
        adopt_orphans()
        #endif
    }

    /// Waits for adopted processes that have ended, whose times are this process's own from then on.
    ///
    /// Each child that Foundation starts, and waits for, leads a group of its own; others that this process starts are in
    /// its own group.
    static func reap(_ entries: [Entry]) {
        for one in entries where one.isEnded && one.parent == getpid() && ![one.id, getpgrp()].contains(one.group) {
            waitpid(one.id, nil, WNOHANG)
        }
    }

    static func entry(of id: String) -> Entry? {
        FileManager.default.contents(atPath: "/proc/\(id)/stat").flatMap { parse(String(decoding: $0, as: UTF8.self)) }
    }

    /// Returns the processes of some groups, and those that they started.
    static func members(of entries: [Entry], groups: Set<Int32>) -> Set<Int32> {
        family(of: Set(entries.filter { groups.contains($0.group) }.map(\.id)), in: entries)
    }

    static func seconds(of entries: [Entry], below root: Int32) -> Double {
        let family = family(of: [root], in: entries)
        return entries.filter { $0.id != root && family.contains($0.id) }.reduce(0) { $0 + $1.seconds }
    }

    private static func family(of roots: Set<Int32>, in entries: [Entry]) -> Set<Int32> {
        let children = Dictionary(grouping: entries, by: \.parent).mapValues { $0.map(\.id) }
        return family(of: roots) { children[$0] ?? [] }
    }

    /// Returns processes and all that they started; `children` returns what one has started itself.
    static func family(of roots: Set<Int32>, children: (Int32) -> [Int32]) -> Set<Int32> {
        var (family, open) = (roots, Array(roots))
        while let id = open.popLast() {
            for child in children(id) where family.insert(child).inserted { open.append(child) }
        }
        return family
    }

    /// Whether the system lists a process's children: Linux with CONFIG_PROC_CHILDREN.
    static let listsChildren = access("/proc/thread-self/children", R_OK) == 0

    /// Returns the processes that the threads of one have started, in some 10 µs a thread; none where they are not
    /// listed.
    static func children(of id: Int32) -> [Int32] {
        let threads = listsChildren ? (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) : nil
        return (threads ?? []).flatMap { thread in
            let list = FileManager.default.contents(atPath: "/proc/\(id)/task/\(thread)/children") ?? Data()
            return list.split(separator: 0x20).compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
        }
    }

    /// Returns the entry in the text of `/proc/<pid>/stat`, with times in USER_HZ (Linux, man-pages proc_pid_stat(5)).
    ///
    /// The second field is the program's name in brackets, which may hold brackets and spaces.
    static func parse(_ text: String) -> Entry? {
        guard let bracket = text.lastIndex(of: ")"), let id = text.split(separator: " ").first.flatMap({ Int32($0) })
        else { return nil }
        let fields = text[text.index(after: bracket)...].split(separator: " ")
        // Fields from the third one: state, parent, group, …; the 9th of all is flags, of which 0x40 is PF_FORKNOEXEC,
        // and utime, stime, cutime and cstime are the 14th to the 17th.
        guard fields.count > 14, let parent = Int32(fields[1]), let group = Int32(fields[2]) else { return nil }
        let times = fields[11...14].compactMap { Double($0).map { $0 / 100 } }
        guard times.count == 4 else { return nil }
        let isFork = UInt32(fields[6]).map { $0 & 0x40 != 0 } ?? false
        return Entry(
            id: id,
            parent: parent,
            group: group,
            seconds: times.reduce(0, +),
            isFork: isFork,
            isEnded: fields[0] == "Z"
        )
    }
}

enum ProcessTime {
    /// Returns the processor time of all threads since the process began, or of another clock, in milliseconds; nil when
    /// the system does not report it.
    static func cpuMilliseconds(_ clock: clockid_t = CLOCK_PROCESS_CPUTIME_ID) -> Double? {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1e6
    }
}
