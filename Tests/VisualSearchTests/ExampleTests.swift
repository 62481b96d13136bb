import Foundation
import TestSupport
import Testing

/// Examples of how apps use this package, as a compiler outside of it sees them: only what is public.
@Suite(.inTurns) struct ExampleTests {
    private static let root = TypeChecker.root

    /// The blocks of Swift in the page about apps; the first is lines of a manifest.
    private static func examplesOfThePage() throws -> [String] {
        let page = try String(contentsOf: root.appending(path: "Docs/APPS.md"), encoding: .utf8)
        return page.matches(of: /```swift\n(.*?)```/.dotMatchesNewlines()).map { String($0.1) }
            .filter { $0.hasPrefix("import ") }
    }

    private static func source(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: "Examples/\(path)"), encoding: .utf8)
    }

    @Test(.enabled(if: TypeChecker.compiler != nil, "there is no swiftc in PATH"))
    func examplesCompile() throws {
        let folder = try TemporaryFolder()
        #if !canImport(Vision)
        try makeVisionEngine(in: folder)
        #endif
        var examples = try Self.examplesOfThePage()
        #expect(examples.count == 6)
        for path in ["Sources/Bookshelf/Bookshelf.swift", "Phone/ReadWithVision.swift", "Phone/MeasureSpines.swift"] {
            examples.append(try Self.source(path))
        }
        for example in examples {
            try folder.write(example, "Example.swift")
            let call = try TypeChecker.check(
                [folder("Example.swift")],
                as: "Example",
                standIns: folder,
                isOfPackage: false
            )
            #expect(call.isFine, "\(example.prefix(300))\n\(call.errors)")
        }
        // The check reports a mistake.
        try folder.write(examples[0].replacing("ReadingSettings.fast", with: "ReadingSettings.along"), "Example.swift")
        let call = try TypeChecker.check([folder("Example.swift")], as: "E", standIns: folder, isOfPackage: false)
        #expect(!call.isFine)
    }

    /// The page's products have every module that an example imports, and those of Linux alone are in the first one.
    @Test func productsHaveTheModulesOfTheExamples() throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        let exported = manifest.matches(of: /\.library\(name: "\w+", targets: \[(.*?)\]\)/)
            .flatMap { $0.1.matches(of: /\w+/).map { String($0.0) } }
        var examples = try Self.examplesOfThePage().map { ("page", $0) }
        for path in ["Sources/Bookshelf/Bookshelf.swift", "Phone/ReadWithVision.swift"] {
            examples.append((path, try Self.source(path)))
        }
        for (number, (name, text)) in examples.enumerated() {
            let imports = text.matches(of: /(?m)^import (\w+)$/).map { String($0.1) }.filter { $0 != "Foundation" }
            #expect(imports.filter { !exported.contains($0) } == [], "\(name)")
            let isOfLinux = imports.contains { ["SpineReaders", "TesseractEngine"].contains($0) }
            #expect(!isOfLinux || number < 1 || name.contains("Bookshelf"), "\(text.prefix(200))")
        }
    }

    /// Makes the module as it is on Apple's systems, with stand-ins of their frameworks.
    private func makeVisionEngine(in folder: TemporaryFolder) throws {
        try TypeChecker.makeStandIns(["CoreGraphics", "ImageIO", "Vision"], in: folder)
        try make("VisionEngine", in: folder)
    }

    #if os(Linux)
    /// The recorder's lines for phones, which Linux's compiler would skip.
    @Test(.enabled(if: TypeChecker.compiler != nil, "there is no swiftc in PATH"), arguments: [true, false])
    func theRecorderFitsApplesSystems(isPhone: Bool) throws {
        let folder = try TemporaryFolder()
        try TypeChecker.makeStandIns(isPhone ? ["Darwin", "UIKit"] : ["Darwin"], in: folder)
        try make("SpineBenchKit", in: folder) { $0.replacing("os(iOS)", with: "canImport(UIKit)") }
    }

    /// The codecs of iOS, in the place of those of C libraries.
    @Test(.enabled(if: TypeChecker.compiler != nil, "there is no swiftc in PATH"))
    func theCodecsFitApplesSystems() throws {
        let folder = try TemporaryFolder()
        try TypeChecker.makeStandIns(["CoreGraphics", "ImageIO"], in: folder)
        try make("Imaging", in: folder) { $0.replacing("os(iOS)", with: "canImport(ImageIO)") }
    }
    #endif

    private func make(_ module: String, in folder: TemporaryFolder, _ change: (String) -> String = { $0 }) throws {
        let call = try TypeChecker.checkModule(module, standIns: folder, emits: true, change)
        try #require(call.isFine, "\(call.errors)")
    }
}
