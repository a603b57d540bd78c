import Bluetooth
import LunaProtocol

/// What is to be done next to deliver a command; its outcome is the next event.
enum ControlAction: Hashable, Sendable {
  /// What a delivery ends with.
  enum Outcome: Hashable, Sendable {
    /// The tracker says that it is done; the judgement says whether that is proven.
    case done(ControlPackage, [UInt8], ControlJudgement)
    case failed(BuzzerError)
  }

  /// Look whether the device is heard: `heard` or `silence`.
  case listen
  /// `connected` or `failed`.
  case connect(GATTPeer, within: Duration)
  /// `subscribed` or `failed`.
  case subscribe
  /// `challenge` or `failed`.
  case readChallenge
  /// `package` or `noPackage`.
  case makePackage(ControlCommand, argument: UInt16, ControlChallenge)
  /// `written` or `failed`.
  case write(ControlPackage)
  /// `answered` or `failed`.
  case receive(within: Duration)
  /// `disconnected`.
  case disconnect
  /// `paused`.
  case pause(Duration)
  /// Nothing comes after this.
  case finish(Outcome)
}
