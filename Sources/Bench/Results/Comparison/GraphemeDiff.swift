import Basics
import SpineDatasets

/// Difference of a text from the truth, grapheme by grapheme.
package struct GraphemeDiff: Equatable {
    enum Part: Equatable {
        case same(String)
        case missing(String)
        case extra(String)
    }

    private(set) var parts: [Part] = []

    package init(from truth: String, to text: String) {
        let (truth, text) = (Array(TextView.nfc.apply(to: truth)), Array(TextView.nfc.apply(to: text)))
        let difference = text.difference(from: truth)
        func offset(_ change: CollectionDifference<Character>.Change) -> Int {
            switch change {
            case .remove(let offset, _, _), .insert(let offset, _, _): offset
            }
        }
        let (removed, inserted) = (Set(difference.removals.map(offset)), Set(difference.insertions.map(offset)))
        var (i, j) = (0, 0)
        while i < truth.count || j < text.count {
            if i < truth.count, removed.contains(i) {
                add(.missing(String(truth[i])))
                i += 1
            } else if j < text.count, inserted.contains(j) {
                add(.extra(String(text[j])))
                j += 1
            } else {
                add(.same(String(text[j])))
                (i, j) = (i + 1, j + 1)
            }
        }
    }

    private mutating func add(_ part: Part) {
        switch (parts.last, part) {
        case (.same(let last), .same(let next)): parts[parts.count - 1] = .same(last + next)
        case (.missing(let last), .missing(let next)): parts[parts.count - 1] = .missing(last + next)
        case (.extra(let last), .extra(let next)): parts[parts.count - 1] = .extra(last + next)
        default: parts.append(part)
        }
    }

    package var html: String {
        parts.map { part in
            switch part {
            case .same(let text): PageText.escaped(text)
            case .missing(let text): "<del>\(PageText.escaped(text))</del>"
            case .extra(let text): "<ins>\(PageText.escaped(text))</ins>"
            }
        }.joined()
    }
}
