import DeviceSimulation
import Foundation

// How fast sessions are simulated, what takes the time, and whether shards merge to the bytes of one run.
//
//     device-check [SESSIONS]

let sessions = CommandLine.arguments.dropFirst().first.map { Int($0) } ?? 200
guard let sessions, sessions > 0, CommandLine.arguments.count <= 2 else {
    try? FileHandle.standardError.write(contentsOf: Data("usage: device-check [SESSIONS]\n".utf8))
    exit(2)
}

do {
    let speed = try SpeedCheck.run(sessions: sessions)
    let shards = try ShardCheck.run(sessions: sessions)
    exit(speed && shards ? 0 : 1)
} catch {
    try? FileHandle.standardError.write(contentsOf: Data("error: \(error)\n".utf8))
    exit(1)
}
