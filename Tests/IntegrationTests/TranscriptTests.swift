import TestSupport
import Testing

@Suite(.tags(.program), .inTurns, .needsProgram) struct TranscriptTests {
    private func run(_ transcript: Transcript) throws {
        try transcript.run { line, problem in
            let path = "\(Transcript.folder)/\(transcript.file)"
            let place = SourceLocation(
                fileID: "IntegrationTests/\(transcript.file)",
                filePath: path,
                line: line,
                column: 1
            )
            Issue.record("\(problem)", sourceLocation: place)
        }
    }

    @Test(arguments: Transcript.all.filter(\.canRun))
    func sessionGoesAsWritten(_ transcript: Transcript) throws { try run(transcript) }

    @Test(
        .enabled(if: Transcript.all.allSatisfy(\.canRun), "networks, python3 or Linux are missing for these"),
        arguments: Transcript.all.filter { !$0.canRun }
    )
    func sessionOfAnotherMachineGoesAsWritten(_ transcript: Transcript) throws { try run(transcript) }

    /// Lines of which each states something that is not so, with the number of reports.
    @Test(arguments: [
        ("$ bogus", 1), ("$ bogus\n[0]", 1), ("$ --version\n[2] spinebench", 1), ("$ --version\n[0] nonsense", 1),
        ("$ --version\n=", 1), ("$ --version\n= spinebench", 1), ("% printf 'a\\nb\\n'\n= a", 1),
        ("% echo a\n= a\n= b", 1), ("% echo a\n2> a", 1), ("% echo a >&2\n> a", 1), ("% echo a\n!> a", 1),
        ("% echo a\n>", 1), ("+ a", 1), ("a = b\n! a", 1), ("a = b\na: c", 1), ("a = b\na !: b", 1),
        ("a = b\na: 2 lines", 1), ("a: b", 1), ("say hello", 1), ("only once", 1), ("$ --version\n[x]", 1),
        ("a = {\"b\": [1, 2]}\njson a b.* [1]\njson a b.0 2\njson a b.9 1\njson a b.* 2...\njson a c 0...", 5),
        ("% echo '[1]'\njson - 0 2\njson - count 2", 2),
    ])
    func whatIsNotSoIsReported(_ text: String, _ count: Int) throws {
        var reports: [Int] = []
        for transcript in Transcript.sections(of: text, in: "made") {
            try transcript.run { line, _ in reports.append(line) }
        }
        #expect(reports.count == count, "\(reports)")
    }

    @Test func whatIsSoIsNotReported() throws {
        let text = """
            # a
            # a comment
            env WORD=hello
            dataset set 2 title=Dune group=
            label set b author="A B" legible=false
            set/samples.jsonl: 3 lines
            json set/samples.jsonl *.title ["Dune", "Dune", "WINTER HARBOUR"]
            json set/samples.jsonl 2.legible false
            picture b.png 4x3
            a.txt =
                one
                  two $PWD
            a.txt: 2 lines
            % echo "$WORD"; cat a.txt; echo oops >&2; exit 3
            = hello
            = one
            =   two $PWD
            [2 3] oops
            2> oops
            > two
            !> three
            + a.txt set/a.png b.png
            ! c

            # b
            ! a.txt
            $ --version > v
            =
            v: spinebench
            json set/none a 1
            """
        let sections = Transcript.sections(of: text, in: "made")
        #expect(sections.map(\.title.text) == ["a", "b"])
        var reports: [Int] = []
        for section in sections { try section.run { line, _ in reports.append(line) } }
        #expect(reports == [30])
    }
}
