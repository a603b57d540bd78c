import Bluetooth
import LunaCore
package import LunaOnboarder
import LunaProtocol

/// What happens while a tracker is onboarded, as JSON lines.
package enum OnboardingDocument {
  /// - Parameter time: when it happened, as it is written.
  package static func append(
    _ event: LunaOnboarderEvent, at time: String, to output: OutputBuffer
  ) {
    output.appendLine("onboarding") { writer in
      let name: StaticString =
        switch event {
        case .discoveredConnectableLuna: "discoveredConnectable"
        case .discoveredNonConnectableLuna: "discoveredNonConnectable"
        case .lunaOnboarded: "onboarded"
        }
      writer.string("event", name)
      writer.string("time", time)
      switch event {
      case .discoveredConnectableLuna(let address), .discoveredNonConnectableLuna(let address):
        writer.string("address", address)
      case .lunaOnboarded(let device):
        writer.string("device", device.uuid.description.uppercased())
        writer.string("name", device.name)
        if device.isUnauthenticated { writer.boolean("unauthenticated", true) }
      }
    }
  }
}
