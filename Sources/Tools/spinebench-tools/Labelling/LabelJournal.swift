import Basics
import CommandSupport
import Foundation
import Harness
import Imaging
import SpineDatasets
import Systems

/// A person's label of a spine: an answer of the page, and what the journal keeps of it.
struct SpineLabel: Codable, Sendable, Equatable {
    var outline: Quad
    var title: String?
    var author: String?
    var transcription: String
    var orientation: SampleOrientation
    var category: SampleCategory
    var legible: Bool
    /// Nil in an answer.
    var origin: LabelOrigin?
}

/// A line of `labels.jsonl`: one act of a labeller, of which the last one about a spine counts.
struct LabelEntry: Codable, Sendable {
    enum Act: String, Codable, Sendable {
        case label
        /// The outline is not a spine.
        case remove
        /// The spine has no answer again.
        case reopen
        /// A new outline, without an answer yet.
        case outline
        /// Every spine of the photo has an outline, and each its answer.
        case complete
        case incomplete
    }

    /// ISO 8601.
    var at: String
    var by: String
    var photo: String
    var act: Act
    var spine: String?
    var label: SpineLabel?
    /// For an outline: the reader's proposal, and the spine that it follows.
    var proposal: ProposedSpine?
    var after: String?
}

/// A spine of a photo with its answer.
struct LabelSpine: Codable, Sendable {
    var id: String
    var proposal: ProposedSpine
    var isDrawn = false
    var label: SpineLabel?
    var isRemoved = false
}

/// A photo's spines, as its proposal and the journal leave them.
struct PhotoLabels: Sendable {
    var proposal: PhotoProposal
    var spines: [LabelSpine]
    var isComplete = false

    init(_ proposal: PhotoProposal) {
        self.proposal = proposal
        spines = proposal.spines.enumerated().map { LabelSpine(id: "\($0 + 1)", proposal: $1) }
    }

    /// The labelled spines, as samples without a picture.
    var samples: [Sample] { spines.compactMap { spine in spine.label?.sample(id: spine.id, image: "") } }
    /// Whether the photo itself is the only spine.
    var isOneSpine: Bool {
        let left = spines.filter { !$0.isRemoved }
        let whole = Quad(left: 0, top: 0, right: Double(proposal.width), bottom: Double(proposal.height))
        if left.count == 1, left[0].label?.outline ?? left[0].proposal.outline == whole { return true }
        return proposal.isOneSpine && !spines.isEmpty && !spines.contains(where: \.isDrawn)
    }
    /// Whether the photo is a shelf of the dataset.
    var isShelf: Bool { isComplete && !isOneSpine }
    var isInDataset: Bool { isShelf || spines.contains { $0.label != nil } }
    var openCount: Int { spines.count { $0.label == nil && !$0.isRemoved } }

    /// Applies an act; false for one about an unknown spine.
    mutating func apply(_ entry: LabelEntry) -> Bool {
        switch entry.act {
        case .complete, .incomplete: isComplete = entry.act == .complete
        case .outline:
            guard let id = entry.spine, Int32(id) != nil, let proposal = entry.proposal,
                !spines.contains(where: { $0.id == id })
            else {
                return false
            }
            let place = spines.firstIndex { $0.id == entry.after }.map { $0 + 1 } ?? 0
            spines.insert(LabelSpine(id: id, proposal: proposal, isDrawn: true), at: place)
            isComplete = false
        case .label, .remove, .reopen:
            guard let place = spines.firstIndex(where: { $0.id == entry.spine }),
                (entry.label != nil) == (entry.act == .label)
            else { return false }
            (spines[place].label, spines[place].isRemoved) = (entry.label, entry.act == .remove)
            if entry.act == .reopen { isComplete = false }
        }
        return true
    }
}

/// Append-only file of a dataset that is being labelled: each line is on the disk before its act counts.
///
/// One process at a time has it. An incomplete last line, of a process that was killed, was never acknowledged, and is
/// removed; one that lacks only its newline counts.
final class LineJournal<Entry: Codable & Sendable>: Sendable {
    private let path: String
    private let file: FileHandle

    init(_ path: String) throws {
        self.path = path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0o644)
        guard descriptor >= 0 else {
            throw HarnessError.unwritable(path: path, problem: String(cString: strerror(errno)))
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw HarnessError.busy(path: path) }
    }

    /// Releases the file for other processes, also where a program that is just being started has its descriptor still.
    func end() { flock(file.fileDescriptor, LOCK_UN) }

    /// Returns the entries; call it once, before the first `append`.
    func entries() throws -> [Entry] {
        var data = try DatasetError.reading(path) { try file.readToEnd() ?? Data() }
        let whole = data.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        if whole < data.count, (try? JSONDecoder().decode(Entry.self, from: data[whole...])) != nil {
            try add(Data("\n".utf8))
            data.append(UInt8(ascii: "\n"))
        } else if whole < data.count {
            Console.standardError("\(path): the incomplete last line was removed")
            try DatasetError.writing(path) { try file.truncate(atOffset: UInt64(whole)) }
            data = data.prefix(whole)
        }
        return try data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .enumerated().map { number, line in
                do {
                    return try JSONDecoder().decode(Entry.self, from: line)
                } catch {
                    throw DatasetError.fault(
                        "not a record of 'spinebench label': \(error.systemReason); restore the line or remove it",
                        in: path,
                        line: number + 1
                    )
                }
            }
    }

    /// Writes an entry, which is on the disk when this returns.
    func append(_ entry: Entry) throws { try add(try JSONLine.encode(entry)) }

    private func add(_ bytes: Data) throws {
        let end = try DatasetError.writing(path) { try file.seekToEnd() }
        do {
            try file.write(contentsOf: bytes)
            try file.synchronize()
        } catch {
            // The next entry must not follow a part of this one.
            try? file.truncate(atOffset: end)
            throw HarnessError.unwritable(path: path, problem: error.systemReason)
        }
    }
}
