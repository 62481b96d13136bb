import Basics
import Evaluation
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness
@testable import Results
@testable import spinebench_tools

@Suite struct BisectTests {
    private static func git(_ folder: GitFolder, _ arguments: String...) throws {
        let process = try Process.start(
            "/usr/bin/env",
            ["git", "-C", folder.path, "-c", "user.name=Test", "-c", "user.email=test@localhost"] + arguments,
            errors: FileHandle.nullDevice
        )
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "git \(arguments)")
    }

    /// A repository of a good commit and `count` after it, none of which changes a file.
    private static func repository(_ count: Int, in folder: TemporaryFolder) throws -> (GitFolder, [String]) {
        let repository = GitFolder(path: folder.path)
        try git(repository, "init", "--quiet")
        for number in 0...count { try git(repository, "commit", "--quiet", "--allow-empty", "-m", "build \(number)") }
        let commits = try repository.git("rev-list", "--reverse", "HEAD").split(separator: "\n").map(String.init)
        return (repository, commits)
    }

    private static func state(_ commits: [String], _ metric: Metric = .latency) -> Bisection.State {
        Bisection.State(
            repository: "",
            build: "",
            program: "",
            arguments: [],
            metric: metric,
            threshold: nil,
            rounds: 4,
            search: BisectSearch(good: commits[0], bad: commits[commits.count - 1], candidates: commits.count - 1)
        )
    }

    private static func evidence(_ change: Double, _ half: Double, rounds: Int = 4) -> BuildEvidence {
        BuildEvidence(change: change, lower: change - half, upper: change + half, rounds: rounds)
    }

    @Test func aBuildIsDecidedWhenItsWholeIntervalIsOnOneSide() {
        let rule = BisectRule(metric: .latency, threshold: 0.05)
        #expect(rule.verdict(Self.evidence(0.10, 0.04)) == .bad)
        #expect(rule.verdict(Self.evidence(0.00, 0.04)) == .good)
        #expect(rule.verdict(Self.evidence(0.08, 0.04)) == .undecided)
        #expect(rule.verdict(Self.evidence(0.05, 0)) == .undecided)
        #expect(BisectRule.Verdict.notBuilt.term == "skip" && BisectRule.Verdict.bad.term == "bad")
    }

    @Test func theRoundsFollowFromTheWidth() {
        let rule = BisectRule(metric: .latency, threshold: 0.05)
        // A half of 0.05 / (1 + 1.645 / 1.96) = 0.02718 is wanted: (0.05436 / 0.02718)² = 4 times the rounds, less rounding.
        #expect(rule.rounds(by: Self.evidence(0.10, 0.05436, rounds: 2)) == 8)
        #expect(rule.rounds(by: Self.evidence(0.10, 0.001)) == BisectRule.leastRounds)
        #expect(rule.rounds(by: Self.evidence(0.10, 1)) == BisectRule.mostRounds)
        // A change at the threshold tells no distance.
        #expect(rule.rounds(by: Self.evidence(0.05, 0.01)) == 4)
    }

    @Test func looksAreCombinedByTheirWidths() {
        // Weights 1 and 1/4: (0.10 + 0.05 / 4) / 1.25 = 0.09, and half 0.04 / √1.25 by hand.
        let both = Self.evidence(0.10, 0.04).combined(with: Self.evidence(0.05, 0.08))
        #expect(abs(both.change - 0.09) < 1e-12 && abs(both.halfWidth - 0.04 / 1.25.squareRoot()) < 1e-12)
        #expect(both.rounds == 8)
    }

    @Test func anEqualRepositoryHasNoFirstBadCommit() throws {
        let folder = try TemporaryFolder()
        let (repository, commits) = try Self.repository(3, in: folder)
        var bisection = Bisection(
            state: Self.state(commits),
            worktree: repository,
            save: { _ in },
            note: { _ in },
            build: { _ in true },
            measure: { _, rounds, _ in .success(Self.evidence(-0.01, 0.005, rounds: rounds)) }
        )
        #expect(try bisection.run() == .same(.good))
    }

    @Test func buildsThatFailAreSkippedAndMayHideTheCommit() throws {
        let folder = try TemporaryFolder()
        let (repository, commits) = try Self.repository(8, in: folder)
        func search(failing: Set<Int>) throws -> Bisection.Outcome {
            var bisection = Bisection(
                state: Self.state(commits),
                worktree: repository,
                save: { _ in },
                note: { _ in },
                build: { commit in !failing.contains(commits.firstIndex(of: commit) ?? 0) },
                measure: { commit, rounds, _ in
                    let isBad = (commits.firstIndex(of: commit) ?? 0) >= 5
                    return .success(Self.evidence(isBad ? 0.1 : 0, 0.01, rounds: rounds))
                }
            )
            return try bisection.run()
        }
        guard case .found(let commit, _) = try search(failing: [2, 4 - 1]) else {
            Issue.record("not found")
            return
        }
        #expect(commit == commits[5])
        guard case .open(let hidden) = try search(failing: [4, 5]) else {
            Issue.record("found, although the builds beside it failed")
            return
        }
        #expect(Set(hidden) == Set(commits[4...6]))
    }

    @Test func aKilledSearchContinuesWithItsDecisions() throws {
        struct Killed: Error {}
        let folder = try TemporaryFolder()
        let (repository, commits) = try Self.repository(16, in: folder)
        func isBad(_ commit: String) -> Bool { (commits.firstIndex(of: commit) ?? 0) >= 11 }
        var stored = Self.state(commits)
        var measured: [String] = []
        func bisection(killedAfter count: Int) -> Bisection {
            Bisection(
                state: stored,
                worktree: repository,
                save: { stored = $0 },
                note: { _ in },
                build: { _ in
                    if measured.count == count { throw Killed() }
                    return true
                },
                measure: { commit, rounds, _ in
                    measured.append(commit)
                    return .success(Self.evidence(isBad(commit) ? 0.1 : 0, 0.01, rounds: rounds))
                }
            )
        }
        for count in 1...3 {
            var killed = bisection(killedAfter: count)
            #expect(throws: Killed.self) { try killed.run() }
        }
        var last = bisection(killedAfter: .max)
        guard case .found(let commit, _) = try last.run() else {
            Issue.record("not found")
            return
        }
        #expect(commit == commits[11])
        // No build twice: the bad one, and four of sixteen.
        #expect(measured.count == Set(measured).count && measured.count == 5)
    }

    /// Latencies in ms of `spinebench compare fast fast --limit 24 --rounds 6` on a busy machine of two cores: of each round a line
    /// of A, of B and of A′, whose processes read in turns.
    private static let recorded = """
        476 489 504 402 309 664 576 428 352 904 261 426 613 665 357 797 565 938 625 524 420 675 724 696
        415 500 587 399 316 659 667 530 378 983 245 433 748 706 355 828 494 1039 794 515 407 699 828 750
        420 480 796 386 377 645 788 552 401 901 256 386 754 561 412 850 527 688 799 566 431 577 767 833
        485 536 760 350 424 975 940 400 436 965 327 559 583 576 331 764 755 691 632 623 357 561 620 934
        421 677 610 365 338 828 750 437 441 943 336 508 693 736 430 971 601 735 825 468 597 632 603 833
        553 809 783 393 357 647 705 660 380 932 311 459 620 634 423 815 528 789 688 579 480 608 690 829
        707 624 982 753 520 1164 1053 881 834 1677 488 453 1002 497 480 1009 510 1126 1345 531 591 770 976 696
        714 799 938 652 436 840 994 878 553 2113 467 454 1230 558 608 981 545 1108 1098 521 755 961 1055 759
        530 602 743 704 716 1022 1005 779 770 1289 431 489 907 679 597 1000 595 1157 1098 589 539 974 1050 742
        497 654 856 831 586 861 778 580 557 1176 460 632 995 710 532 984 563 888 1042 840 571 896 983 970
        620 660 963 691 563 824 999 648 742 1724 326 729 1018 677 500 923 584 1488 1235 902 491 935 1184 963
        530 668 933 668 516 1030 718 646 663 1293 338 644 1004 620 432 981 582 1344 1277 705 616 867 895 998
        665 578 703 687 465 971 895 691 574 1211 330 525 769 625 533 1471 599 941 679 640 535 615 627 720
        605 501 755 513 382 831 968 595 597 1666 306 525 787 673 461 1039 688 840 690 702 546 670 795 671
        516 520 920 726 480 954 1312 784 601 1286 445 627 786 777 469 1149 710 1133 667 875 505 648 720 734
        474 629 604 427 401 900 621 435 413 901 320 467 734 536 349 952 581 631 691 672 463 994 775 588
        491 673 631 451 342 728 668 419 520 1160 305 455 752 466 377 1098 592 722 708 658 797 702 715 862
        496 737 815 421 390 971 658 475 377 862 340 432 720 634 424 1116 723 735 729 1074 403 840 769 586
        """.split(separator: "\n").map { line in line.split(separator: " ").compactMap { Double($0) } }

    /// Compares a build that takes longer by `change` by drawing recorded rounds of 120 samples, with their sides in any order.
    private static func measured(
        _ change: Double,
        rounds: Int,
        _ random: inout SplitMix64
    ) -> Result<
        BuildEvidence, BisectError
    > {
        let samples = (0..<120).map { Sample.made("s\($0)") }
        let width = recorded[0].count
        var records: [[SampleRecord]] = [[], [], []]
        for round in 1...rounds {
            let process = Int(random.next() % UInt64(recorded.count / 3))
            let order = random.shuffled([0, 1, 2])
            for (position, sample) in samples.enumerated() {
                // Of one process most readings, and of other rounds the rest, as 24 samples are not enough.
                let from = position < 2 * width ? process : Int(random.next() % UInt64(recorded.count / 3))
                for side in 0..<3 {
                    var record = SampleRecord(
                        measurement: "\(side)",
                        repetition: round,
                        position: position,
                        id: sample.id
                    )
                    record.milliseconds =
                        recorded[3 * from + order[side]][position % width] * (side == 1 ? 1 + change : 1)
                    record.prediction = Prediction(lines: [])
                    records[side].append(record)
                }
            }
        }
        func set(_ side: Int) -> ReadingSet {
            ReadingSet(name: "\(side)", samples: samples, records: records[side], workers: [])
        }
        let noise = NoiseFloor(a: set(0), control: set(2)) { _, round in round }
        let comparison = Comparison(a: set(0), b: set(1), dataset: "recorded", noise: noise, tolerances: .standard)
        guard let row = comparison.rows.first(where: { $0.metric == .latency }) else {
            return .failure(.notMeasured("no latency"))
        }
        return BuildEvidence.of(row, rounds: rounds)
    }

    @Test func aPlantedTenthIsFoundInSixBuildsOfThirtyTwo() throws {
        let folder = try TemporaryFolder()
        let (repository, commits) = try Self.repository(32, in: folder)
        var random = SplitMix64(state: 34)
        var (found, most) = (0, 0)
        for _ in 0..<20 {
            let first = 1 + Int(random.next() % 32)
            var bisection = Bisection(
                state: Self.state(commits),
                worktree: repository,
                save: { _ in },
                note: { _ in },
                build: { _ in true },
                measure: { commit, rounds, _ in
                    let isBad = (commits.firstIndex(of: commit) ?? 0) >= first
                    return Self.measured(isBad ? 0.1 : 0, rounds: rounds, &random)
                }
            )
            if case .found(let commit, _) = try bisection.run(), commit == commits[first],
                bisection.state.compared <= bisection.state.search.mostBuilds
            {
                found += 1
            }
            most = max(most, bisection.state.compared)
        }
        #expect(Self.state(commits).search.mostBuilds == 6)
        #expect(found >= 19, "\(found) of 20, at most \(most) builds")
    }
}
