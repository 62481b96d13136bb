import Composition
import Foundation
import HTTPTypes
import Hummingbird

struct WatchServer: Sendable {
    var follower: RunFollower
    /// 0 for a free one.
    var port: Int
    var onRunning: @Sendable (_ port: Int) async -> Void = LocalPage.announce

    /// Returns the server, not yet running.
    func application() -> some ApplicationProtocol {
        let run = FollowedRun(follower)
        return LocalPage.server(port: port, onRunning: onRunning) { request in
            switch request.uri.path {
            case "/": LocalPage.answer(.ok, PackageResources.watch_html, "text/html; charset=utf-8")
            case "/watch.css": LocalPage.answer(.ok, PackageResources.watch_css, "text/css; charset=utf-8")
            case "/watch.js": LocalPage.answer(.ok, PackageResources.watch_js, "text/javascript; charset=utf-8")
            case "/state": LocalPage.answer(.ok, (await run.state() + "\n").utf8, "application/json")
            default: LocalPage.answer(.notFound, "Not found; the page is at /.\n".utf8)
            }
        }
    }

    static func json(_ snapshot: WatchSnapshot) -> String {
        // Numbers in a snapshot are finite: encoding them cannot fail.
        (try? JSONText.line(snapshot)) ?? "{}"
    }
}

/// A run whose folder is read each time that a page asks for its state.
private actor FollowedRun {
    private var follower: RunFollower

    init(_ follower: RunFollower) { self.follower = follower }

    func state() -> String {
        let now = Date()
        _ = follower.poll(now: now)
        return WatchServer.json(follower.snapshot(now: now))
    }
}
