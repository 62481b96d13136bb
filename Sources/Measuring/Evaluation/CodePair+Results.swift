extension CodePair {
    /// The edits of one cheapest way, by kind.
    func counts() -> EditCounts {
        var (substitutions, deletions, insertions) = (0, 0, 0)
        trace { kind, _, _ in
            switch kind {
            case .substitute: substitutions &+= 1
            case .delete: deletions &+= 1
            case .insert: insertions &+= 1
            case .equal: break
            }
        }
        return EditCounts(
            substitutions: substitutions,
            deletions: deletions,
            insertions: insertions,
            referenceLength: referenceCount
        )
    }

    /// One cheapest way as runs, in order, that cover both sequences.
    func operations() -> [EditOperation] {
        var edits: [(kind: EditOperation.Kind, i: Int, j: Int)] = []
        trace { edits.append(($0, $1, $2)) }
        var runs: [EditOperation] = []
        var (i, j) = (0, 0)
        func add(_ kind: EditOperation.Kind, to end: (i: Int, j: Int)) {
            if runs.last?.kind == kind {
                runs[runs.count - 1].reference = runs[runs.count - 1].reference.lowerBound..<end.i
                runs[runs.count - 1].hypothesis = runs[runs.count - 1].hypothesis.lowerBound..<end.j
            } else {
                runs.append(EditOperation(kind, reference: i..<end.i, hypothesis: j..<end.j))
            }
            (i, j) = end
        }
        for edit in edits.reversed() {
            if edit.i > i { add(.equal, to: (edit.i, edit.j)) }
            add(edit.kind, to: (edit.kind == .insert ? i : i + 1, edit.kind == .delete ? j : j + 1))
        }
        if i < referenceCount { add(.equal, to: (referenceCount, hypothesisCount)) }
        return runs
    }
}
