import Foundation

// The parser's speed, and inputs of the fuzzer again. The fuzzing itself is libFuzzer's: `make sse-fuzz`.
switch CommandLine.arguments.dropFirst().first {
case "--benchmark": try Benchmark.run()
case let path? where !path.hasPrefix("-"):
    for path in CommandLine.arguments.dropFirst() {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        print("\(path): \(Properties.violation(bytes, seed: 1) ?? "nothing found")")
    }
default:
    print("Usage: sse-fuzz --benchmark | FILE…: measure the speed of reading streams, or replay the fuzzer's inputs")
}
