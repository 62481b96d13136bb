import BookCatalogue
package import CommandSupport
import Harness
import ScanningPipeline
import SpineDatasets
import Talaria

extension ExitStatus {
    /// The exit code of an error of this package's programs; nil for any other error.
    package init?(_ error: any Error) {
        switch error {
        case is DatasetError, is SettingFaults: self = .wrongInput
        case let error as HarnessError:
            switch error {
            case .configuration, .runFolder, .resumeMismatch: self = .wrongInput
            case .busy, .unavailable, .workerNeverReady, .storage, .unwritable: self = .environment
            case .interrupted(let signal): self = .signal(signal)
            }
        case StoreError.unusable, TalariaError.badConfiguration:
            self = .wrongInput
        case is StoreError, is ScanningError, is TalariaError: self = .environment
        default: return nil
        }
    }
}
