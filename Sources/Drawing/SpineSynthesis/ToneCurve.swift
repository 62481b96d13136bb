import Foundation

/// Bytes to linear light and back, by table.
struct ToneCurve {
    /// The linear light, 0…1, of each byte.
    ///
    /// Source: IEC 61966-2-1 (sRGB).
    static let linear: [Float] = (0..<256).map { byte in
        let value = Double(byte) / 255
        return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
    }

    /// Intervals of the table.
    static let steps: Float = 4096
    /// Values 0…255 for light at even steps of 0…1, and one more so that the last step has an end.
    let table: [Float]

    /// - Parameter contrast: How far the curve goes from sRGB (0) towards an S over it (1).
    init(contrast: Double) {
        table = (0...Int(Self.steps) + 1).map { step in
            let light = min(1, Double(step) / Double(Self.steps))
            let value = light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
            let curved = value * value * (3 - 2 * value)
            return Float(255 * (value + contrast * (curved - value)))
        }
    }

    /// The value for some light, cut off at 0 and 1; `table` is this curve's.
    @inline(__always)
    static func value(_ light: Float, _ table: UnsafePointer<Float>) -> Float {
        let place = max(0, min(1, light)) * steps
        let step = Int(place)
        let low = table[step]
        return low + (table[step + 1] - low) * (place - Float(step))
    }
}
