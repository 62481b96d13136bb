/// Numbers of books that have each word, by a hash of the word's shape.
struct WordCounts {
    private var keys: [UInt64]
    private var counts: [UInt32]
    /// Number of different words.
    private(set) var words = 0

    init() {
        keys = Array(repeating: 0, count: 1 << 12)
        counts = Array(repeating: 0, count: 1 << 12)
    }

    /// One more book has the word.
    mutating func add(_ hash: UInt64) {
        if words * 2 >= keys.count { grow() }
        let slot = slot(of: hash)
        if keys[slot] == 0 {
            keys[slot] = hash
            words += 1
        }
        counts[slot] += 1
    }

    /// Number of books that have it.
    subscript(hash: UInt64) -> UInt32 { counts[slot(of: hash)] }

    /// Every word's hash and count.
    var all: some Sequence<(hash: UInt64, count: UInt32)> {
        zip(keys, counts).lazy.filter { $0.0 != 0 }.map { (hash: $0.0, count: $0.1) }
    }

    /// FNV-1a with a final mix, never 0: 0 marks an empty slot.
    static func hash(_ shape: some Collection<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in shape { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
        return hash == 0 ? 1 : hash
    }

    private func slot(of hash: UInt64) -> Int {
        let mask = keys.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while keys[slot] != 0 && keys[slot] != hash { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = (keys, counts)
        keys = Array(repeating: 0, count: old.0.count * 2)
        counts = Array(repeating: 0, count: old.0.count * 2)
        for (key, count) in zip(old.0, old.1) where key != 0 {
            let slot = slot(of: key)
            keys[slot] = key
            counts[slot] = count
        }
    }
}
