import ArgumentParser

@main struct TalariaCommand: ParsableCommand {
    func run() {}
}
