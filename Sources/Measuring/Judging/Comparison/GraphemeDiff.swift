import Basics
import SpineDatasets

/// How a text differs from the truth, grapheme by grapheme.
package struct GraphemeDiff: Equatable {
    enum Part: Equatable {
        case same(String)
        /// In the truth alone.
        case missing(String)
        /// In the text alone.
        case extra(String)
    }

    private(set) var parts: [Part] = []

    package init(from truth: String, to text: String) {
        let (truth, text) = (Array(TextView.nfc.apply(to: truth)), Array(TextView.nfc.apply(to: text)))
        let difference = text.difference(from: truth)
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
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
