import Basics
import Documents
import Foundation
import Harness
import Imaging
import SpineDatasets

/// The dataset of the labels of a folder of photos: only what a person answered is in it.
///
/// Each labelled spine is a sample, a straightened crop of its photo. A photo of shelves whose every spine has its
/// answer is a shelf as well.
struct LabelledDataset: Sendable {
    var folder: URL
    var manifest: DatasetManifest
    var photos: [(photo: LabelPhoto, labels: PhotoLabels)]
    var unread: [String]
    /// Photos with labels that are not among the photos now.
    var missing: [String]
    var proposer: SpineProposer
    /// Photos whose file is that of their proposal.
    var checked: Set<String> = []

    /// Writes the dataset over the one of earlier answers; nil without an answer.
    mutating func write() throws -> Dataset? {
        let answered = photos.filter(\.labels.isInDataset)
        guard !answered.isEmpty else { return nil }
        let old = try? DatasetLoader().load(folder.path)
        var manifest = manifest
        manifest.description = "Labelled with 'spinebench label' by \(labellers); see CARD.md."
        manifest.unfinished = "writing was interrupted; repeat 'spinebench label' with --write"
        try DatasetSeal.write(manifest, to: folder.appending(path: "dataset.json"))
        var (samples, shelves, files) = (Data(), Data(), Set<String>())
        for (photo, labels) in answered {
            for spine in labels.spines {
                guard let label = spine.label else { continue }
                let sample = try sample(of: label, spine.id, on: photo, labels.proposal)
                files.insert(sample.image)
                samples += try JSONLine.encode(SampleLine(sample))
            }
            guard labels.isShelf else { continue }
            let image = try place(photo, labels.proposal, in: "photos")
            files.insert(image)
            let books = labels.spines.compactMap { spine in spine.label?.book(id: "\(labels.proposal.name)-\(spine.id)")
            }
            shelves += try JSONLine.encode(Shelf(id: labels.proposal.name, image: image, books: books))
        }
        try write(samples.isEmpty ? nil : samples, to: Labels.samplesFile)
        try write(shelves.isEmpty ? nil : shelves, to: Labels.shelvesFile)
        try write(Data(card.utf8), to: "CARD.md")
        let dataset = try DatasetSeal.seal(folder, as: manifest) { dataset in
            let now = Date.now.formatted(.iso8601)
            dataset.manifest.mended = old?.mends(leadingTo: dataset, why: "spinebench label", at: now)
        }
        removeOthers(files)
        return dataset
    }

    private mutating func sample(
        of label: SpineLabel,
        _ id: String,
        on photo: LabelPhoto,
        _ proposal: PhotoProposal
    ) throws -> Sample {
        let id = "\(proposal.name)-\(id)"
        let whole = Quad(left: 0, top: 0, right: Double(proposal.width), bottom: Double(proposal.height))
        var sample = label.sample(id: id, image: "")
        if label.outline == whole {
            sample.image = try place(photo, proposal, in: "images")
        } else {
            // A crop of another photo or outline has another name: one that is there is the right one.
            let source = Array(proposal.digest.utf8) + Array(try JSONLine.encode(label.outline))
            sample.image = "images/\(id)-\(SHA256.hex(of: source).prefix(8)).jpg"
            if !exists(sample.image) {
                try check(photo, proposal)
                let crop = try proposer.crop(label.outline, of: photo)
                try write(Data(try ImageCodec.encodeJPEG(crop, quality: 95)), to: sample.image)
            }
        }
        // Photos of one name differ by their content.
        (sample.group, sample.quad) = ("\(proposal.name)-\(proposal.digest.prefix(16))", label.outline)
        return sample
    }

    /// Puts a photo into the dataset without its metadata, and returns its place; HEIC becomes JPEG.
    private mutating func place(_ photo: LabelPhoto, _ proposal: PhotoProposal, in part: String) throws -> String {
        let bytes = try photo.bytes()
        let format = try ImageCodec.header(of: bytes, name: photo.name).format
        let path = "\(part)/\(proposal.name).\(format == .png ? "png" : "jpg")"
        if exists(path) { return path }
        try check(photo, proposal)
        let plain =
            try format == .heic
            ? ImageCodec.encodeJPEG(proposer.image(of: photo), quality: 95)
            : ImageCodec.withoutMetadata(bytes, name: photo.name)
        try write(Data(plain), to: path)
        return path
    }

    /// Refuses a photo that was replaced after it was labelled.
    private mutating func check(_ photo: LabelPhoto, _ proposal: PhotoProposal) throws {
        guard checked.insert(photo.name).inserted, SHA256.hex(of: try photo.bytes()) != proposal.digest else { return }
        throw HarnessError.configuration("\(photo.path): is another picture than when it was labelled; restore it")
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }

    /// Writes a file as a whole; nil removes it.
    private func write(_ data: Data?, to path: String) throws {
        let file = folder.appending(path: path)
        try DatasetError.writing(file.path) {
            guard let data else {
                if exists(path) { try FileManager.default.removeItem(at: file) }
                return
            }
            let parent = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try data.write(to: file, options: .atomic)
        }
    }

    /// Removes pictures of outlines that were changed since.
    private func removeOthers(_ files: Set<String>) {
        for part in ["images", "photos"] {
            let url = folder.appending(path: part)
            for name in (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
            where !files.contains("\(part)/\(name)") {
                try? FileManager.default.removeItem(at: url.appending(path: name))
            }
        }
    }

    private var labellers: String {
        Set(photos.flatMap(\.labels.samples).compactMap(\.labelled?.by)).sorted().joined(separator: ", ")
    }

    private var card: String {
        let samples = photos.flatMap(\.labels.samples)
        let kinds = LabelOrigin.Kind.allCases.map { kind in
            [kind.rawValue, "\(samples.count { $0.labelled?.kind == kind })"]
        }
        let open = photos.filter { $0.labels.openCount > 0 }
            .map { "* \($0.photo.name): \(NumberText.count($0.labels.openCount, "spine")) without an answer" }
        let failed = photos.compactMap(\.labels.proposal.error).map { "* \($0)" }
        let gone = missing.map { "* \($0): labelled, and not among the photos now" }
        let left = open + failed + unread.map { "* \($0): not read yet" } + gone
        return """
            # \(manifest.name)

            Labelled with 'spinebench label' by \(labellers), on proposals of \
            \(Set(photos.map(\.labels.proposal.reader)).sorted().joined(separator: ", ")). Each label has its origin (`labelled`). \
            Pictures have no metadata.

            \(Table(columns: ["label", "spines"], rows: kinds).markdown)

            \(LabelFigures(samples).sentences.joined(separator: "\n"))
            \(left.isEmpty ? "" : "\n## Not in this dataset\n\n" + left.joined(separator: "\n") + "\n")
            """
    }
}

extension SpineLabel {
    func sample(id: String, image: String) -> Sample {
        var sample = Sample(
            id: id,
            image: image,
            category: category,
            title: title,
            author: author,
            transcription: transcription,
            orientation: orientation,
            legible: legible
        )
        sample.labelled = origin
        return sample
    }

    func book(id: String) -> ShelfBook {
        var book = ShelfBook(title: title, quad: outline, legible: legible)
        (book.id, book.author) = (id, author)
        book.transcription = transcription.isEmpty ? nil : transcription
        (book.category, book.orientation, book.labelled) = (category, orientation, origin)
        return book
    }
}
