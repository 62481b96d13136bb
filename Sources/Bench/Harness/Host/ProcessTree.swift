import Foundation

/// Processor time of the processes that one started, and of those that they started.
enum ProcessTree {
    /// Process in the kernel's list.
    struct Entry: Equatable {
        var id: Int32
        var parent: Int32
        var group: Int32
        /// Processor time of it and of its children that have ended.
        var seconds: Double
    }

    /// Returns the processor time of all descendants that still run, in seconds; 0 where the system has no list of
    /// processes.
    ///
    /// Those that have ended are in their parents' accounts once these have waited for them. `root` itself is
    /// omitted.
    static func secondsOfDescendants(of root: Int32 = ProcessInfo.processInfo.processIdentifier) -> Double {
        seconds(of: entries(), below: root)
    }

    /// Returns all processes of the machine; none where the system has no list of them.
    static func entries() -> [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { name -> Entry? in
            guard name.first?.isNumber == true, let data = FileManager.default.contents(atPath: "/proc/\(name)/stat")
            else { return nil }
            return parse(String(decoding: data, as: UTF8.self))
        }
    }

    /// Returns the processes of some groups, and those that they started.
    static func members(of entries: [Entry], groups: Set<Int32>) -> Set<Int32> {
        let children = Dictionary(grouping: entries, by: \.parent)
        var members = Set(entries.filter { groups.contains($0.group) }.map(\.id))
        var open = Array(members)
        while let id = open.popLast() {
            for child in children[id] ?? [] where members.insert(child.id).inserted { open.append(child.id) }
        }
        return members
    }

    /// Returns the sum over all processes below one, without itself.
    static func seconds(of entries: [Entry], below root: Int32) -> Double {
        let children = Dictionary(grouping: entries, by: \.parent)
        var (sum, open, seen) = (0.0, [root], Set([root]))
        while let id = open.popLast() {
            for child in children[id] ?? [] where seen.insert(child.id).inserted {
                sum += child.seconds
                open.append(child.id)
            }
        }
        return sum
    }

    /// Returns the entry in the text of `/proc/<pid>/stat`.
    ///
    /// The second field is the program's name in brackets, which may hold brackets and spaces. Times are in USER_HZ,
    /// which is 100 on the architectures that Swift runs on. Source: Linux, man-pages proc_pid_stat(5).
    static func parse(_ text: String) -> Entry? {
        guard let bracket = text.lastIndex(of: ")"), let id = text.split(separator: " ").first.flatMap({ Int32($0) })
        else { return nil }
        let fields = text[text.index(after: bracket)...].split(separator: " ")
        // Fields from the third one: state, parent, group, …; utime, stime, cutime and cstime are the 14th to the 17th of
        // all.
        guard fields.count > 14, let parent = Int32(fields[1]), let group = Int32(fields[2]) else { return nil }
        let times = fields[11...14].compactMap { Double($0).map { $0 / 100 } }
        return times.count == 4 ? Entry(id: id, parent: parent, group: group, seconds: times.reduce(0, +)) : nil
    }
}

/// Processor time of this process.
enum ProcessTime {
    /// Returns the processor time of all threads since the process began, in milliseconds; nil when the system does
    /// not report it.
    static func cpuMilliseconds() -> Double? {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1e6
    }
}
