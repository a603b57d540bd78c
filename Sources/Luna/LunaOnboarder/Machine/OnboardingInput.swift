import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// What happened: the answer to an action.
enum OnboardingInput: Sendable {
  /// Which trackers were heard since it was listened last; perhaps none.
  case heard([OnboardingSighting])
  /// The connection is there.
  case connected(canOnboard: Bool, canControl: Bool)
  /// The info, and randomness of one's own for what follows from it.
  case info([UInt8], privateKey: SecretBytes, nonce: InlineArray<16, UInt8>)
  case subscribed
  case written
  /// The tracker indicated, or the value was read.
  case message([UInt8])
  /// The record is on the disk.
  case stored
  case promoted(Device?)
  case discarded
  /// The store refused.
  case storeFailed(DeviceStoreError)
  case challenge([UInt8])
  case counter(UInt32)
  /// The connection, or the attempt at one, failed.
  case failed(GATTError)
  case disconnected
  case paused
  /// Randomness could not be had.
  case noRandomness(CryptoError)
  /// It is to end now.
  case stop
}
