import Basics
import Foundation

/// Recorded trace of an accelerometer.
package struct MotionTrace: Sendable, Equatable {
    struct Sample: Sendable, Equatable {
        /// Seconds since any beginning.
        var time: Double
        /// Along the device's axes, in g.
        var x: Double
        var y: Double
        var z: Double
    }

    /// Bytes of the largest file.
    package static let mostBytes = 4 << 20
    /// Standard gravity, in m/s² (CGPM 1901).
    static let gravity = 9.80665
    /// The largest acceleration that is believed, in g.
    static let mostAcceleration = 50.0
    /// Windows that are kept, the last ones: five minutes.
    static let mostWindows = 60
    /// Seconds of a window: as of the published epochs (5 or 6 s).
    static let windowSeconds = 5.0
    /// The longest time between two samples of a window, in seconds.
    static let longestGap = 0.5
    /// Minimum number of samples a second: twice the highest examined frequency.
    static let leastRate = 10.0
    /// Maximum of seconds from zero, for any clock with a resolution of a tenth of a millisecond.
    static let mostTime = 1e11

    let samples: [Sample]

    init(_ samples: [Sample], name: String) throws(CaptureError) {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= Self.windowSeconds else {
            let length = (samples.last?.time ?? 0) - (samples.first?.time ?? 0)
            let most = "has \(samples.count) samples over \(Self.text(length)) s"
            throw CaptureError(name, "\(most); at least \(Self.text(Self.windowSeconds)) s are needed")
        }
        var gaps: [Double] = []
        guard abs(first.time) <= Self.mostTime, abs(last.time) <= Self.mostTime else {
            throw CaptureError(
                name,
                "lasts from \(first.time) to \(last.time) s; at most \(Self.mostTime) s are accepted"
            )
        }
        for (index, pair) in zip(samples, samples.dropFirst()).enumerated() {
            let gap = pair.1.time - pair.0.time
            guard gap > 0 else {
                throw CaptureError(
                    name,
                    "sample \(index + 2) at \(Self.text(pair.1.time)) s follows one at \(Self.text(pair.0.time)) s; expected increasing times"
                )
            }
            gaps.append(gap)
        }
        let median = gaps.sorted()[gaps.count / 2]
        // A tenth of tolerance, as clocks are not exact.
        guard median <= 1.1 / Self.leastRate else {
            throw CaptureError(
                name,
                "has \(Self.text(1 / median)) samples per second; at least \(Self.text(Self.leastRate)) are needed"
            )
        }
        let magnitudes = samples.map(\.magnitude).sorted()
        let middle = magnitudes[magnitudes.count / 2]
        guard (0.3...4).contains(middle) else {
            throw CaptureError(
                name,
                "the median acceleration is \(Self.text(middle)) g; expected about 1 g: check the unit, and that gravity is included"
            )
        }
        self.samples = samples
    }

    /// Reads a CSV file: a header that names time (s), x, y and z with their unit (g or m/s²), and a sample a line.
    ///
    ///     time_s,x_g,y_g,z_g            time (s),x (m/s²),y (m/s²),z (m/s²)
    ///     0.00,0.01,-0.02,0.99          0.00,0.1,-0.2,9.71
    ///
    /// Further columns are passed over.
    package init(csv bytes: [UInt8], name: String) throws(CaptureError) {
        guard bytes.count <= Self.mostBytes else {
            throw CaptureError(name, "has \(bytes.count) bytes; at most \(Self.mostBytes) are accepted")
        }
        guard let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else {
            throw CaptureError(name, "not UTF-8 text; expected a CSV file")
        }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard let header = lines.first.map(String.init), !header.isEmpty else {
            throw CaptureError(name, "line 1 is empty; expected a header such as 'time_s,x_g,y_g,z_g'")
        }
        let columns = try Columns(header, name: name)
        var samples: [Sample] = []
        samples.reserveCapacity(lines.count)
        for (index, line) in lines.enumerated().dropFirst() where !line.allSatisfy(\.isWhitespace) {
            let fields = line.split(separator: columns.separator, omittingEmptySubsequences: false)
            func number(_ column: Int) throws(CaptureError) -> Double {
                let field = column < fields.count ? fields[column].trimmingCharacters(in: .whitespaces) : ""
                guard let value = Double(field), value.isFinite else {
                    throw CaptureError(
                        name,
                        "line \(index + 1), column \(column + 1) is '\(field.prefix(40))'; expected a number"
                    )
                }
                return value
            }
            let time = try number(columns.time)
            guard abs(time) <= Self.mostTime else {
                throw CaptureError(name, "line \(index + 1) is at \(time) s; at most \(Self.mostTime) s are accepted")
            }
            var axes: [Double] = []
            for column in columns.axes {
                let value = try number(column) / columns.unit
                guard abs(value) <= Self.mostAcceleration else {
                    throw CaptureError(
                        name,
                        "line \(index + 1), column \(column + 1) is \(Self.text(value)) g; at most \(Self.text(Self.mostAcceleration)) g are accepted"
                    )
                }
                axes.append(value)
            }
            if let last = samples.last, time <= last.time {
                throw CaptureError(
                    name,
                    "line \(index + 1) at \(Self.text(time)) s follows one at \(Self.text(last.time)) s; expected increasing times"
                )
            }
            samples.append(Sample(time: time, x: axes[0], y: axes[1], z: axes[2]))
        }
        try self.init(samples, name: name)
    }

    private struct Columns {
        var separator: Character
        var time: Int
        var axes: [Int]
        /// Divisor that makes g.
        var unit: Double

        init(_ header: String, name: String) throws(CaptureError) {
            separator = [";", "\t"].first { header.contains($0) } ?? ","
            let names = header.lowercased().split(separator: separator, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces.union(CharacterSet(charactersIn: "\""))) }
            var found: [String: (column: Int, unit: String)] = [:]
            for (column, text) in names.enumerated() {
                // "x (m/s²)", "x_g", "x [g]", "accel_x_ms2": words, of which the last may be the unit.
                let words = text.replacing("m/s²", with: "ms2").replacing("m/s^2", with: "ms2").replacing(
                    "m/s2",
                    with: "ms2"
                )
                .split { !$0.isLetter && !$0.isNumber }.map(String.init)
                let units = words.filter { ["g", "ms2", "s", "ms", "us", "ns"].contains($0) }
                guard let axis = words.first(where: { ["time", "t", "seconds", "x", "y", "z"].contains($0) }),
                    case let key = ["t", "seconds"].contains(axis) ? "time" : axis, found[key] == nil
                else { continue }
                found[key] = (column, axis == "seconds" ? "s" : units.last ?? "")
            }
            guard let time = found["time"], let x = found["x"], let y = found["y"], let z = found["z"] else {
                throw CaptureError(
                    name,
                    "line 1 is '\(header.prefix(100))'; expected columns for time, x, y and z, such as 'time_s,x_g,y_g,z_g'"
                )
            }
            guard ["", "s"].contains(time.unit) else {
                throw CaptureError(name, "line 1 has times in \(time.unit); expected seconds ('time_s')")
            }
            guard Set([x.unit, y.unit, z.unit]).count == 1, ["g", "ms2"].contains(x.unit) else {
                throw CaptureError(
                    name,
                    "line 1 is '\(header.prefix(100))'; expected one unit for all axes, g or m/s² ('x_g' or 'x (m/s²)')"
                )
            }
            self.time = time.column
            axes = [x.column, y.column, z.column]
            unit = x.unit == "g" ? 1 : MotionTrace.gravity
        }
    }

    private static func text(_ number: Double) -> String {
        String(format: "%.4g", locale: Locale(identifier: "en_US_POSIX"), number)
    }

    // MARK: - Features

    /// Features of windows of five seconds, end to end, the last ``mostWindows``; those with gaps are omitted.
    package func record(claimsAutomotive: Bool = false) -> MotionRecord {
        var windows: [MotionRecord.Window] = []
        var start = 0
        while start < samples.count {
            let end = samples[start...].firstIndex { $0.time >= samples[start].time + Self.windowSeconds }
            guard let end else { break }
            let window = samples[start..<end]
            let gap = zip(window, window.dropFirst()).map { $1.time - $0.time }.max() ?? .infinity
            if gap <= Self.longestGap { windows.append(Self.features(window)) }
            start = end
        }
        return MotionRecord(windows: Array(windows.suffix(Self.mostWindows)), claimsAutomotive: claimsAutomotive)
    }

    /// Examined frequencies, in steps of 0.05 Hz.
    private static let frequencies = stride(from: 0.5, through: 5.0001, by: 0.05).map { $0 }

    /// Features of a window: the spectrum is that of the magnitude less its mean, under Hann's window, at the times
    /// of the samples.
    private static func features(_ window: ArraySlice<Sample>) -> MotionRecord.Window {
        let magnitudes = window.map(\.magnitude)
        let mean = magnitudes.reduce(0, +) / Double(magnitudes.count)
        let deviation = magnitudes.reduce(0) { $0 + abs($1 - mean) } / Double(magnitudes.count)
        guard let first = window.first?.time, deviation > 1e-6 else {
            return MotionRecord.Window(deviation: deviation, frequency: nil, share: 0, shaking: 0)
        }
        let times = window.map { $0.time - first }
        let weights = times.map { 0.5 - 0.5 * cos(2 * .pi * $0 / windowSeconds) }
        let weighted = zip(magnitudes, weights).map { ($0 - mean) * $1 }
        let amplitudes = frequencies.map { frequency in
            var (real, imaginary) = (0.0, 0.0)
            for (value, time) in zip(weighted, times) {
                let angle = 2 * .pi * frequency * time
                real += value * cos(angle)
                imaginary += value * sin(angle)
            }
            return (real * real + imaginary * imaginary).squareRoot()
        }
        let frequency = stepFrequency(amplitudes)
        let power = amplitudes.map { $0 * $0 }
        let total = power.reduce(0, +)
        let near = zip(frequencies, power).filter { abs($0.0 - frequency) <= 0.3 }.reduce(0) { $0 + $1.1 }
        // Share of the steps of 0.05 Hz in the total variance, by Parseval.
        let whole = weighted.reduce(0) { $0 + $1 * $1 } * Double(weighted.count) / 2
        let slow = total * 0.05 * windowSeconds
        return MotionRecord.Window(
            deviation: deviation,
            frequency: frequency,
            share: total > 0 ? near / total : 0,
            shaking: whole > 0 ? max(0, 1 - slow / whole) : 0
        )
    }

    /// Returns the frequency of steps or other periodic motion: the strongest, or half of it where that is a
    /// walker's.
    ///
    /// Each step has harmonics, and one may be stronger than the step itself, by up to 2.5 times
    /// (``ActivityClassifier``).
    private static func stepFrequency(_ amplitudes: [Double]) -> Double {
        let top = amplitudes.indices.max { amplitudes[$0] < amplitudes[$1] } ?? 0
        let half = frequencies[top] / 2
        guard ActivityClassifier.walking.contains(half) else { return frequencies[top] }
        let near = frequencies.indices.filter { abs(frequencies[$0] - half) <= 0.151 }
        guard let best = near.max(by: { amplitudes[$0] < amplitudes[$1] }),
            amplitudes[best] * ActivityClassifier.mostHarmonic >= amplitudes[top]
        else { return frequencies[top] }
        return frequencies[best]
    }
}

extension MotionTrace.Sample {
    /// Length of the vector, in g: the same however the device is turned.
    var magnitude: Double { (x * x + y * y + z * z).squareRoot() }
}

/// Motion of a device around a capture: the stored part of a recorded trace, window by window.
package struct MotionRecord: Codable, Sendable, Equatable {
    /// Features of the magnitude of acceleration over a window.
    package struct Window: Codable, Sendable, Equatable {
        /// Mean amplitude deviation (MAD): mean distance of the magnitude from its mean, in g.
        var deviation: Double
        /// Dominant frequency from 0.5 to 5 Hz; nil where nothing moves.
        var frequency: Double?
        /// Share of the power from 0.5 to 5 Hz that is within 0.3 Hz of ``frequency``, 0 to 1.
        var share: Double
        /// Share of the variance that is not below 5 Hz: shaking, 0 to 1.
        var shaking: Double
    }

    /// Windows in the order of time; none where only a claim is known.
    var windows: [Window]
    /// Whether the user claims to have been in a car: a simulated state without a measurement (S4-31).
    package var claimsAutomotive: Bool

    package init(windows: [Window] = [], claimsAutomotive: Bool = false) {
        (self.windows, self.claimsAutomotive) = (windows, claimsAutomotive)
    }
}

/// A file or address that cannot be captured, and why.
package struct CaptureError: Error, Equatable, CustomStringConvertible {
    package let description: String

    /// Creates an error of a file or an address; control characters of its name are escaped: "a\\nb".
    package init(_ name: String, _ problem: String) {
        let escaped = name.unicodeScalars.map { scalar in
            SafeText.isForbidden(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
        }
        description = "\(escaped.joined()): \(problem)"
    }
}
