import SpineDatasets
import TestSupport
import Testing

@testable import DatasetExchange

/// Pictures as labels and readings of other machines name them.
@Suite struct ForeignPathTests {
    /// A path as a file states it, and the picture of a folder that is meant; nil when none is.
    private static let paths: [(String, String?)] = [
        ("images/b.jpg", "images/b.jpg"), ("./images/b.jpg", "images/b.jpg"), ("images/./x/../b.jpg", "images/b.jpg"),
        ("b.jpg", "images/b.jpg"), ("other/b.jpg", "images/b.jpg"), ("images\\b.jpg", "images/b.jpg"),
        ("images\\1/b.jpg", "images/b.jpg"), ("../../label-studio/data/media/upload/4/b.jpg", "images/b.jpg"),
        ("..\\..\\upload\\4\\b.jpg", "images/b.jpg"), ("C:\\Users\\me\\images\\b.jpg", "images/b.jpg"),
        ("\\\\server\\share\\b.jpg", "images/b.jpg"), ("file:///C:/set/images/b.jpg", "images/b.jpg"),
        ("file:///home/me/b.jpg", "images/b.jpg"), ("/data/local-files/?d=set/b.jpg", "images/b.jpg"),
        ("data/local-files/?d=set%2Fb.jpg&v=1", "images/b.jpg"), ("https://host/p/b.jpg?size=2#top", "images/b.jpg"),
        ("images/b.jpg?X-Amz-Signature=0%2F1", "images/b.jpg"), ("s3://bucket/set/b.jpg", "images/b.jpg"),
        ("gs://bucket/b.jpg", "images/b.jpg"), ("images/c%20d.jpg", "images/c d.jpg"),
        ("images/c d.jpg", "images/c d.jpg"),
        ("100%.jpg", "100%.jpg"), ("%23 1.jpg", "# 1.jpg"), ("# 1.jpg", "# 1.jpg"), ("0a1b2c3d-b.jpg", "images/b.jpg"),
        ("IMAGES/B.JPG", "images/b.jpg"), ("B.jpg", "images/b.jpg"), ("b", "images/b.jpg"),
        ("train/a.jpg", "train/a.jpg"), ("/data/val/a.jpg", "val/a.jpg"), ("..\\val\\a.jpg", "val/a.jpg"),
        ("a.jpg", nil), ("other/a.jpg", nil), ("../../../../etc/hostname", nil), ("/etc/passwd", nil), ("..", nil),
        ("", nil),
        ("%2e%2e/%2e%2e/secret.jpg", nil), ("../secret.jpg", nil), ("images/..%2F../secret.jpg", nil),
        ("what?.jpg", nil),
    ]

    @Test(arguments: paths.indices) func picturesAreFoundByWhatIsLeftOfTheirPaths(_ index: Int) throws {
        let (name, expected) = Self.paths[index]
        let folder = try TemporaryFolder()
        for path in ["images/b.jpg", "images/c d.jpg", "100%.jpg", "# 1.jpg", "train/a.jpg", "val/a.jpg", "what.jpg"] {
            try folder.write("x", "set/\(path)")
        }
        try folder.write("x", "secret.jpg")
        var finder = PictureFinder(folder: folder("set"))
        do {
            #expect(try finder.find(name) == expected)
            #expect(finder.unused == 6)
        } catch {
            #expect(expected == nil, "\(error)")
        }
        // Readings name pictures of a dataset in the same ways, without regard to endings.
        let samples = ["images/b.jpg", "images/c d.jpg", "100%.jpg", "# 1.jpg", "train/a.jpg", "val/a.jpg"].map {
            Sample(
                id: "id of \($0)",
                image: $0,
                category: .horizontal,
                title: nil,
                transcription: "x",
                orientation: .upright
            )
        }
        let isByCase = name.lowercased() != name && expected == "images/b.jpg" && !name.contains("b.jpg")
        let found = try? SampleFinder(samples).find([name])
        #expect(found.map { samples[$0].image } == (isByCase || name.hasPrefix("0a1b") ? nil : expected))
    }

    @Test func bothPicturesOfOneNameAreNamed() throws {
        let folder = try TemporaryFolder()
        for path in ["train/a.jpg", "val/a.jpg"] { try folder.write("x", path) }
        var finder = PictureFinder(folder: folder.path)
        let error = #expect(throws: ImportFault.self) { try finder.find("images/a.jpg") }
        #expect(error?.messages == ["picture \"images/a.jpg\" is ambiguous: train/a.jpg or val/a.jpg"])
    }

    /// One file of a name cannot be the two that labels tell apart.
    @Test(
        arguments: [
            (["train/a.jpg", "val/a.jpg"], false), (["val/a.jpg", "train/a.jpg"], false),
            (["x/a.jpg", "y/a.jpg"], false),
            (["/u/0a1b2c3d-a.jpg", "/u/ffffffff-a.jpg"], false), (["val/a.jpg", "a.jpg", "./val/a.jpg", "a"], true),
            (["x/a.jpg", "x\\a.jpg", "x/./a.jpg"], true),
        ] as [([String], Bool)]
    )
    func oneFileIsNotTwoPictures(_ names: [String], _ isRight: Bool) throws {
        let folder = try TemporaryFolder()
        try folder.write("x", "val/a.jpg")
        var finder = PictureFinder(folder: folder.path)
        let found = names.map { name in (try? finder.find(name)) ?? "refused" }
        #expect(found == (isRight ? names.map { _ in "val/a.jpg" } : ["val/a.jpg", "refused"]))
    }
}
