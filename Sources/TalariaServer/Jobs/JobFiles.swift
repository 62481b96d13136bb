import Foundation

/// The pictures of open jobs: one folder a job in the temporary directory, and nothing once the job is over (S2-44).
struct JobFiles: Sendable {
    let directory: String

    /// Makes the folder, which only this user can look into.
    ///
    /// - Parameter directory: its path.
    /// - Throws: `TalariaServerError.file`.
    init(directory: String) throws {
        self.directory = directory
        try Self.explaining(directory) {
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
    }

    /// - Parameter job: its id, which this server made: nothing that a client sent is ever part of a path.
    /// - Returns: the path of its folder.
    func folder(of job: String) -> String { "\(directory)/\(job)" }

    /// - Parameters:
    ///   - index: of the photo in its job.
    ///   - job: its id.
    /// - Returns: the photo's path.
    func path(ofPhoto index: Int, job: String) -> String { "\(folder(of: job))/\(index)" }

    /// - Parameter job: its id.
    /// - Throws: `TalariaServerError.file`.
    func makeFolder(of job: String) throws {
        let path = folder(of: job)
        try Self.explaining(path) {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
    }

    /// An empty file for a photo, open for writing.
    ///
    /// - Parameters:
    ///   - index: of the photo in its job.
    ///   - job: its id.
    /// - Returns: the handle.
    /// - Throws: `TalariaServerError.file`.
    func create(photo index: Int, job: String) throws -> FileHandle {
        let path = path(ofPhoto: index, job: job)
        return try Self.explaining(path) {
            guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw TalariaServerError.file(path: path, reason: "cannot be made") }
            return try FileHandle(forWritingTo: URL(filePath: path))
        }
    }

    /// - Parameters:
    ///   - index: of the photo in its job.
    ///   - job: its id.
    /// - Returns: the whole file; nil when it is gone.
    func bytes(ofPhoto index: Int, job: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path(ofPhoto: index, job: job)).map { [UInt8]($0) }
    }

    /// Removes what is there of a job.
    ///
    /// - Parameter job: its id.
    func remove(_ job: String) {
        try? FileManager.default.removeItem(atPath: folder(of: job))
    }

    /// Removes everything that belongs to no open job: what a killed process left behind.
    ///
    /// - Parameter open: the ids of jobs that are to be done still.
    /// - Returns: how many folders were removed.
    /// - Throws: `TalariaServerError.file`.
    func sweep(keeping open: Set<String>) throws -> Int {
        try Self.explaining(directory) {
            let strays = try FileManager.default.contentsOfDirectory(atPath: directory).filter { !open.contains($0) }
            for stray in strays { try FileManager.default.removeItem(atPath: "\(directory)/\(stray)") }
            return strays.count
        }
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
