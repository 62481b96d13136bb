/// Whether there is a number, and it is no further from `expected` than `tolerance`.
func isNear(_ found: Double?, _ expected: Double, within tolerance: Double) -> Bool {
    found.map { abs($0 - expected) <= tolerance } ?? false
}
