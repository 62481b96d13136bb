import Basics
import Foundation
import Synchronization

/// Dataset in an S3 store: its labels and manifests are also in a local folder, its pictures are not.
package struct ObjectFolder: Sendable {
    /// Name from the caller, without slashes at its end.
    let name: String
    /// Folder of this machine with the labels and manifests as they were when this process first asked for them.
    let labels: String
    private let address: ObjectAddress
    private let store: ObjectStore

    private static let files = ["dataset.json", Labels.samplesFile, Labels.shelvesFile, ShardIndex.file, "CARD.md"]
    /// Most bytes of one of them.
    private static let mostBytes = 8 << 30
    /// Bytes that are asked for at a time; a multiple of a tar archive's blocks.
    fileprivate static let block = 8 << 20

    /// Folders that this process has opened: it sees one state of each.
    private static let opened = Mutex<[ObjectAddress: ObjectFolder]>([:])
    /// Store of the process, from its environment.
    package static let shared = Result { () throws(ObjectStoreError) in
        ObjectStore(try StoreSettings(environment: ProcessInfo.processInfo.environment))
    }

    package static func isAddress(_ path: String) -> Bool { ObjectAddress.isAddress(path) }

    /// Returns the folder with the labels of a dataset: its own unless the dataset is in a store.
    package static func labels(of path: String) throws(DatasetError) -> String {
        isAddress(path) ? try open(path).labels : path
    }

    /// Opens the dataset at an address; labels are fetched unless they are already in the folder.
    static func open(_ path: String) throws(DatasetError) -> ObjectFolder {
        do throws(ObjectStoreError) {
            let address = try ObjectAddress(path)
            if let folder = opened.withLock({ $0[address] }) { return folder }
            let folder = try ObjectFolder(address, in: try shared.get(), cache: cache)
            return opened.withLock { folders in
                let first = folders[address] ?? folder
                folders[address] = first
                return first
            }
        } catch {
            throw DatasetError(error, path)
        }
    }

    private static var cache: String {
        let environment = ProcessInfo.processInfo.environment
        let stated = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return "\(stated ?? "\(NSHomeDirectory())/.cache")/spinebench/s3"
    }

    /// Creates the dataset at an address; each state of each dataset's labels has a separate folder in `cache`.
    init(_ address: ObjectAddress, in store: ObjectStore, cache: String) throws(ObjectStoreError) {
        (name, self.address, self.store) = ("\(address)", address, store)
        let found = Parallel.map(Self.files.count, lanes: Self.files.count) { number in
            Result { () throws(ObjectStoreError) in try store.head(address.appending(Self.files[number])) }
        }
        var heads: [(name: String, head: ObjectStore.Head)] = []
        for (name, head) in zip(Self.files, found) {
            if let head = try head.get() { heads.append((name, head)) }
        }
        guard heads.contains(where: { [Labels.samplesFile, Labels.shelvesFile].contains($0.name) }) else {
            // A response to HEAD does not reveal whether the bucket exists.
            _ = try store.read(address.appending(Labels.samplesFile), 0..<1, limit: 1)
            throw ObjectStoreError(.missing, name, "\(Labels.samplesFile) appeared during the search; start again")
        }
        // Without a version, two states cannot be distinguished.
        let state = heads.map { "\($0.name) \($0.head.size) \($0.head.version ?? UUID().uuidString)\n" }.joined()
        let place = "\(store.settings.endpoint?.absoluteString ?? store.settings.region)\n\(address)\n"
        labels = "\(cache)/\(SHA256.hex(of: Array((place + state).utf8)).prefix(32))"
        guard !isComplete(heads) else { return }
        try fetch(heads, into: cache)
    }

    private func isComplete(_ heads: [(name: String, head: ObjectStore.Head)]) -> Bool {
        heads.allSatisfy { (try? RandomAccessFile("\(labels)/\($0.name)").size) == $0.head.size }
    }

    /// Fetches the files into a draft that gets its name when it is complete: several processes may do so at once.
    private func fetch(_ heads: [(name: String, head: ObjectStore.Head)], into cache: String) throws(ObjectStoreError) {
        let files = FileManager.default
        let draft = "\(cache)/.part-\(UUID().uuidString)"
        defer { try? files.removeItem(atPath: draft) }
        do {
            try files.createDirectory(atPath: draft, withIntermediateDirectories: true)
            for (name, head) in heads { try fetch(name, head, to: "\(draft)/\(name)") }
            if rename(draft, labels) == 0 { return }
            let reason = String(cString: strerror(errno))
            // Another process was faster; or a user has cut a file here.
            if isComplete(heads) { return }
            try? files.removeItem(atPath: labels)
            guard rename(draft, labels) == 0 || isComplete(heads) else {
                throw ObjectStoreError(.unreachable, labels, "cannot be written: \(reason)")
            }
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw ObjectStoreError(.unreachable, cache, "cannot be written: \(error.systemReason); set XDG_CACHE_HOME")
        }
    }

    private func fetch(_ name: String, _ head: ObjectStore.Head, to file: String) throws {
        let address = address.appending(name)
        guard head.size <= Self.mostBytes else {
            let problem = "has \(head.size) bytes; expected at most \(Self.mostBytes) for labels"
            throw ObjectStoreError(.tooLarge, "\(address)", problem)
        }
        try Data().write(to: URL(filePath: file))
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        defer { try? handle.close() }
        var place = 0
        while place < head.size {
            let range = place..<min(place + Self.block, head.size)
            let body = try store.read(address, range, version: head.version, limit: range.count)
            guard body.bytes.count == range.count else {
                throw ObjectStoreError(.changed, "\(address)", "is shorter than before: start again")
            }
            try handle.write(contentsOf: body.bytes)
            place = range.upperBound
        }
    }

    func abandon() { store.abandon() }

    func path(of file: String) -> String { "\(address.appending(file))" }

    /// Returns the bytes of a file, or of a part of one with a total size.
    func bytes(of file: String, _ part: (FilePart, fileSize: Int)?, limit: Int) throws(ObjectStoreError) -> [UInt8] {
        guard let (part, size) = part else { return try store.read(address.appending(file), limit: limit).bytes }
        guard part.length > 0 else { return [] }
        let range = part.offset..<part.offset + min(part.length, limit)
        let body = try store.read(address.appending(file), range, limit: range.count)
        guard body.head.size == size, body.bytes.count == range.count else {
            throw ObjectStoreError(
                .changed,
                path(of: file),
                "has \(body.head.size) bytes, \(ShardIndex.file) states \(size): the archive was changed or truncated"
            )
        }
        return body.bytes
    }

    /// Returns an archive of the dataset, to be read from its start to its end.
    func archive(_ file: String) throws(ObjectStoreError) -> ObjectArchive {
        try ObjectArchive(address.appending(file), in: store)
    }
}

/// An object that is read once, from its start to its end, a block at a time.
final class ObjectArchive: ByteSource {
    let size: Int
    private let address: ObjectAddress
    private let store: ObjectStore
    private let version: String?
    private var block: [UInt8]
    private var start = 0
    private var digest = SHA256()

    fileprivate init(_ address: ObjectAddress, in store: ObjectStore) throws(ObjectStoreError) {
        let body = try store.read(address, 0..<ObjectFolder.block, limit: ObjectFolder.block)
        (self.address, self.store) = (address, store)
        (size, version, block) = (body.head.size, body.head.version, body.bytes)
        digest.update(block)
    }

    /// Returns the bytes of a part that begins in the current block or later.
    func bytes(of part: FilePart) throws -> [UInt8] {
        guard part.offset >= start, part.length >= 0, part.offset <= size, part.length <= size - part.offset else {
            throw POSIXError(.EINVAL)
        }
        var bytes: [UInt8] = []
        while bytes.count < part.length {
            let place = part.offset + bytes.count
            while place >= start + block.count { try readNext() }
            let end = min(start + block.count, part.offset + part.length)
            bytes += block[(place - start)..<(end - start)]
        }
        return bytes
    }

    /// Returns the SHA-256 of the file as hexadecimal digits; the remaining bytes are read for it.
    func sha256() throws -> String {
        while start + block.count < size { try readNext() }
        return digest.hex()
    }

    private func readNext() throws {
        let next = start + block.count
        let range = next..<min(next + ObjectFolder.block, size)
        let body = try store.read(address, range, version: version, limit: range.count)
        guard body.bytes.count == range.count else {
            throw ObjectStoreError(.changed, "\(address)", "is shorter than before: start again")
        }
        (start, block) = (next, body.bytes)
        digest.update(block)
    }
}

extension DatasetError {
    package init(_ error: ObjectStoreError, _ path: String) {
        let isBelow = error.place.hasPrefix(path)
        self =
            error.mayPass
            ? .outage("\(error)")
            : .operation(path: isBelow ? error.place : path, problem: isBelow ? error.problem : "\(error)")
    }
}
