extension RasterImage {
    /// The image in grey, itself when it is grey already.
    ///
    /// Rec. 601 luma: 0.299 R + 0.587 G + 0.114 B, rounded.
    public func luma() -> RasterImage {
        guard channels == 3 else { return self }
        let count = width * height
        let grey = [UInt8](unsafeUninitializedCapacity: count) { target, initializedCount in
            initializedCount = count
            pixels.withUnsafeBufferPointer { source in
                guard let to = target.baseAddress, var read = source.baseAddress else { return }
                for index in 0..<count {
                    // The weights × 65536, rounded so that they add up to it.
                    let sum = 19_595 &* UInt32(read[0]) &+ 38_470 &* UInt32(read[1]) &+ 7_471 &* UInt32(read[2])
                    to[index] = UInt8(truncatingIfNeeded: (sum &+ 32_768) >> 16)
                    read += 3
                }
            }
        }
        return RasterImage(width: width, height: height, channels: 1, pixels: grey)
    }

    /// The image in three channels: a grey value three times over; itself when it is RGB.
    public func rgb() -> RasterImage {
        guard channels == 1 else { return self }
        let count = width * height
        let colour = [UInt8](unsafeUninitializedCapacity: count * 3) { target, initializedCount in
            initializedCount = count * 3
            pixels.withUnsafeBufferPointer { source in
                guard var write = target.baseAddress, let from = source.baseAddress else { return }
                for index in 0..<count {
                    let value = from[index]
                    write[0] = value
                    write[1] = value
                    write[2] = value
                    write += 3
                }
            }
        }
        return RasterImage(width: width, height: height, channels: 3, pixels: colour)
    }
}
