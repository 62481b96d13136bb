extension [TesseractLine] {
    /// Along the spine, left to right; lines that stand above one another are read from the top.
    ///
    /// Lines belong to one stack when they share at least half of the shorter one's width, so that a title set in two
    /// rows between author and publisher stays in one piece.
    func inReadingOrder() -> [TesseractLine] {
        var stacks: [Stack] = []
        for line in sorted(by: { ($0.left, $0.top, $0.right) < ($1.left, $1.top, $1.right) }) {
            if let last = stacks.indices.last, stacks[last].takes(line) {
                stacks[last].add(line)
            } else {
                stacks.append(Stack(line))
            }
        }
        return stacks.flatMap { stack in
            stack.lines.sorted { ($0.top + $0.bottom, $0.left) < ($1.top + $1.bottom, $1.left) }
        }
    }
}

/// Lines above one another, and the columns of pixels that they span.
private struct Stack {
    var lines: [TesseractLine]
    var left: Int
    var right: Int

    init(_ line: TesseractLine) {
        lines = [line]
        left = line.left
        right = line.right
    }

    func takes(_ line: TesseractLine) -> Bool {
        let shared = Swift.min(right, line.right) - Swift.max(left, line.left)
        return 2 * shared >= Swift.min(right - left, line.right - line.left)
    }

    mutating func add(_ line: TesseractLine) {
        lines.append(line)
        left = Swift.min(left, line.left)
        right = Swift.max(right, line.right)
    }
}
