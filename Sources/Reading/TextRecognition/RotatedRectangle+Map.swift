internal import Raster

extension RotatedRectangle {
    /// Mean of the map over the pixels whose centres lie in the rectangle; 0 when there are none.
    func mean(of map: ProbabilityMap) -> Double {
        let reachX = (abs(width * axis.x) + abs(height * axis.y)) / 2
        let reachY = (abs(width * axis.y) + abs(height * axis.x)) / 2
        let columns = max(0, Int(centre.x - reachX))..<min(map.width, Int(centre.x + reachX) + 2)
        let rows = max(0, Int(centre.y - reachY))..<min(map.height, Int(centre.y + reachY) + 2)
        // Pixel centres on the border count as inside.
        let (halfWidth, halfHeight) = (width / 2 + 1e-6, height / 2 + 1e-6)
        var sum: Float = 0
        var count = 0
        for y in rows {
            for x in columns {
                let (dx, dy) = (Double(x) + 0.5 - centre.x, Double(y) + 0.5 - centre.y)
                guard abs(dx * axis.x + dy * axis.y) <= halfWidth, abs(dy * axis.x - dx * axis.y) <= halfHeight else {
                    continue
                }
                sum += map.values[y * map.width + x]
                count += 1
            }
        }
        return count == 0 ? 0 : Double(sum) / Double(count)
    }
}
