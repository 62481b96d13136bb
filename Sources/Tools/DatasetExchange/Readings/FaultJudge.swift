import Basics
package import Evaluation
package import Harness
package import SpineDatasets

/// Fault of a spine that a reader failed or missed: its one owner.
package struct SpineFault: Sendable, Equatable, Encodable {
    package var id: String
    package var owner: FaultOwner
    /// A sentence without a full stop.
    package var evidence: String
}

/// Judge of the faults of a dataset's spines by their labels and by all of their readings, of several readers and runs.
///
/// A reader is to blame unless there is evidence against another party. The harness saw who owns a failure when it
/// happened. A label is wrong only if what was read, and with it what any reader read, is another text: two readers without
/// a network in common read the same two words, or a reading has title and author of another book, or what the label
/// lacks of its own title; a title that any reader has read is right. A picture is illegible by its label; or because it
/// is flat or tiny beyond all that any reader ever read, and nobody has read a word.
package struct FaultJudge: Sendable {
    /// A reading, and who made it.
    package struct Witness: Sendable {
        package var reader: String
        /// Digests of its networks and programs; readers that share one may share a mistake.
        package var models: Set<String>
        /// Whether it names books of a catalogue of the harness's.
        package var hasCatalogue: Bool
        package var record: SampleRecord

        package init(_ variant: Variant, _ record: SampleRecord) {
            (reader, models) = (variant.name, Set(variant.models.values))
            (hasCatalogue, self.record) = (variant.catalogue != nil, record)
        }

        fileprivate func isIndependent(of other: Witness) -> Bool {
            reader != other.reader && models.isDisjoint(with: other.models)
        }
    }

    private struct Spine {
        let sample: Sample
        let witnesses: [Witness]
        /// Readers of the title, and those that read something else.
        let readers: [String]
        let missed: Set<String>
    }

    private let spines: [String: Spine]
    /// Ids of spines by the longest word of their titles.
    private let titles: [String: [String]]
    /// Number of spines of which a reader has read a text, by both: one that answers twice the same has confused spines.
    private let uses: [[String]: Int]

    /// Words of fewer letters are found in most texts by chance.
    private static let leastLetters = 4
    /// Letters of a title that identify it, with its author, and alone.
    private static let telling = (withAuthor: 6, alone: 12)
    /// Smallest contrast and short side at which `fast` or `accurate` read a word of 30 drawn and 30 real spines, flattened
    /// in ten steps and shrunk in eleven; noise of less contrast has less than this variance of the Laplacian.
    private static let least = (contrast: 3, sharpness: 16, shortSide: 8)

    /// Creates the judge of spines of one dataset; `witnesses` are the readings of each, by its id.
    package init(_ samples: [Sample], _ witnesses: [String: [Witness]]) {
        spines = Dictionary(
            samples.map { sample in
                let own = (witnesses[sample.id] ?? []).filter { $0.record.outcome == .read && $0.record.text != nil }
                let areRead = own.map { Self.isRead(sample, $0.record) }
                let readers = zip(own, areRead).filter { $1 == true }.map(\.0.reader)
                let missed = Set(zip(own, areRead).filter { $1 == false }.map(\.0.reader))
                return (sample.id, Spine(sample: sample, witnesses: own, readers: readers, missed: missed))
            }
        ) { first, _ in first }
        uses = witnesses.values.flatMap { Set($0.map { [$0.reader, $0.text] }) }
            .reduce(into: [:]) { $0[$1, default: 0] += 1 }
        titles = Dictionary(grouping: samples.filter { $0.title != nil }.map(\.id)) { [spines] id in
            FoldedText.words(of: spines[id]?.sample.title ?? "").max { $0.count < $1.count } ?? ""
        }
    }

    /// Returns the fault of a reading; nil where it read the title, and where it had none to read.
    package func fault(of record: SampleRecord, by reader: String, _ picture: PictureTraits?) -> SpineFault? {
        func fault(_ owner: FaultOwner, _ evidence: String) -> SpineFault {
            SpineFault(id: record.id, owner: owner, evidence: evidence)
        }
        guard let spine = spines[record.id] else { return fault(.harness, "the record is of no spine of the dataset") }
        guard record.outcome == .read else {
            return fault(record.owner ?? .reader, record.problem ?? record.outcome.rawValue)
        }
        let sample = spine.sample
        guard sample.shelf == nil, sample.distractor != true else { return nil }
        if let score = record.score, score.rule == ScoringRule.current, record.prediction != nil,
            let text = record.text,
            score.title != FieldRead(field: sample.title ?? "", in: text)
        {
            return fault(.harness, "the record's score is not that of its text")
        }
        let isMissed = Self.isRead(sample, record) == false
        guard sample.legible else {
            return isMissed || sample.title == nil ? fault(.picture, "its label says that nobody can read it") : nil
        }
        guard isMissed else { return nil }
        if let other = spine.readers.first(where: { $0 != reader }) ?? spine.readers.first {
            return fault(.reader, "\(lost(record, sample)); \(other) read the title")
        }
        if let problem = labelProblem(spine) { return fault(.label, problem) }
        let words = Self.keywords(spine.sample.words)
        guard spine.witnesses.allSatisfy({ !Self.isSeen(words, in: $0.words) }) else {
            return fault(.reader, lost(record, sample))
        }
        if let picture {
            if picture.contrast < Self.least.contrast, picture.sharpness < Self.least.sharpness {
                return fault(.picture, "it is flat: contrast \(picture.contrast) of 255, and nobody read a word")
            }
            if picture.shortSide < Self.least.shortSide {
                return fault(.picture, "its short side has \(picture.shortSide) pixels, and nobody read a word")
            }
        }
        return fault(.reader, lost(record, sample))
    }

    /// Whether a reading has the title, or names the book where its text is unknown; nil where there is none.
    private static func isRead(_ sample: Sample, _ record: SampleRecord) -> Bool? {
        guard record.text != nil else { return record.book.flatMap { $0.isCatalogued ? $0.answer == .right : nil } }
        return sample.title == nil ? nil : record.score(against: sample)?.title.isRead
    }

    /// "letters misread: crow; read “Grow Hughes”".
    private func lost(_ record: SampleRecord, _ sample: Sample) -> String {
        guard let text = record.text, !text.isEmpty else {
            return record.text == nil ? "no right book" : "nothing read"
        }
        var kinds: [(ReadingErrors.Kind, [String])] = []
        for (kind, word) in ReadingErrors.lost(record.prediction, of: sample) {
            if kinds.last?.0 == kind { kinds[kinds.count - 1].1.append(word) } else { kinds.append((kind, [word])) }
        }
        let words = kinds.map { "\($0.rawValue): \($1.joined(separator: " "))" }.joined(separator: ", ")
        return "\(words); read “\(text.prefix(80))”"
    }

    // MARK: Labels

    /// Returns why a spine's label is wrong; nil where nothing shows it.
    private func labelProblem(_ spine: Spine) -> String? {
        let (sample, title) = (spine.sample, spine.sample.title ?? "")
        let printed = ([sample.transcription] + (sample.lines ?? []).map(\.text)).joined(separator: " ")
        let lacking = FieldRead.missing(of: title, in: printed)
        let inside = Self.keywords(FoldedText.words(of: sample.transcription))
        if !lacking.isEmpty,
            let witness = spine.witnesses.first(where: { witness in
                Set(FieldRead.missing(of: title, in: witness.text)).isSubset(of: lacking)
                    && inside.count { Self.isSeen([$0], in: witness.words) } * 2 >= inside.count
            })
        {
            return
                "“\(lacking.joined(separator: " "))” of its title is not in its own text, which \(witness.reader) read"
        }
        let names =
            Self.keywords(FoldedText.words(of: title))
            + Self.keywords(FoldedText.words(of: sample.author ?? ""))
        let own = Set(sample.words)
        for (place, a) in spine.witnesses.enumerated() where !Self.isSeen(names, in: a.words) {
            for b in spine.witnesses[..<place] where a.isIndependent(of: b) && !Self.isSeen(names, in: b.words) {
                // Of "die verwandlung" and "dieverwandlung", one is read twice.
                let shared = a.words.filter { word in
                    word.count >= Self.leastLetters && !own.contains { ReadingErrors.isNear(word, $0, 3) }
                        && b.words.contains { other in
                            Self.isInside(other, word) || Self.isInside(word, other)
                                || ReadingErrors.isNear(word, other, 5)
                        }
                }
                guard shared.count > 1 else { continue }
                let words = shared.sorted().joined(separator: " ")
                return "\(b.reader) and \(a.reader) both read “\(words)”, and nothing of “\(title)”"
            }
        }
        for witness in spine.witnesses {
            if uses[[witness.reader, witness.text]] ?? 0 > 1 { continue }
            if witness.hasCatalogue, witness.record.book?.answer == .wrong,
                let book = witness.record.prediction?.answer,
                book.isDraft != true, isOther(book.title, book.authors.joined(separator: " "), witness, own, names)
            {
                return "\(witness.reader) read and named “\(book.title)”, and nothing of “\(title)”"
            }
            // A reader that read the other spine's title there has confused the two.
            let others = witness.words.flatMap { titles[$0] ?? [] }.compactMap { spines[$0]?.sample }.sorted {
                $0.id < $1.id
            }
            if let other = others.first(where: { other in
                other.id != sample.id && spines[other.id]?.missed.contains(witness.reader) == true
                    && isOther(other.title ?? "", other.author ?? "", witness, own, names)
            }) {
                return
                    "\(witness.reader) read “\(other.title ?? "")”, the label of \(other.id), and nothing of “\(title)”"
            }
        }
        return nil
    }

    /// Whether a reading has title and author of a book, which is not that of a label with the words `own`, and none of the
    /// label's title and author.
    private func isOther(
        _ title: String,
        _ author: String,
        _ witness: Witness,
        _ own: Set<String>,
        _ names: [String]
    )
        -> Bool
    {
        let (words, authors) = (FoldedText.words(of: title), Self.keywords(FoldedText.words(of: author)))
        let letters = Set(words).filter { word in !own.contains { ReadingErrors.isNear(word, $0, 3) } }
            .reduce(0) { $0 + $1.count }
        let hasAuthor = Self.isSeen(authors, in: witness.words)
        let rest = names.filter { !words.contains($0) && !authors.contains($0) }
        return letters >= (hasAuthor ? Self.telling.withAuthor : Self.telling.alone) && (hasAuthor || author.isEmpty)
            && FieldRead(field: title, in: witness.text).isRead == true && !rest.isEmpty
            && !Self.isSeen(rest, in: witness.words.subtracting(words))
    }

    /// Returns the words that show a text when they are read: the long ones, or all where none is long.
    private static func keywords(_ words: [String]) -> [String] {
        let long = words.filter { $0.count >= leastLetters }
        return long.isEmpty ? words : long
    }

    private static func isInside(_ word: String, _ longer: String) -> Bool {
        word.count >= leastLetters && longer.contains(word)
    }

    /// Whether one of `keywords` was read, alone or in a longer word, with at most a third of its letters wrong.
    private static func isSeen(_ keywords: [String], in words: Set<String>) -> Bool {
        keywords.contains { key in
            words.contains { $0 == key || isInside(key, $0) || ReadingErrors.isNear($0, key, 3) }
        }
    }
}

extension FaultJudge.Witness {
    fileprivate var text: String { record.text ?? "" }
    fileprivate var words: Set<String> { Set(FoldedText.words(of: text)) }
}

extension Sample {
    /// Folded words of all that the label says is printed.
    fileprivate var words: [String] {
        FoldedText.words(
            of: ([title ?? "", author ?? "", transcription] + (lines ?? []).map(\.text) + (acceptedTitles ?? []))
                .joined(separator: " ")
        )
    }
}
