import Foundation
import ImageCodec
import Raster
import ScanningPipeline

let clock = ContinuousClock()
var times: [Double] = []
for line in AnyIterator({ readLine() }) {
    let parts = line.split(separator: "\t").map(String.init)
    guard let data = FileManager.default.contents(atPath: parts[0]) else { continue }
    let image = try ImageCodec.decode([UInt8](data), name: parts[0]).image.luma()
    for _ in 0..<3 {
        let start = clock.now
        let f = GateEvidence(of: image).features
        let d = start.duration(to: clock.now)
        times.append(Double(d.components.attoseconds) / 1e15)
        if times.count % 3 == 0 { print(parts[0], parts.dropFirst().joined(separator: " "), f.map { String($0) }.joined(separator: " ")) }
    }
}
times.sort()
FileHandle.standardError.write(Data("P50 \(times[times.count/2]) P95 \(times[times.count*95/100])\n".utf8))
