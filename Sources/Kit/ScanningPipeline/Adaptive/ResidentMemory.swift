import Basics

/// Memory of this process, as the system counts it against an app.
public enum ResidentMemory {
    /// Returns the resident bytes, on Apple's systems those that count against an app's limit; nil when they cannot
    /// be read.
    public static func bytes() -> Int? {
        #if canImport(Darwin)
        return ProcessMemory.current()?.footprint?.bytes
        #else
        return ProcessMemory.current()?.resident?.bytes
        #endif
    }
}
