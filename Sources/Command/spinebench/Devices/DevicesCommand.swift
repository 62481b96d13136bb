import ArgumentParser

/// Commands about devices.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Lists devices, shows one in full, checks profiles, and reads what was recorded on a real one.",
        discussion: """
            For example:

              spinebench devices
              spinebench devices "iPhone 12"
              spinebench devices check mine/*.json
              spinebench devices import-trace log.jsonl --device "iPhone 15 Pro" --out mine/iphone-15-pro.json

            A profile says what is known of a device's speed, heat, battery and memory, and how far each figure can be \
            trusted. Devices/README.md explains the format, Devices/TRACES.md that of recordings.

            Exit codes: 0 nothing to complain about, 2 wrong usage, no such device, or a wrong profile or recording.
            """,
        subcommands: [DevicesShow.self, DevicesCheck.self, DevicesImportTrace.self],
        defaultSubcommand: DevicesShow.self
    )
}
