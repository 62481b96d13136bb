import Foundation
import Testing

/// Compares the folders of `Sources` with Package.swift and the imports.
@Suite struct FloorTests {
    private let plan: HousePlan

    init() throws { plan = HousePlan(manifest: try House.text("Package.swift")) }

    /// Modules that come with Swift or a system.
    private static let systemModules: Set = [
        "AppIntents", "CoreGraphics", "CoreImage", "CoreVideo", "CryptoKit", "Darwin", "Dispatch", "Foundation",
        "FoundationModels", "Glibc", "ImageIO", "Musl", "Security", "Synchronization", "UIKit", "Vision",
        "VisualIntelligence",
    ]

    @Test func everyFolderOfSourcesIsATarget() throws {
        for folder in HousePlan.folders {
            let path = House.root.appending(path: "Sources/\(folder)").path
            let found = Set(try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") })
            #expect(found == Set(plan.targets.filter { $0.folder == folder }.map(\.name)), "Sources/\(folder)")
        }
        let folders = try FileManager.default.contentsOfDirectory(atPath: House.root.appending(path: "Sources").path)
        #expect(Set(folders.filter { !$0.hasPrefix(".") }) == Set(HousePlan.folders))
    }

    @Test func arrowsPointDownwards() throws {
        let byName = Dictionary(uniqueKeysWithValues: plan.targets.map { ($0.name, $0) })
        #expect(plan.targets.count >= 30, "Package.swift is not understood")
        for target in plan.targets {
            let own = try #require(plan.level(of: target), "\(target.name) is in an unknown folder")
            for name in target.uses where !plan.products.contains(name) {
                let dependency = try #require(
                    byName[name],
                    "\(target.name) uses \(name), which is no target of Sources"
                )
                let level = try #require(plan.level(of: dependency))
                #expect(level <= own, "\(target.name) (\(target.folder)) looks up to \(name) (\(dependency.folder))")
            }
        }
    }

    @Test func noTargetUsesItselfInACircle() {
        var open = plan.targets
        while true {
            let names = Set(open.map(\.name))
            let left = open.filter { !names.isDisjoint(with: $0.uses) }
            if left.count == open.count { break }
            open = left
        }
        #expect(open.map(\.name) == [])
    }

    /// A target's list contains the imports of its files, and nothing else.
    @Test func importsAreThoseOfPackageSwift() throws {
        let modules = Dictionary(uniqueKeysWithValues: plan.targets.map { ($0.module, $0.name) })
        // C targets have no imports of Swift.
        for target in plan.targets where target.folder != "C" {
            var imported: Set<String> = []
            for file in House.files(below: plan.path(of: target), ".swift") {
                let names = try House.text(file).matches(of: /(?m)^(?:@\w+ )*(?:\w+ )?import (?:\w+ )?(\w+)/).map {
                    String($0.1)
                }
                imported.formUnion(names.map { modules[$0] ?? $0 })
            }
            // A build folder may still hold a module of a removed target: only a clean build would miss it.
            let known = Set(modules.values).union(plan.products).union(Self.systemModules)
            #expect(imported.subtracting(known) == [], "\(target.name) imports what nobody provides")
            let wrong = imported.subtracting(Self.systemModules).symmetricDifference(target.uses)
            #expect(wrong == [], "\(target.name): imported and not in Package.swift's list, or there and not imported")
        }
    }

    @Test func architectureNamesEveryTarget() throws {
        let text = try House.text("ARCHITECTURE.md")
        for target in plan.targets {
            let isNamed = text.contains("`\(target.name)`")
            #expect(isNamed, "ARCHITECTURE.md does not name \(target.name)")
        }
        for folder in HousePlan.folders {
            let isNamed = text.contains("`Sources/\(folder)`")
            #expect(isNamed, "ARCHITECTURE.md does not name the folder \(folder)")
        }
    }

    /// A house with a wrong arrow, a circle and an unknown floor is rejected: the parser reads the plan correctly.
    @Test func aManifestIsRead() throws {
        let plan = HousePlan(
            manifest: """
                let packages = [
                    "GRDB.swift": "GRDB GRDBMore",
                ]
                    library("CPNG", "libpng", apt: "a", brew: "b"),
                    room("Base", "A", ""),
                    room("Base", "B", "A", exclude: ["CARD.md"]),
                    room(
                        "Kit",
                        "C-1",
                        \"""
                        A GRDB
                        B
                        \""",
                        resources: [.copy("x.csv")]
                    ),
                    .target(
                        name: "D",
                        path: "Sources/Base/D",
                """
        )
        #expect(plan.products == ["GRDB", "GRDBMore"])
        #expect(plan.targets.map(\.name) == ["A", "B", "C-1", "CPNG", "D"])
        let target = plan.targets[2]
        #expect(target.uses == ["A", "GRDB", "B"])
        #expect(target.module == "C_1")
        #expect(plan.level(of: target) == 2)
        #expect(plan.path(of: target) == "Sources/Kit/C-1")
        #expect(plan.targets[0].uses == [] && plan.targets[1].uses == ["A"])
    }
}
