import Foundation
import Synchronization

/// Passes what is new of a run on to every page that is open.
final class WatchHub: Sendable {
    /// The whole state of a run at one moment.
    struct Frame: Sendable, Equatable {
        /// Counted from 1.
        var version: Int
        /// One line.
        var json: String
        /// Whether the run is finished.
        var isFinal: Bool
    }

    private struct State {
        var frame: Frame
        var pages: [Int: AsyncStream<Frame>.Continuation] = [:]
        var lastPage = 0
    }

    private let state: Mutex<State>
    /// Tells this server's frames from those of one before it.
    let epoch: Int

    /// - Parameters:
    ///   - first: what a page is shown before there is news.
    ///   - epoch: another one for each start.
    init(first: Frame, epoch: Int) {
        state = Mutex(State(frame: first))
        self.epoch = epoch
    }

    /// What a frame is known by to a page that comes back.
    func id(of frame: Frame) -> String { "\(epoch)-\(frame.version)" }

    /// The newest.
    var frame: Frame { state.withLock { $0.frame } }

    /// How many pages are open.
    var pageCount: Int { state.withLock { $0.pages.count } }

    /// Passes something new on.
    func publish(_ json: String, isFinal: Bool) {
        state.withLock { state in
            state.frame = Frame(version: state.frame.version + 1, json: json, isFinal: isFinal)
            for page in state.pages.values { page.yield(state.frame) }
        }
    }

    /// Sends the newest again, as a sign of life.
    func beat() {
        state.withLock { state in
            for page in state.pages.values { page.yield(state.frame) }
        }
    }

    /// What a page that has just been opened is to show: the newest, then what follows.
    ///
    /// A page that is slow gets the newest alone: each is the whole state.
    ///
    /// - Returns: the frames, without end, and what ends them.
    func open() -> (frames: AsyncStream<Frame>, close: @Sendable () -> Void) {
        let (frames, page) = AsyncStream.makeStream(of: Frame.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastPage += 1
            state.pages[state.lastPage] = page
            page.yield(state.frame)
            return state.lastPage
        }
        page.onTermination = { [weak self] _ in self?.remove(number) }
        return (frames, { page.finish() })
    }

    private func remove(_ page: Int) { state.withLock { $0.pages[page] = nil } }
}
