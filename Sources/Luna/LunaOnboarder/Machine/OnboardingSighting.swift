import Bluetooth
import LunaCore
import LunaProtocol

/// A tracker that was heard since it was looked at last.
struct OnboardingSighting: Hashable, Sendable {
  /// Who it is.
  enum Identity: Hashable, Sendable {
    /// It has no owner, and shows this.
    case factory(hint: ESF)
    /// It shows the keys of an onboarding whose end is not known.
    case pending(DeviceUUID)
    /// It has an owner, or is locked; what its frame has for a status.
    case other(ESF?)
  }

  var peer: GATTPeer
  var isConnectable: Bool
  var identity: Identity

  init(_ peer: GATTPeer, isConnectable: Bool, _ identity: Identity) {
    self.peer = peer
    self.isConnectable = isConnectable
    self.identity = identity
  }

  /// - Returns: nil when it was not heard, or has no address.
  init?(_ state: LocalDevice.State, pending: DeviceUUID?) {
    guard let address = state.address, state.addressType.hasAddress else { return nil }
    let identity: Identity
    if let pending {
      identity = .pending(pending)
    } else if state.onboardable, let hint = state.onboardingHint {
      identity = .factory(hint: hint)
    } else {
      identity = .other(state.esf)
    }
    self.init(
      GATTPeer(address, state.addressType), isConnectable: state.connectable != false, identity)
  }
}
