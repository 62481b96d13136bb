extension RasterImage {
    /// The image with its grey values stretched from black to white.
    ///
    /// What is darker than all but `share` of the pixels becomes black, what is brighter than all but as many white; the
    /// rest is stretched evenly between, in each channel alike, so that colours keep their hue.
    ///
    /// - Parameter share: Pixels that are cut off at each end, from 0 to less than 0.5.
    /// - Returns: The image itself when it is of one grey value, give or take the share.
    /// - Precondition: `share` is in its range.
    public func autocontrasted(cutting share: Double = 0.01) -> RasterImage {
        precondition(share >= 0 && share < 0.5, "less than half of the pixels are cut off at each end")
        var counts = [Int](repeating: 0, count: 256)
        for value in luma().pixels { counts[Int(value)] += 1 }
        let cut = Int(share * Double(width * height))
        func end(_ values: some Sequence<Int>) -> Int {
            var left = cut
            return values.first {
                left -= counts[$0]
                return left < 0
            } ?? 0
        }
        let (low, high) = (end(0...255), end((0...255).reversed()))
        guard high > low, (low, high) != (0, 255) else { return self }
        let table = (0...255).map { UInt8(min(255, max(0, (($0 - low) * 510 + (high - low)) / (2 * (high - low))))) }
        var stretched = self
        stretched.pixels = pixels.map { table[Int($0)] }
        return stretched
    }
}
