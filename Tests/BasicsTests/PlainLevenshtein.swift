@testable import Basics

/// Dynamic programming of Wagner and Fischer (1974) over the whole matrix, with rapidfuzz's way back: the reference
/// of the bit-parallel form.
enum PlainLevenshtein {
    static func operations<Element: Equatable>(from a: [Element], to b: [Element]) -> [EditOperation] {
        var cost = [[Int]](repeating: Array(0...b.count), count: a.count + 1)
        for i in 0..<a.count {
            cost[i + 1][0] = i + 1
            for j in 0..<b.count {
                cost[i + 1][j + 1] = min(
                    cost[i][j] + (a[i] == b[j] ? 0 : 1),
                    min(cost[i][j + 1], cost[i + 1][j]) + 1
                )
            }
        }
        var steps: [EditOperation.Kind] = []
        // Common prefixes and suffixes are removed first.
        var (end, start) = (0, 0)
        while start < min(a.count, b.count), a[start] == b[start] { start += 1 }
        while end < min(a.count, b.count) - start, a[a.count - 1 - end] == b[b.count - 1 - end] {
            steps.append(.equal)
            end += 1
        }
        var (i, j) = (a.count - end, b.count - end)
        while i > start || j > start {
            if i > start, cost[i][j] == cost[i - 1][j] + 1 {
                steps.append(.delete)
                i -= 1
            } else if j > start, i == start || j - 1 > start && cost[i][j - 1] == cost[i - 1][j - 1] - 1 {
                steps.append(.insert)
                j -= 1
            } else {
                steps.append(a[i - 1] == b[j - 1] ? .equal : .substitute)
                (i, j) = (i - 1, j - 1)
            }
        }
        steps += [EditOperation.Kind](repeating: .equal, count: start)
        return runs(steps.reversed())
    }

    static func distance<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
        operations(from: a, to: b).reduce(0) {
            $1.kind == .equal ? $0 : $0 + max($1.reference.count, $1.hypothesis.count)
        }
    }

    private static func runs(_ steps: some Sequence<EditOperation.Kind>) -> [EditOperation] {
        var runs: [EditOperation] = []
        var (i, j) = (0, 0)
        for kind in steps {
            let (nextI, nextJ) = (kind == .insert ? i : i + 1, kind == .delete ? j : j + 1)
            if let last = runs.last, last.kind == kind {
                runs[runs.count - 1].reference = last.reference.lowerBound..<nextI
                runs[runs.count - 1].hypothesis = last.hypothesis.lowerBound..<nextJ
            } else {
                runs.append(EditOperation(kind: kind, reference: i..<nextI, hypothesis: j..<nextJ))
            }
            (i, j) = (nextI, nextJ)
        }
        return runs
    }
}

extension Levenshtein {
    /// Returns the edits of one cheapest way to turn `reference` into `hypothesis`.
    static func edits<Element: Hashable>(from reference: [Element], to hypothesis: [Element]) -> EditCounts {
        EditMatrix(reference, hypothesis).counts()
    }
}
