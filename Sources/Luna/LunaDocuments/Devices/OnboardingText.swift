import Bluetooth
import LunaCore
package import LunaOnboarder

/// What happens while a tracker is onboarded, as sentences for people.
package enum OnboardingText {
  /// What has happened.
  package static func text(_ event: LunaOnboarderEvent) -> String {
    switch event {
    case .discoveredConnectableLuna(let address):
      "a tracker that can be onboarded: \(address)"
    case .discoveredNonConnectableLuna(let address):
      "a tracker that can be onboarded, but accepts no connections right now: \(address); "
        + "waiting (a press of its button helps)"
    case .lunaOnboarded(let device):
      "\"\(device.name)\" is yours"
        + (device.isUnauthenticated ? "; its identity was not checked" : "")
    }
  }

  /// How far it has come.
  package static func text(_ progress: OnboardingProgress) -> String {
    switch progress {
    case .listening: "listening for trackers"
    case .locked(let peer):
      "the tracker with this code, \(peer), is locked after five failed attempts; waiting "
        + "for a press of its button"
    case .connecting(let peer, let attempt):
      "connecting to \(peer)" + (attempt > 1 ? ", attempt \(attempt)" : "")
    case .detail(let text): text
    case .agreeing: "connected; agreeing on keys"
    case .finishing: "the tracker answered; the keys are stored"
    case .resolving:
      "its last answer is missing; waiting for it to come back, to ask whether it has the keys"
    case .asking(let peer): "asking \(peer) whether it has the keys from an earlier onboarding"
    case .discarded: "the tracker is in factory state: dropped the keys it did not take"
    }
  }
}
