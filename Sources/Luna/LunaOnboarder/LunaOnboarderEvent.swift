public import LunaCore

/// What happens while a tracker is onboarded.
public enum LunaOnboarderEvent: Equatable, Sendable {
  /// A tracker that can be onboarded accepts connections; its address.
  case discoveredConnectableLuna(String)
  /// A tracker that can be onboarded accepts no connections right now, and is waited for; its
  /// address.
  case discoveredNonConnectableLuna(String)
  /// A tracker is the owner's now, and in the store.
  case lunaOnboarded(Device)
}
