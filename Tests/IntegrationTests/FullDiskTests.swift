import Foundation
import TestSupport
import Testing

/// Sessions on a full disk, beside the journal of a killed program: on a disk in memory, where the system permits one.
@Suite(.tags(.program)) struct FullDiskTests {
    /// Captures twelve notes and a picture while `studio` runs, kills that, fills the disk, and deletes the session.
    private static let script = """
        set -e
        mount -t tmpfs -o size=24m none "$2"
        cd "$2"
        "$1" studio --codes-only --port 0 --store s.sqlite 2> /dev/null &
        studio=$!
        trap 'kill -9 $studio' EXIT
        until [ -e s.sqlite.reserve ]; do kill -0 $studio; sleep 0.1; done
        exec 9> s.sqlite.lock; flock 9
        cp "$3" a.png; "$1" capture a.png --later --store s.sqlite
        for number in 1 2 3 4 5 6 7 8 9 10 11 12; do
            (echo "Note $number"; head -c 40000 /dev/zero | tr "\\0" a) > note.txt
            "$1" capture note.txt --later --session latest --store s.sqlite
        done
        kill -9 $studio; wait $studio || true
        trap - EXIT
        exec 9>&-
        ls s.sqlite-wal > /dev/null
        for name in $4; do rm s.sqlite$name; done
        cat /dev/zero > fill 2> /dev/null || true
        code=0
        "$1" sessions delete latest --store s.sqlite > /dev/null 2> "$3.errors" || code=$?
        pictures=$(ls s.sqlite.pictures | grep -vc lock || true)
        rm fill
        items=$("$1" sessions list --json --store s.sqlite | wc -l)
        echo "$code $pictures $items"
        """

    private static func run(_ arguments: [String]) throws -> (code: Int32, output: String) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = ["--map-root-user", "--mount"] + arguments
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    private static let hasMounts =
        (try? run(["sh", "-c", "mount -t tmpfs none /mnt && command -v flock"]))?.code == 0

    /// Without the reserve, nothing is deleted, neither rows nor pictures, and the error says why.
    @Test(
        .enabled(
            if: hasMounts && Program.path != nil,
            "this system permits no disk in memory ('unshare --map-root-user --mount')"
        ),
        arguments: [("", "0 0 0"), ("-shm", "0 0 0"), (".reserve", "4 1 1"), ("-shm .reserve", "4 1 1")]
    )
    func aSessionIsDeletedOrStaysWhole(missing: String, expected: String) throws {
        try Folder.with { folder in
            let program = try #require(Program.path)
            try folder.write(TestPicture.tiny(), to: "a.png")
            try FileManager.default.createDirectory(atPath: folder("disk"), withIntermediateDirectories: true)
            let outcome = try Self.run([
                "sh", "-c", Self.script, "sh", program, folder("disk"), folder("a.png"), missing,
            ])
            #expect(outcome.output.split(separator: "\n").last.map(String.init) == expected)
            if missing.contains("reserve") {
                #expect(try folder.text(of: "a.png.errors").contains("nothing was deleted"))
            }
        }
    }
}
