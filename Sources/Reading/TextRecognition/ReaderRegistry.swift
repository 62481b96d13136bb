/// One way of reading spines that can be asked for by name: an engine, its models, and how the reader uses them.
public struct ReaderVariant: Sendable {
    /// A reader that is loaded, with what it took to make it.
    public struct Loaded: Sendable {
        /// Reads spines.
        public var reader: any SpineTextReader
        /// Loads what the reader would otherwise load when it first needs it.
        public var prepare: @Sendable () throws -> Void
        /// Engine, version, models, precision, threads and settings, for reports.
        public var description: [String: String]

        /// A loaded reader; `prepare` does nothing unless given.
        public init(
            reader: any SpineTextReader,
            description: [String: String],
            prepare: @escaping @Sendable () throws -> Void = {}
        ) {
            self.reader = reader
            self.description = description
            self.prepare = prepare
        }
    }

    /// Name by which it is asked for.
    public var name: String
    /// The engine that finds or reads the text, such as `openvino`.
    public var engine: String
    /// One line for people.
    public var summary: String
    /// Problem: what it lacks on this machine and what to do about it; nil when nothing is known to be missing.
    ///
    /// Looks for files and loads nothing.
    public var problem: @Sendable () -> String?
    /// Loads it.
    public var load: @Sendable () throws -> Loaded

    /// A variant; nothing is loaded yet.
    public init(
        name: String,
        engine: String,
        summary: String,
        problem: @escaping @Sendable () -> String?,
        load: @escaping @Sendable () throws -> Loaded
    ) {
        self.name = name
        self.engine = engine
        self.summary = summary
        self.problem = problem
        self.load = load
    }
}

/// The variants that a program offers, in the order in which they are listed.
public struct ReaderRegistry: Sendable {
    /// The variants, each with a name of its own.
    public let variants: [ReaderVariant]

    /// - Precondition: no two variants have the same name.
    public init(_ variants: [ReaderVariant]) {
        precondition(Set(variants.map(\.name)).count == variants.count, "each variant has a name of its own")
        self.variants = variants
    }

    /// The variant of that name; nil when there is none.
    public subscript(name: String) -> ReaderVariant? { variants.first { $0.name == name } }

    /// The first variant of an engine, which is the one it is usually asked for by; nil when there is none.
    public func variant(ofEngine engine: String) -> ReaderVariant? { variants.first { $0.engine == engine } }

    /// The engines, each once, in order.
    public var engines: [String] {
        variants.map(\.engine).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
