import Basics
import Foundation
import Imaging

// Inputs of the fuzzer again, with their time and memory. The fuzzing itself is libFuzzer's: `make codec-fuzz`.
let paths = CommandLine.arguments.dropFirst()
if paths.isEmpty { print("Usage: codec-fuzz FILE…: replay the fuzzer's inputs") }
for path in paths {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let before = ProcessMemory.current()?.resident?.bytes ?? 0
    _ = ProcessMemory.resetPeak()
    var violation: String?
    let time = ContinuousClock().measure { violation = CodecProperties.violation(bytes) }
    let taken = ((ProcessMemory.current()?.resident?.peak ?? before) - before) >> 20
    print("\(path): \(violation ?? "nothing found"); \(time), \(taken) MiB")
}
