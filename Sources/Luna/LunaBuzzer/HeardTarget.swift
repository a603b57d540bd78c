import Bluetooth
import LunaCore
import LunaProtocol

/// A device that was heard just now: what a connection to it needs.
struct HeardTarget: Hashable, Sendable {
  var peer: GATTPeer
  /// Whether it accepts connections now; nil when that cannot be heard.
  var isConnectable: Bool?
  /// What the frame on air leads to.
  var heid: HEID?
  /// Whether it has no owner.
  var isOnboardable = false

  init(_ peer: GATTPeer, isConnectable: Bool?, heid: HEID? = nil, isOnboardable: Bool = false) {
    self.peer = peer
    self.isConnectable = isConnectable
    self.heid = heid
    self.isOnboardable = isOnboardable
  }

  /// - Returns: nil when it was not heard, or has no address.
  init?(_ state: LocalDevice.State) {
    guard let address = state.address, state.addressType.hasAddress else { return nil }
    self.init(
      GATTPeer(address, state.addressType), isConnectable: state.connectable,
      heid: state.heid.flatMap { HEID($0) }, isOnboardable: state.onboardable)
  }
}
