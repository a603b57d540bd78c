import Bluetooth
import LunaCore
import LunaProtocol

/// What to do next; what comes of it is the next input.
enum OnboardingAction: Sendable {
  /// Look who was heard.
  case listen
  case connect(GATTPeer, within: Duration)
  case readInfo
  /// Ask for the indications of Onboard.
  case subscribe
  /// Write to Onboard.
  case write([UInt8])
  /// Wait for an indication of Onboard.
  case receive(within: Duration)
  /// Read Onboard: the indication did not hold all of the message.
  case readMessage
  /// Keep the record, synced, and follow the device from now on.
  case store(PendingOnboarding)
  case promote(DeviceUUID, name: String?)
  case discard(DeviceUUID)
  /// Ask for the indications of Control.
  case subscribeControl
  case readChallenge
  /// Issue a counter for a package.
  case issueCounter(DeviceUUID)
  /// Write to Control.
  case writeControl([UInt8])
  /// Wait for an indication of Control.
  case receiveReceipt(within: Duration)
  case disconnect
  case pause(Duration)
  case finish(Result<OnboardingOutcome, OnboardingError>)
}
