import SpineDatasets

/// Entries below an address of a store that speaks S3, an object each.
struct ObjectHistory: HistoryStore {
    private let address: ObjectAddress
    /// Most bytes of an entry.
    private static let limit = 1 << 30

    init(_ path: String) throws {
        do { address = try ObjectAddress(path) } catch { throw DatasetError(error, path) }
    }

    func names() throws -> [String] {
        try open { store throws(ObjectStoreError) in try store.names(below: address) }.filter(HistoryEntry.isName)
            .sorted()
    }

    func contents(of names: [String]) throws -> [[UInt8]] {
        let contents = Parallel.map(names.count, lanes: 8) { index in
            Result {
                try open { store throws(ObjectStoreError) in
                    try store.read(address.appending(names[index]), limit: Self.limit).bytes
                }
            }
        }
        return try contents.map { try $0.get() }
    }

    func add(_ name: String, _ bytes: [UInt8]) throws -> Bool {
        try open { store throws(ObjectStoreError) in try store.add(address.appending(name), bytes) }
    }

    private func open<Value>(
        _ body: (ObjectStore) throws(ObjectStoreError) -> Value
    ) throws(DatasetError) -> Value {
        do throws(ObjectStoreError) { return try body(try ObjectFolder.shared.get()) } catch {
            throw DatasetError(error, "\(address)")
        }
    }
}
