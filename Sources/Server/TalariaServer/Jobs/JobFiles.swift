import Foundation

/// The pictures of open jobs: one folder a job, and nothing once the job is over (S2-44).
///
/// They are in a folder of their own that only this user can look into, and that one process has at a time. Nothing
/// else is ever removed from it: a folder with other content is refused.
struct JobFiles: Sendable {
    static let folderName = "talaria-pictures"

    let directory: String
    /// Function that writes photos' files; tests let it fail.
    var writing: PhotoFile.Write = { Foundation.write($0, $1, $2) }
    let lock: FolderLock

    /// Makes the folder of pictures, or takes up the one that is there.
    ///
    /// - Throws: `TalariaServerError` when it cannot be made, is another server's, or contains files other than a
    ///   job's pictures.
    init(in parent: String, of dataDirectory: String) throws {
        directory = "\(parent)/\(Self.folderName)"
        try FolderLock.makeFolder(parent)
        try FolderLock.makeFolder(directory)
        try Self.checkContent(of: directory)
        lock = try FolderLock(folder: directory)
        let owner = URL(filePath: dataDirectory).standardizedFileURL.resolvingSymlinksInPath().path
        let known = lock.label
        // An owner that has ended needs nothing back: its jobs were removed with its database.
        if !known.isEmpty, known != owner, FileManager.default.fileExists(atPath: "\(known)/\(JobStore.fileName)") {
            throw TalariaServerError.file(path: directory, reason: "it contains the pictures of the jobs in \(known)")
        }
        if known != owner { try lock.write(owner) }
    }

    /// Returns a job's folder; the id was made by this server: a path never contains a client's text.
    func folder(of job: String) -> String { "\(directory)/\(job)" }

    func path(ofPhoto index: Int, job: String) -> String { "\(folder(of: job))/\(index)" }

    func makeFolder(of job: String) throws {
        let path = folder(of: job)
        guard mkdir(path, 0o700) == 0 else { throw TalariaServerError(errno: errno, path: path) }
    }

    /// Returns an empty file for a photo, open for writing.
    func create(photo index: Int, job: String) throws -> PhotoFile {
        try PhotoFile(path: path(ofPhoto: index, job: job), writing: writing)
    }

    /// - Returns: the whole file; nil when it is missing.
    func bytes(ofPhoto index: Int, job: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path(ofPhoto: index, job: job)).map { [UInt8]($0) }
    }

    func remove(_ job: String) { try? FileManager.default.removeItem(atPath: folder(of: job)) }

    /// Removes the pictures of jobs that are not open, left by a killed process.
    func sweep(keeping open: Set<String>) throws -> Int {
        try Self.explaining(directory) {
            let strays = try jobs().filter { !open.contains($0) }
            for stray in strays { try FileManager.default.removeItem(atPath: folder(of: stray)) }
            return strays.count
        }
    }

    /// Returns the ids of jobs that have a folder.
    func jobs() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).filter { UUID(uuidString: $0) != nil }
    }

    private static func checkContent(of directory: String) throws {
        // Not a link: its target may belong to another user.
        let type = try explaining(directory) { try FileManager.default.attributesOfItem(atPath: directory)[.type] }
        guard type as? FileAttributeType == .typeDirectory else {
            throw TalariaServerError.file(path: directory, reason: "it is not a folder")
        }
        let names = try explaining(directory) { try FileManager.default.contentsOfDirectory(atPath: directory) }
        for name in names where name != FolderLock.fileName {
            guard UUID(uuidString: name) != nil, holdsPhotosAlone("\(directory)/\(name)") else {
                throw TalariaServerError.foreignContent(path: directory, name: name)
            }
        }
    }

    /// Returns whether a folder has files with photos' names alone.
    private static func holdsPhotosAlone(_ folder: String) -> Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return false }
        return names.allSatisfy { Int($0) != nil }
    }

    private static func explaining<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as TalariaServerError {
            throw error
        } catch {
            throw TalariaServerError.file(path: path, reason: "\(error)")
        }
    }
}

final class PhotoFile {
    /// Writes as `write(2)` does; tests let it fail.
    typealias Write = @Sendable (CInt, UnsafeRawPointer, Int) -> Int

    private let path: String
    private let writing: Write
    private var descriptor: CInt

    init(path: String, writing: @escaping Write) throws {
        self.path = path
        self.writing = writing
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TalariaServerError(errno: errno, path: path) }
    }

    deinit { if descriptor >= 0 { Foundation.close(descriptor) } }

    /// - Throws: `TalariaServerError.noSpace` when the disk is full, `.file` otherwise.
    func write(contentsOf bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
                let count = writing(descriptor, start, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw TalariaServerError(errno: count == 0 ? ENOSPC : errno, path: path) }
                rest = rest.dropFirst(count)
            }
        }
    }

    func close() throws {
        guard descriptor >= 0 else { return }
        let result = Foundation.close(descriptor)
        descriptor = -1
        if result != 0 { throw TalariaServerError(errno: errno, path: path) }
    }
}
