import Basics
package import Foundation
package import SpineDatasets

/// Corrects the label of a sample in its dataset.
package enum LabelFixing {
    /// Text that can be corrected, by its name in `samples.jsonl`.
    package enum Field: String, CaseIterable, Sendable {
        case title, author, transcription, category, orientation, style, isbn
    }

    private static let interrupted = "the correction of a label was interrupted; repeat 'spinebench dataset fix'"

    /// Writes new values into the label of `sample`, and the correction into `dataset.json`.
    ///
    /// `texts` has nil for a text that is removed. Other fields and lines keep their bytes. After an interruption the dataset is as
    /// before, or marked as unfinished until the call is repeated.
    package static func fix(
        _ sample: String,
        in folder: URL,
        texts: [Field: String?],
        legible: Bool? = nil,
        why: String?,
        at: String
    ) throws(DatasetError) -> (mend: LabelMend, dataset: Dataset) {
        let file = folder.appending(path: Labels.samplesFile)
        let finished = try finish(in: folder)
        let old: Dataset
        if let finished { old = finished } else { old = try DatasetLoader().load(folder.path) }
        let bytes = try DatasetError.reading(file.path) { try Data(contentsOf: file) }
        guard let place = old.samples.firstIndex(where: { $0.id == sample }) else {
            throw .operation(path: file.path, problem: "has no sample \"\(sample)\"")
        }
        let lines = try DatasetOutput.lines(of: Labels.samplesFile, in: folder.path)
        var fixed = lines
        var values = texts.map { ($0.rawValue, $1.map(JSONObjectText.encoded) ?? Array("null".utf8)) }
        if let legible { values.append(("legible", Array("\(legible)".utf8))) }
        do throws(JSONFault) { try fixed[place].set(Dictionary(uniqueKeysWithValues: values)) } catch {
            throw .operation(path: file.path, problem: "changed while it was read: \(error)")
        }
        guard fixed[place].bytes != lines[place].bytes else {
            // The correction that an interruption left unfinished was this one.
            if finished != nil, let mend = old.manifest.mended?.last, mend.samples == [sample] { return (mend, old) }
            throw .operation(path: file.path, problem: "sample \"\(sample)\" already has this label")
        }
        var pending = old.manifest
        let mend = LabelMend(from: old.digest, to: "", samples: [sample], why: why, at: at)
        (pending.unfinished, pending.mended) = (interrupted, (pending.mended ?? []) + [mend])
        try DatasetSeal.write(pending, to: folder.appending(path: "dataset.json"))
        try write(Data(fixed.flatMap { $0.bytes + [UInt8(ascii: "\n")] }), to: file)
        do throws(DatasetError) {
            let dataset = try finish(in: folder)
            guard let dataset, let mend = dataset.manifest.mended?.last else {
                throw DatasetError.operation(path: folder.path, problem: "changed while a label was corrected")
            }
            return (mend, dataset)
        } catch {
            // The loader refuses the new label: the old one comes back.
            try write(bytes, to: file)
            try DatasetSeal.write(old.manifest, to: folder.appending(path: "dataset.json"))
            throw error
        }
    }

    private static func write(_ data: Data, to file: URL) throws(DatasetError) {
        try DatasetError.writing(file.path) { try data.write(to: file, options: .atomic) }
    }

    /// Completes a correction whose labels are written, or removes one whose labels are not; nil where none is unfinished.
    private static func finish(in folder: URL) throws(DatasetError) -> Dataset? {
        var manifest = try DatasetManifest.read(from: folder.path)
        guard manifest.unfinished == interrupted, let last = manifest.mended?.indices.last else { return nil }
        let isWritten = try DatasetLoader(ignoresManifest: true).load(folder.path).digest != manifest.mended?[last].from
        if !isWritten { manifest.mended?.removeLast() }
        return try DatasetSeal.seal(folder, as: manifest) { dataset in
            if isWritten { dataset.manifest.mended?[last].to = dataset.digest }
        }
    }
}
