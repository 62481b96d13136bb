import Basics
import CommandSupport
import Foundation
import Harness
import Imaging
import SpineDatasets
import Systems

/// A photo to label.
struct LabelPhoto: Sendable {
    /// File name, unique among the photos.
    var name: String
    var path: String

    /// Names photos by their files; those of one name are an error, as are copies that would have one in the dataset.
    static func all(_ paths: [String]) throws -> [LabelPhoto] {
        let photos = paths.map { LabelPhoto(name: URL(filePath: $0).lastPathComponent, path: $0) }
            .sorted { ($0.name, $0.path) < ($1.name, $1.path) }
        func refuse(_ groups: some Collection<[LabelPhoto]>, _ problem: String) throws {
            guard let same = groups.first(where: { $0.count > 1 }) else { return }
            throw InputError("\(same[0].path) and \(same[1].path) \(problem)")
        }
        let names = Dictionary(grouping: photos, by: \.name).values
        try refuse(names, "have one name; label them separately, or rename one")
        for alike in Dictionary(grouping: photos, by: { stem($0.name) }).values where alike.count > 1 {
            let copies = Dictionary(grouping: alike) { (try? SHA256.hex(of: $0.bytes())) ?? $0.name }.values
            try refuse(copies, "are one picture, and would have one name in the dataset; remove one")
        }
        return photos
    }

    /// Returns a file's name with dashes for all but ASCII letters and digits, without its extension.
    static func stem(_ name: String) -> String {
        let name = URL(filePath: name).deletingPathExtension().lastPathComponent.prefix(80)
        return String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) ? $0 : "-" })
    }

    func bytes() throws -> [UInt8] { try InputFile.bytes(path, most: DecodingOptions().maximumBytes) }
}

/// The labels of a folder of photos while they are made: every answer is in the journal before it counts.
actor LabelStore {
    let photos: [LabelPhoto]
    let proposer: SpineProposer
    let folder: URL
    let labeller: String
    let isBlind: Bool
    /// Photos with labels that are not among the photos now.
    let missing: [String]
    /// Reason why a photo that was read cannot be stored; nil when all are.
    private(set) var problem: (any Error)?

    private let journal: LineJournal<LabelEntry>
    private let cache: LineJournal<PhotoProposal>
    private var labels: [String: PhotoLabels]
    /// Photos whose file is that of their proposal.
    private var checked: Set<String> = []
    private var wanted = 0
    private var writing: Task<Dataset?, any Error>?

    static let journalName = "labels.jsonl"
    static let cacheName = "proposals.jsonl"

    /// Opens the labels of a dataset's folder, or begins them.
    init(
        _ photos: [LabelPhoto],
        in folder: URL,
        proposer: SpineProposer,
        labeller: String,
        isBlind: Bool
    ) throws {
        (self.proposer, self.folder, self.labeller, self.isBlind) = (proposer, folder, labeller, isBlind)
        let path = folder.appending(path: Self.journalName).path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        if !names.isEmpty, !names.contains(Self.journalName) {
            throw DatasetError.operation(
                path: folder.path,
                problem: "contains other files than those of 'spinebench label'; specify a new folder"
            )
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            let reason = error.systemReason
            if error.systemErrorNumber == ENOSPC { throw HarnessError.unwritable(path: folder.path, problem: reason) }
            throw DatasetError.operation(path: folder.path, problem: "cannot be written: \(reason)")
        }
        journal = try LineJournal(path)
        cache = try LineJournal(folder.appending(path: Self.cacheName).path)
        self.photos = photos
        var labels: [String: PhotoLabels] = [:]
        for proposal in try cache.entries() { labels[proposal.photo] = PhotoLabels(proposal) }
        for (number, entry) in try journal.entries().enumerated() {
            var problem: String?
            if labels[entry.photo]?.apply(entry) != true {
                problem = "the spine is unknown: \(Self.cacheName) was changed or removed; restore it"
            } else if let outline = entry.label?.outline ?? entry.proposal?.outline {
                problem = labels[entry.photo]?.proposal.fault(of: outline).map { "\($0), or restore the line" }
            }
            if let problem { throw DatasetError.fault(problem, in: path, line: number + 1) }
        }
        let known = Set(photos.map(\.name))
        missing = labels.filter { !known.contains($0.key) && $0.value.isInDataset }.keys.sorted()
        self.labels = labels
    }

    /// Releases the folder for other processes; nothing may be answered after it.
    nonisolated func end() {
        journal.end()
        cache.end()
    }

    // MARK: - Reading

    /// Reads the photos without a proposal, the one that is open first, until all are read or one cannot be stored.
    func readAll() async {
        do {
            while !Task.isCancelled, let photo = nextUnread() {
                let proposer = proposer
                let proposal = try await OwnThread.run { proposer.photo(photo) }
                // A photo that could not be read is tried again by the next process.
                if proposal.error == nil { try cache.append(proposal) }
                labels[photo.name] = PhotoLabels(proposal)
                checked.insert(photo.name)
            }
        } catch {
            problem = error
        }
    }

    /// Checks the photos without a proposal, and returns the errors of those that cannot be read.
    func checkUnread(_ depth: SpineProposer.Depth) async throws -> [String] {
        for photo in photos where labels[photo.name] == nil {
            let proposer = proposer
            let checked = try await OwnThread.run { proposer.photo(photo, to: depth) }
            if checked.error != nil { labels[photo.name] = PhotoLabels(checked) }
        }
        return overview().photos.compactMap(\.error)
    }

    private func nextUnread() -> LabelPhoto? {
        (photos[wanted...] + photos[..<wanted]).first { labels[$0.name] == nil }
    }

    func photo(_ number: Int?) throws -> LabelPhoto {
        guard let number, photos.indices.contains(number) else {
            throw InputError("invalid photo: expected 0 to \(photos.count - 1)")
        }
        return photos[number]
    }

    // MARK: - Showing

    struct Overview: Encodable {
        struct Photo: Encodable {
            var name: String
            var isRead: Bool
            var labelled: Int
            var open: Int
            var isComplete: Bool
            var error: String?
        }

        var photos: [Photo]
        var labeller: String
        var isBlind: Bool
        var folder: String
        var warning: [String]
    }

    func overview() -> Overview {
        Overview(
            photos: photos.map { photo in
                let labels = labels[photo.name]
                return Overview.Photo(
                    name: photo.name,
                    isRead: labels != nil,
                    labelled: labels?.samples.count ?? 0,
                    open: labels?.openCount ?? 0,
                    isComplete: labels?.isComplete ?? false,
                    error: labels?.proposal.error
                )
            },
            labeller: labeller,
            isBlind: isBlind,
            folder: folder.path,
            warning: LabelFigures(all.flatMap(\.labels.samples)).sentences
        )
    }

    struct View: Encodable {
        var width: Int
        var height: Int
        var isOneSpine: Bool
        var isComplete: Bool
        var spines: [LabelSpine]
        var error: String?
    }

    /// Returns a photo's spines; nil while it is being read.
    func view(_ number: Int?) async throws -> View? {
        let photo = try photo(number)
        wanted = number ?? 0
        guard let known = labels[photo.name] else { return nil }
        let digest = known.proposal.digest
        if known.proposal.error == nil, checked.insert(photo.name).inserted {
            let now = try await OwnThread.run { SHA256.hex(of: try photo.bytes()) }
            if now != digest {
                checked.remove(photo.name)
                throw InputError("\(photo.name) is another picture than when it was read; restore it, or rename it")
            }
        }
        return labels[photo.name].map { labels in
            View(
                width: labels.proposal.width,
                height: labels.proposal.height,
                isOneSpine: labels.isOneSpine,
                isComplete: labels.isComplete,
                spines: labels.spines.map(shown),
                error: labels.proposal.error
            )
        }
    }

    private func shown(_ spine: LabelSpine) -> LabelSpine {
        var spine = spine
        if isBlind { spine.proposal = ProposedSpine(blank: spine.proposal.outline) }
        return spine
    }

    // MARK: - Answers

    struct Answer: Decodable, Sendable {
        var photo: Int
        var act: LabelEntry.Act
        var spine: String?
        var label: SpineLabel?
        /// Whether the labeller changed anything of the proposal.
        var isCorrected: Bool?
        var seconds: Double?
        /// New outlines, and the spine that they follow.
        var outlines: [Quad]?
        var after: String?
    }

    /// Stores an answer; it is on the disk when this returns.
    func answer(_ answer: Answer) throws {
        let (photo, known) = try read(answer.photo)
        var entry = entry(answer.act, photo)
        entry.spine = answer.spine
        switch answer.act {
        case .complete:
            if known.openCount > 0 { throw InputError("\(known.openCount) spines have no answer yet") }
        case .label:
            guard let spine = known.spines.first(where: { $0.id == answer.spine }), let given = answer.label else {
                throw InputError("invalid label: expected a spine of the photo and its label")
            }
            entry.label = try label(given, of: spine, answer, on: known.proposal, at: entry.at)
        case .remove, .reopen, .incomplete, .outline: break
        }
        try apply(entry)
    }

    /// Stores new outlines with what the reader reads in them, and returns their spines.
    func draw(_ answer: Answer) async throws -> [LabelSpine] {
        let photo = try read(answer.photo).photo
        var added: [LabelSpine] = []
        for outline in (answer.outlines ?? []).prefix(20) {
            let proposer = proposer
            let proposal = try await OwnThread.run { try proposer.spine(outline, on: photo) }
            var entry = entry(.outline, photo)
            entry.spine = "\((try read(answer.photo).labels.spines.compactMap { Int($0.id) }.max() ?? 0) + 1)"
            (entry.proposal, entry.after) = (proposal, added.last?.id ?? answer.after)
            try apply(entry)
            added.append(LabelSpine(id: entry.spine ?? "", proposal: proposal, isDrawn: true))
        }
        return added.map(shown)
    }

    private func read(_ number: Int) throws -> (photo: LabelPhoto, labels: PhotoLabels) {
        let photo = try photo(number)
        guard let known = labels[photo.name] else { throw InputError("\(photo.name) is not read yet") }
        if let error = known.proposal.error { throw InputError("it cannot be labelled: \(error)") }
        return (photo, known)
    }

    private func entry(_ act: LabelEntry.Act, _ photo: LabelPhoto) -> LabelEntry {
        LabelEntry(at: Date.now.formatted(.iso8601), by: labeller, photo: photo.name, act: act)
    }

    private func apply(_ entry: LabelEntry) throws {
        guard var known = labels[entry.photo], known.apply(entry) else {
            throw InputError("the photo has no spine \(entry.spine ?? "of this kind")")
        }
        try journal.append(entry)
        labels[entry.photo] = known
    }

    private func label(
        _ given: SpineLabel,
        of spine: LabelSpine,
        _ answer: Answer,
        on photo: PhotoProposal,
        at time: String
    ) throws -> SpineLabel {
        func text(_ text: String?) -> String? { text.map(PlainText.trimmed).flatMap { $0.isEmpty ? nil : $0 } }
        let kind: LabelOrigin.Kind =
            spine.isDrawn ? .drawn : isBlind ? .typed : answer.isCorrected == true ? .corrected : .confirmed
        var label = given
        (label.title, label.author) = (text(given.title), text(given.author))
        label.transcription = PlainText.trimmed(given.transcription)
        label.origin = LabelOrigin(
            by: labeller,
            at: time,
            kind: kind,
            proposed: spine.proposal.title,
            shown: !isBlind,
            seconds: answer.seconds.flatMap { $0 > 0 ? $0 : nil }
        )
        if label.legible, label.title == nil {
            throw InputError("the title is missing; type it, or mark it illegible")
        }
        if label.legible, label.transcription.isEmpty {
            throw InputError(
                "“All text” is empty; type everything that is printed: character errors are counted against it"
            )
        }
        if let fault = photo.fault(of: label.outline) { throw InputError(fault) }
        let faults = LabelCheck.faults(of: label.sample(id: "1", image: "1.jpg"))
        if let fault = faults.first { throw InputError(fault) }
        return label
    }

    // MARK: - The dataset

    private var all: [(photo: LabelPhoto, labels: PhotoLabels)] {
        photos.compactMap { photo in labels[photo.name].map { (photo, $0) } }
    }

    /// Writes the dataset of all answers, after a write that has begun; nil without any.
    func write(name: String?, licence: String?) async throws -> Dataset? {
        let task = Task { [writing] in
            _ = await writing?.result
            let output = LabelledDataset(
                folder: folder,
                manifest: DatasetManifest(name: name ?? folder.lastPathComponent, licence: licence),
                photos: all,
                unread: photos.map(\.name).filter { labels[$0] == nil },
                missing: missing,
                proposer: proposer
            )
            return try await OwnThread.run {
                var output = output
                return try output.write()
            }
        }
        writing = task
        do { return try await task.value } catch DatasetError.operation(let path, let problem) {
            throw HarnessError.unwritable(path: path, problem: problem.replacing("cannot be written: ", with: ""))
        }
    }
}
