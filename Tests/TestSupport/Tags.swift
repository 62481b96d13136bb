public import Testing

extension Tag {
    /// Values in memory alone.
    @Tag public static var unit: Self
    /// Files, sockets, or threads that wait.
    @Tag public static var io: Self
    /// Starts the built programs.
    @Tag public static var program: Self
    /// Takes more than ten seconds in an optimised build.
    @Tag public static var slow: Self
}
