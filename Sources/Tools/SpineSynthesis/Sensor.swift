import Foundation
import Imaging

/// Phone's sensor and its processing: noise, smoothing, sharpening, tone.
struct Sensor {
    static let fullWell = 8000.0
    static let readNoise = 2.0
    /// Standard deviations of noise that a detail must exceed to be detected.
    private static let threshold: Float = 3
    /// Half of the binomial kernel, of one pixel's deviation, that separates detail from its surroundings.
    private static let halfKernel: [Float] = [6.0 / 16, 4.0 / 16, 1.0 / 16]

    private let iso: Double
    private let denoising: Double
    private let sharpening: Double
    private let contrast: Double

    init(_ camera: CameraSpecification) {
        (iso, denoising, sharpening, contrast) = (camera.iso, camera.denoising, camera.sharpening, camera.contrast)
    }

    /// Electrons that are white at this sensitivity.
    private var white: Double { Self.fullWell * 50 / max(iso, 1) }

    /// Returns the standard deviation of noise in linear light: photons arrive by chance, and reading adds its own.
    func deviation(at light: Double) -> Double {
        guard iso > 0 else { return 0 }
        return (light / white + (Self.readNoise / white) * (Self.readNoise / white)).squareRoot()
    }

    /// The luma noise of a mid grey (128) before smoothing, in steps of 0…255.
    private var rawSigma: Double {
        // Light 0.2159 is grey 128, where sRGB rises by 274 steps per unit of light; and the weights of luma add three
        // independent channels to √(0.299² + 0.587² + 0.114²) = 0.669 of one.
        deviation(at: 0.2159) * 274 * 0.669
    }

    /// The luma noise of a mid grey in the sensor's finished picture, in steps of 0…255.
    var noiseSigma: Double {
        // The binomial kernel passes Σk² = 0.0748 of the noise's variance into the surroundings, and the detail keeps
        // 1 − 2k₀ + Σk² = 0.7936 (k₀ = 36/256); the covariance of the two is k₀ − Σk² = 0.0658. Detail x, in its own
        // deviations, is passed by g = s²x² / (1 + s²x²), s = √0.7936 / 3: the means of x²g and x²g² over a normal x
        // are 0.19 and 0.05.
        let (faint, gain) = (1 - denoising, denoising + sharpening)
        let together = 0.0658 * (faint + 0.19 * gain)
        let detail = 0.7936 * (faint * faint + 2 * faint * gain * 0.19 + gain * gain * 0.05)
        return rawSigma * (denoising == 0 && sharpening == 0 ? 1 : (0.0748 + 2 * together + detail).squareRoot())
    }

    func develop(_ picture: Picture, _ generator: inout SeededGenerator) -> RasterImage {
        var developed = picture
        if iso > 0 { addNoise(&developed, &generator) }
        if denoising == 0 && sharpening == 0 { return encoded(developed) }
        toLuma(&developed)
        return finished(developed, surroundings: developed.blurred(halfKernel: Self.halfKernel), &generator)
    }

    private func addNoise(_ picture: inout Picture, _ generator: inout SeededGenerator) {
        let photon = Float(1 / white)
        let read = Float((Self.readNoise / white) * (Self.readNoise / white))
        let (width, height) = (picture.width, picture.height)
        NormalTable.values.withUnsafeBufferPointer { normals in
            picture.pixels.withUnsafeMutableBufferPointer { pixels in
                for y in 0..<height {
                    var place = Int(truncatingIfNeeded: generator.next() & UInt64(NormalTable.count - 1))
                    for index in y * width..<(y + 1) * width {
                        // Three numbers a pixel, so that a row does not repeat before 21,845 of them.
                        let chance = Picture.Pixel(normals[place], normals[place + 1], normals[place + 2], 0)
                        place = (place + 3) & (NormalTable.count - 1)
                        let light = pixels[index]
                        let variance = light.clamped(lowerBound: .zero, upperBound: .one) * photon + read
                        pixels[index] = light + variance.squareRoot() * chance
                    }
                }
            }
        }
    }

    private func encoded(_ picture: Picture) -> RasterImage {
        let curve = ToneCurve(contrast: contrast).table
        return image(width: picture.width, height: picture.height) { write in
            curve.withUnsafeBufferPointer { curve in
                guard let table = curve.baseAddress else { return }
                for light in picture.pixels {
                    for channel in 0..<3 { write.byte(ToneCurve.value(light[channel], table)) }
                }
            }
        }
    }

    /// Converts light to luma and two colour differences in steps of 0…255.
    ///
    /// Source: ITU-R BT.601, section 2.5.1.
    private func toLuma(_ picture: inout Picture) {
        ToneCurve(contrast: contrast).table.withUnsafeBufferPointer { curve in
            guard let table = curve.baseAddress else { return }
            picture.pixels.withUnsafeMutableBufferPointer { pixels in
                for index in pixels.indices {
                    let light = pixels[index]
                    let red = ToneCurve.value(light.x, table)
                    let green = ToneCurve.value(light.y, table)
                    let blue = ToneCurve.value(light.z, table)
                    let luma = 0.299 * red + 0.587 * green + 0.114 * blue
                    pixels[index] = Picture.Pixel(luma, blue - luma, red - luma, 0)
                }
            }
        }
    }

    /// Returns the image with faint detail smoothed, strong detail exaggerated, and colour taken from the surroundings,
    /// with blotches of noise too coarse to be smoothed.
    private func finished(
        _ picture: Picture,
        surroundings: Picture,
        _ generator: inout SeededGenerator
    ) -> RasterImage {
        let (width, height) = (picture.width, picture.height)
        let limit = Self.threshold * Float(rawSigma) + 1
        let square = limit * limit
        let (faint, gain) = (Float(1 - denoising), Float(denoising + sharpening))
        let blotch = Float(rawSigma * 0.25)
        let blueField = NoiseField(cell: 6, width: width, height: height, &generator)
        let redField = NoiseField(cell: 6, width: width, height: height, &generator)
        return image(width: width, height: height) { write in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * width) { rows in
                let blues = UnsafeMutableBufferPointer(rebasing: rows[..<width])
                let reds = UnsafeMutableBufferPointer(rebasing: rows[width...])
                picture.pixels.withUnsafeBufferPointer { pixels in
                    surroundings.pixels.withUnsafeBufferPointer { around in
                        for y in 0..<height {
                            blueField.fill(blues, y: y)
                            redField.fill(reds, y: y)
                            for x in 0..<width {
                                let mean = around[y * width + x]
                                let detail = pixels[y * width + x].x - mean.x
                                let energy = detail * detail
                                let luma = mean.x + detail * (faint + gain * (energy / (energy + square)))
                                let blue = mean.y + blotch * blues[x]
                                let red = mean.z + blotch * reds[x]
                                write.byte(luma + red)
                                write.byte(luma - 0.509_37 * red - 0.194_21 * blue)
                                write.byte(luma + blue)
                            }
                        }
                    }
                }
            }
        }
    }

    private func image(width: Int, height: Int, _ body: (inout ByteWriter) -> Void) -> RasterImage {
        let count = width * height * 3
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, initializedCount in
            initializedCount = count
            guard let start = target.baseAddress else { return }
            var writer = ByteWriter(next: start)
            body(&writer)
        }
        return RasterImage(width: width, height: height, channels: 3, pixels: bytes)
    }
}

private struct ByteWriter {
    var next: UnsafeMutablePointer<UInt8>

    @inline(__always)
    mutating func byte(_ value: Float) {
        next.pointee = UInt8(max(0, min(255, value)) + 0.5)
        next += 1
    }
}

struct ToneCurve {
    /// The linear light, 0…1, of each byte.
    ///
    /// Source: IEC 61966-2-1 (sRGB).
    static let linear: [Float] = (0..<256).map { byte in
        let value = Double(byte) / 255
        return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
    }

    static let steps: Float = 4096
    /// Values 0…255 for light at even steps of 0…1, and one more so that the last step has an end.
    let table: [Float]

    /// `contrast`: The curve's position from sRGB (0) towards an S over it (1).
    init(contrast: Double) {
        table = (0...Int(Self.steps) + 1).map { step in
            let light = min(1, Double(step) / Double(Self.steps))
            let value = light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
            let curved = value * value * (3 - 2 * value)
            return Float(255 * (value + contrast * (curved - value)))
        }
    }

    /// Returns the value for some light, cut off at 0 and 1; `table` is this curve's.
    @inline(__always)
    static func value(_ light: Float, _ table: UnsafePointer<Float>) -> Float {
        let place = max(0, min(1, light)) * steps
        let step = Int(place)
        let low = table[step]
        return low + (table[step + 1] - low) * (place - Float(step))
    }
}
