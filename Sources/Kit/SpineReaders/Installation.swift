import Basics
import Foundation

/// The locations of this program's external parts.
public enum Installation {
    /// The folder with the ONNX models.
    ///
    /// `SPINEBENCH_MODELS`, or the first `.deps/models` in a folder above the program or above the working directory.
    public static let modelDirectory =
        ProjectFolder.find(variable: "SPINEBENCH_MODELS", named: ".deps/models") ?? ".deps/models"

    /// Cache of compiled networks and the word lists' hashes between runs: `SPINEBENCH_CACHE`, or the user's cache
    /// folder.
    public static let cacheDirectory = UserFolder.cache

    /// Number of cached compiled networks; nil if none can be cached.
    public static var compiledNetworks: Int? {
        let files = FileManager.default
        guard let cacheDirectory,
            (try? files.createDirectory(atPath: cacheDirectory, withIntermediateDirectories: true)) != nil,
            files.isWritableFile(atPath: cacheDirectory),
            let names = try? files.contentsOfDirectory(atPath: cacheDirectory)
        else { return nil }
        return names.count { $0.hasSuffix(".blob") }
    }

    /// Notice before a start that takes longer than others; nil if compiled networks exist.
    public static var firstRunNotice: String? {
        let work =
            "the word lists are indexed and the networks compiled, which takes a second or two."
        guard let compiledNetworks else {
            return "No cache is available: at every start, \(work) The results cannot be stored in "
                + "\(cacheDirectory ?? "any folder"); set SPINEBENCH_CACHE to a writable folder."
        }
        return compiledNetworks == 0 ? "First run: \(work) The results are cached." : nil
    }

    /// The word lists for the languages that spines are corrected in, of this machine or else of the wheel; empty when
    /// there are none.
    public static let wordLists: [String] = {
        let folders = ["/usr/share/dict", ProjectFolder.find(named: ".deps/dict")].compactMap(\.self)
        func found(_ name: String) -> String? {
            folders.map { "\($0)/\(name)" }.first(where: FileManager.default.fileExists)
        }
        let lists = ["american-english", "french", "ngerman", "spanish", "italian"].compactMap(found)
        return lists.isEmpty ? [found("words")].compactMap(\.self) : lists
    }()

    /// Processor threads for inference: the machine's number, four at most.
    public static let threads = min(4, max(1, ProcessInfo.processInfo.activeProcessorCount))
}
