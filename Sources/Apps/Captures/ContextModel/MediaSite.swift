public import Foundation

/// Kind of a place of the web where pieces are played.
public enum MediaSite: Sendable, Equatable {
    /// Music and nothing else, or little.
    case music
    /// Films, and music among them.
    case films

    /// Creates the site of a piece, by its address; nil for any other address, and for the first page of such a site.
    public init?(_ url: URL) {
        guard var host = url.host()?.lowercased(), url.pathComponents.count > 1 else { return nil }
        for prefix in ["www.", "m."] where host.hasPrefix(prefix) { host.removeFirst(prefix.count) }
        if Self.musicHosts.contains(host) || host.hasSuffix(".bandcamp.com") {
            self = .music
        } else if Self.filmHosts.contains(host) {
            self = .films
        } else {
            return nil
        }
    }

    private static let musicHosts: Set<String> = [
        "open.spotify.com", "music.apple.com", "music.youtube.com", "music.amazon.com", "soundcloud.com", "deezer.com",
        "tidal.com", "listen.tidal.com",
    ]

    private static let filmHosts: Set<String> = [
        "youtube.com", "youtu.be", "vimeo.com", "dailymotion.com", "netflix.com", "twitch.tv", "tv.apple.com",
    ]
}
