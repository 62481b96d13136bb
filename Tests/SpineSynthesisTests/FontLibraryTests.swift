import Foundation
import Testing

@testable import SpineSynthesis

@Suite struct FontLibraryTests {
    /// Two of some thirty drawings on two threads without the lock ended inside FreeType, by a signal.
    @Test func threadsMaySetTextInAllTypefacesAtOnce() {
        let typefaces = Typeface.installed()
        let widths = Widths()
        DispatchQueue.concurrentPerform(iterations: 24) { _ in
            let typesetter = Typesetter()
            let total = typefaces.reduce(0.0) { sum, typeface in
                let outline = try? typesetter.outline(of: "Spine", in: Typesetter.Style(typeface: typeface))
                return sum + (outline?.ink.width ?? 0)
            }
            widths.add(total)
        }
        #expect(widths.values.count == 24)
        #expect(Set(widths.values).count == 1, "every thread measures the same")
    }

    private final class Widths: @unchecked Sendable {
        // Protected by `lock`.
        private var stored: [Double] = []
        private let lock = NSLock()

        var values: [Double] { lock.withLock { stored } }

        func add(_ value: Double) { lock.withLock { stored.append(value) } }
    }
}
