public import Bluetooth
import LunaCrypto
public import LunaProtocol

/// A tracker that one owns: what it is called and the keys that recognise it.
public struct Device: Equatable, Sendable, Identifiable {
  /// Which device it is, for as long as it stays onboarded.
  public let uuid: DeviceUUID
  /// What the owner calls it.
  public var name: String
  /// When the owner and the tracker agreed on the keys; its clock was right then.
  public let onboardingTimestamp: Timestamp
  /// What recognises it; hidden in descriptions.
  public let keys: DeviceKeys
  /// Whether nobody checked who the tracker was when it was onboarded (PROTOCOL.md, 14, authMode 0).
  public let isUnauthenticated: Bool
  /// The firmware that it had when it was onboarded: the major version in the high byte, the minor in the low one; nil
  /// where nobody knows.
  package var firmware: UInt16?

  /// A device of any maker.
  public init(
    uuid: DeviceUUID, keys: DeviceKeys, onboardingTimestamp: Timestamp, name: String,
    isUnauthenticated: Bool = false
  ) {
    self.uuid = uuid
    self.keys = keys
    self.onboardingTimestamp = onboardingTimestamp
    self.name = name
    self.isUnauthenticated = isUnauthenticated
  }

  /// A LunaTracker.
  ///
  /// - Parameter onboardingTimestamp: the time that the tracker was given, whole seconds.
  public init(
    uuid: DeviceUUID, masterKey: MasterKey, onboardingTimestamp: Timestamp, name: String,
    isUnauthenticated: Bool = false
  ) {
    self.init(
      uuid: uuid, keys: .luna(masterKey), onboardingTimestamp: onboardingTimestamp, name: name,
      isUnauthenticated: isUnauthenticated)
  }

  /// The same as ``uuid``.
  public var id: DeviceUUID { uuid }

  /// Whether somebody has given it a name; else it is called by its uuid.
  package var isNamed: Bool { name != uuid.description }

  /// The master key of a LunaTracker; nil for devices of other makers.
  public var masterKey: MasterKey? {
    if case .luna(let key) = keys { key } else { nil }
  }

  /// What its owner has shared; nil for devices of one's own.
  public var shared: SharedPeriods? {
    if case .lunaShared(let periods) = keys { periods } else { nil }
  }

  /// ``onboardingTimestamp`` in Unix s, as the protocol counts; the nearest number that fits.
  public var onboardingSeconds: UInt32 {
    UInt32(clamping: onboardingTimestamp.unixMilliseconds / 1000)
  }
}

extension Device: CustomStringConvertible {
  /// Name, kind and uuid.
  public var description: String { "\(name) (\(keys.kind.rawValue) \(uuid))" }
}
