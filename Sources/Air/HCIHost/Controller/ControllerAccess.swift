package import Bluetooth
package import EventLoop

/// A way to a controller.
package protocol ControllerAccess: Sendable {
  /// Hands over a controller that nobody else uses.
  func open(on reactor: Reactor) async throws(SourceError) -> sending HCIChannel
  /// Called after the channel was closed.
  func close() async
  /// N of hciN; nil when the kernel has no part in it.
  var adapter: UInt16? { get async }
  /// `hci0` or where the controller is.
  var name: String { get async }
}
