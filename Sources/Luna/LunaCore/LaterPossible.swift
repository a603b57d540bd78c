package import Bluetooth

/// An error of something that time alone makes possible.
package protocol LaterPossible: Error {
  /// From when it can be done; nil where waiting does not help.
  var possibleAt: Timestamp? { get }
}
