import Basics
import Composition
import Foundation
import Harness
import ScanningPolicies

struct Dashboard {
    var snapshot: WatchSnapshot
    /// Width in columns.
    var width: Int
    var hasColour: Bool

    static func columns(width: Int) -> Int { max(8, min(60, width - 48)) }

    var lines: [String] {
        var lines = [Line](heading)
        for measurement in snapshot.measurements { lines += block(measurement) }
        if !snapshot.alertHistory.isEmpty {
            lines.append(Line())
            lines.append(Line("Alerts", .bold))
            lines += snapshot.alertHistory.suffix(6).map(alert)
        }
        return lines.map { $0.text(width: width, hasColour: hasColour) }
    }

    private var heading: [Line] {
        var title = Line(PlainLine.of(snapshot.name), .bold)
        title.add("  ")
        switch snapshot.phase {
        case .running: title.add("running", .green)
        case .stopped: title.add("stopped", .red)
        case .finished: title.add("finished", .green)
        }
        if let elapsed = snapshot.elapsedSeconds { title.add(" · \(NumberText.span(seconds: elapsed))") }
        if let left = snapshot.secondsLeft { title.add(" · about \(NumberText.span(seconds: left)) left") }
        let sources: [String?] = [
            snapshot.tool, snapshot.suite.map { "suite \($0)" }, snapshot.datasets.joined(separator: ", "),
        ]
        var lines = [title, Line(PlainLine.of(sources.compactMap(\.self).joined(separator: " · ")), .dim)]
        if let silent = snapshot.silentSeconds { lines.append(Line(Self.silence(snapshot.phase, silent), .yellow)) }
        if snapshot.unreadableLines > 0 {
            lines.append(Line("\(NumberText.count(snapshot.unreadableLines, "unreadable line"))", .yellow))
        }
        return lines
    }

    static func silence(_ phase: WatchSnapshot.Phase, _ seconds: Double) -> String {
        let span = NumberText.span(seconds: seconds)
        return phase == .stopped
            ? "no progress for \(span), and no process writes to the folder: the run was stopped or killed"
            : "no progress for \(span); the run's process is still running"
    }

    private func block(_ measurement: WatchSnapshot.Measurement) -> [Line] {
        var head = Line(PlainLine.of(measurement.id), .bold)
        head.pad(to: 18)
        head.add("  \(measurement.stage.rawValue)", measurement.stage == .abandoned ? .red : .plain)
        head.pad(to: 30)
        if let total = measurement.total {
            let barWidth = max(8, min(30, width - 64))
            let filled = total == 0 ? barWidth : min(barWidth, barWidth * measurement.done / total)
            head.add(
                String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
                    + " \(measurement.done)/\(total)"
            )
        } else {
            head.add(NumberText.count(measurement.done, "reading"))
        }
        if let left = measurement.secondsLeft { head.add(", \(NumberText.span(seconds: left)) left") }
        if measurement.failed > 0 { head.add(", \(measurement.failed) failed", .red) }
        if measurement.lostWorkers > 0 {
            head.add(", \(NumberText.count(measurement.lostWorkers, "worker")) lost", .red)
        }
        return [Line(), head] + latency(measurement) + memory(measurement) + battery(measurement)
    }

    private func latency(_ measurement: WatchSnapshot.Measurement) -> [Line] {
        guard let p50 = measurement.p50, let p95 = measurement.p95 else { return [] }
        let columns = Self.columns(width: width)
        let top = measurement.series.map(\.p95).max() ?? 0
        func row(_ name: String, _ value: Double, _ values: [Double], _ style: Line.Style) -> Line {
            var line = Line(figure: name, NumberText.milliseconds(value), style)
            line.add(Sparkline.of(values, bottom: 0, top: top, width: columns))
            return line
        }
        let isMissed = measurement.target.map { p95 >= $0 } ?? false
        var second = row("P95", p95, measurement.series.map(\.p95), isMissed ? .yellow : .plain)
        if let target = measurement.target { second.add("  target < \(NumberText.milliseconds(target))", .dim) }
        return [row("P50", p50, measurement.series.map(\.p50), .plain), second]
    }

    private func memory(_ measurement: WatchSnapshot.Measurement) -> [Line] {
        guard let footprint = measurement.footprintBytes else { return [] }
        let values = measurement.series.compactMap { $0.footprintBytes.map(Double.init) }
        var line = Line(figure: "footprint", NumberText.megabytes(Double(footprint)))
        // Scaled from the minimum: small changes of much memory are relevant here.
        line.add(
            Sparkline.of(values, bottom: values.min() ?? 0, top: values.max() ?? 0, width: Self.columns(width: width))
        )
        if let least = values.min() { line.add("  from \(NumberText.megabytes(least))", .dim) }
        if let peak = measurement.peakFootprintBytes { line.add("  peak \(NumberText.megabytes(Double(peak)))", .dim) }
        return [line]
    }

    private func battery(_ measurement: WatchSnapshot.Measurement) -> [Line] {
        guard let battery = measurement.battery else { return [] }
        var line = Line("  battery")
        line.pad(to: 12)
        line.add("\(NumberText.fixed(battery.energyPercentPerMinute, 2)) %/min")
        line.add(
            " (\(NumberText.fixed(battery.readerPercentPerMinute, 2)) the reader)  modelled for \(PlainLine.of(battery.device)) by its CPU at one reading a second; seed formula "
                + "\(NumberText.fixed(battery.seedPercentPerMinute, 2)) %/min",
            .dim
        )
        return [line]
    }

    private func alert(_ alert: WatchSnapshot.Alert) -> Line {
        var line = Line("  \(NumberText.span(seconds: alert.seconds))")
        line.pad(to: 16)
        let style: Line.Style =
            switch alert.severity {
            case _ where alert.isOver: .green
            case .critical: .red
            case .warning: .yellow
            case .info: .blue
            }
        line.add(alert.isOver ? "over" : alert.severity.rawValue, style)
        line.pad(to: 26)
        line.add(PlainLine.of(alert.message))
        return line
    }
}

/// A line in parts, each with its own style, that can be cut at a width.
struct Line: Equatable {
    enum Style: String {
        case plain = ""
        case bold = "1"
        case dim = "2"
        case red = "1;31"
        case green = "1;32"
        case yellow = "1;33"
        case blue = "1;34"
    }

    private struct Part: Equatable {
        var text: String
        var style: Style
    }

    private var parts: [Part] = []

    init(_ text: String = "", _ style: Style = .plain) { add(text, style) }

    /// Creates the beginning of a line about a figure.
    init(figure name: String, _ value: String, _ style: Style = .plain) {
        self.init("  \(name)")
        pad(to: 12)
        add(value, style)
        pad(to: 24)
    }

    private var width: Int { parts.reduce(0) { $0 + $1.text.count } }

    mutating func add(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { parts.append(Part(text: text, style: style)) }
    }

    /// Appends spaces up to a column, and at least one beyond it.
    mutating func pad(to column: Int) {
        add(String(repeating: " ", count: max(width == 0 ? 0 : 1, column - width)))
    }

    func text(width: Int, hasColour: Bool) -> String {
        var (text, left) = ("", max(1, width))
        for part in parts {
            let piece = String(part.text.prefix(left))
            left -= piece.count
            text += hasColour && part.style != .plain ? "\u{1B}[\(part.style.rawValue)m\(piece)\u{1B}[0m" : piece
            if left == 0 { break }
        }
        return text
    }
}

enum Sparkline {
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    /// Returns a block character for each of the last `width` numbers; `bottom` and `top` are the values of the
    /// lowest and the highest block.
    static func of(_ values: [Double], bottom: Double, top: Double, width: Int) -> String {
        String(
            values.suffix(max(0, width)).map { value in
                guard top > bottom, value > bottom else { return blocks[0] }
                let share = (min(value, top) - bottom) / (top - bottom)
                return blocks[min(blocks.count - 1, Int(share * Double(blocks.count)))]
            }
        )
    }
}
