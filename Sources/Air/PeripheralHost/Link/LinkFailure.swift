package import Bluetooth

/// Why a link was not made.
package enum LinkFailure: Error, Hashable, Sendable {
  /// Another attempt is under way.
  case busy
  /// The peer did not answer in time, or the attempt was taken back.
  case timedOut
  /// The controller says so.
  case status(HCIStatus)
  /// The controller is gone, or cannot be used any more.
  case lost(String)
}
