/// Work of scans that are being finished, one piece after the other, while the next frames come.
struct WorkBeside {
    enum Kind {
        /// Of a picture that is to be sent.
        case preparation
        /// Of a picture whose answer did not suffice, or that could not be sent.
        case inference
    }

    private var pieces: [(scan: Scan, kind: Kind)] = []
    /// Whether the first piece is being worked on.
    var isBusy = false

    var isEmpty: Bool { pieces.isEmpty }
    var first: (scan: Scan, kind: Kind)? { pieces.first }

    mutating func add(_ scan: Scan, _ kind: Kind) { pieces.append((scan, kind)) }

    mutating func removeFirst() -> (scan: Scan, kind: Kind) { pieces.removeFirst() }
}
