package import SpineDatasets

/// Datasets, folder and callbacks of a run or of a live comparison.
package struct RunSetup: Sendable {
    package let datasets: [Dataset]
    package let folder: RunFolder
    let cache: CompileCache
    let judge: BookJudge
    let interruption: Interruption
    let progress: @Sendable (RunProgress) -> Void

    /// - Parameters:
    ///   - datasets: those that the configuration names, in its order.
    ///   - folder: takes records and events as they come.
    ///   - cache: is filled before anything is measured.
    ///   - judge: says whether the right book was named.
    ///   - interruption: what may stop the run from elsewhere.
    ///   - progress: called on the thread that runs.
    package init(
        datasets: [Dataset],
        folder: RunFolder,
        cache: CompileCache = .none,
        judge: BookJudge = .none,
        interruption: Interruption = Interruption(),
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) {
        self.datasets = datasets
        self.folder = folder
        self.cache = cache
        self.judge = judge
        self.interruption = interruption
        self.progress = progress
    }
}
