import Basics
import Foundation
import TestSupport
import Testing

/// `spinebench scan` and a real `talaria` behind a TLS proxy with a certificate that no system trusts.
