import Basics
import Foundation
import Imaging
import SpineDatasets

/// Photos by git's digests of them: copies in a folder, and what repositories have, which git checks as it comes.
final class PhotoBlobs {
    /// Why a photo cannot be had, by its digest.
    private(set) var problems: [String: String] = [:]
    private let scratch: URL
    /// Paths of copies by their digest.
    private var copies: [String: String] = [:]

    init(_ photos: [PhotoOrigin], mirror: String?, server: String) throws(DatasetError) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "photos-\(UUID().uuidString)")
        scratch = folder
        try DatasetError.writing(folder.path) {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        }
        try run(["init", "--quiet", "--bare"])
        if let mirror { copies = try copies(in: mirror) }
        var wanted: [String: Set<String>] = [:]
        for photo in photos where copies[photo.blob] == nil {
            wanted[photo.repository, default: []].insert(photo.blob)
        }
        for (repository, blobs) in wanted.sorted(by: { $0.key < $1.key }) {
            fetch(Array(blobs), from: "\(server)\(repository).git")
        }
        guard let mirror else { return }
        let names = Dictionary(grouping: copies, by: { URL(filePath: $0.value).lastPathComponent })
        for photo in Set(photos) where problems[photo.blob] != nil {
            let name = URL(filePath: photo.path).lastPathComponent
            let other = names[name]?.map(\.key).sorted().first
            let what = other.map { "its \(name) has the digest \($0), not \(photo.blob)" } ?? "it has no copy"
            problems[photo.blob] = "\(mirror): \(what); \(problems[photo.blob] ?? "")"
        }
    }

    deinit { try? FileManager.default.removeItem(at: scratch) }

    /// Returns a photo's file.
    func bytes(of photo: PhotoOrigin) throws -> [UInt8] {
        guard let copy = copies[photo.blob] else { return Array(try run(["cat-file", "blob", photo.blob])) }
        return Array(try Data(contentsOf: URL(filePath: copy)))
    }

    /// Gets files from a repository: all at once, or one by one where it lacks some.
    private func fetch(_ blobs: [String], from address: String) {
        let settings = ["http.lowSpeedLimit=1000", "http.lowSpeedTime=60", "fetch.negotiationAlgorithm=noop"]
        let command = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--stdin"]
        do { try run(settings.flatMap { ["-c", $0] } + command + [address], input: blobs) } catch {
            if blobs.count > 1, "\(error)".contains("not our ref") {
                for blob in blobs { fetch([blob], from: address) }
            } else {
                for blob in blobs { problems[blob] = error.systemReason }
            }
        }
    }

    /// Returns the paths of all files below a folder by git's digest.
    private func copies(in folder: String) throws(DatasetError) -> [String: String] {
        guard FileManager.default.isFolder(folder) else {
            throw .operation(path: folder, problem: "not a folder; expected one with copies of the photos")
        }
        let root = URL(filePath: folder).standardizedFileURL
        let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isRegularFileKey])
        let files = (found?.compactMap { $0 as? URL } ?? [])
            .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
            .map(\.path).filter { !$0.contains("\n") }.sorted()
        if files.isEmpty { return [:] }
        let output = try run(["hash-object", "--no-filters", "--stdin-paths"], input: files)
        let digests = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        return Dictionary(zip(digests, files)) { first, _ in first }
    }

    /// Runs git in the empty repository, with lines as its input, and returns its output.
    @discardableResult
    private func run(_ arguments: [String], input: [String] = []) throws(DatasetError) -> Data {
        let (lines, errors) = (scratch.appending(path: "input.txt"), scratch.appending(path: "errors.txt"))
        do {
            for (file, text) in [(lines, input.map { "\($0)\n" }.joined()), (errors, "")] {
                try Data(text.utf8).write(to: file)
            }
            let output = Pipe()
            let process = try Process.start(
                "/usr/bin/env",
                ["GIT_TERMINAL_PROMPT=0", "git", "-C", scratch.path] + arguments,
                input: FileHandle(forReadingFrom: lines),
                output: output,
                errors: FileHandle(forWritingTo: errors)
            )
            let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            if process.terminationStatus == 0 { return bytes }
        } catch {
            throw .operation(path: "git", problem: "cannot be run: \(error.systemReason)")
        }
        let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        let reasons = said.split(separator: "\n")
        let reason = reasons.first { $0.hasPrefix("fatal: ") } ?? reasons.last
        throw .operation(path: "git", problem: reason.map(String.init) ?? "failed")
    }
}
