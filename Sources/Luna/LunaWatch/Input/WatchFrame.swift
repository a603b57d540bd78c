public import Beacons
public import Bluetooth
import LunaProtocol

/// A frame of a tracker, as far as it tells who was there.
public struct WatchFrame: Sendable {
  /// When it was heard.
  public var time: Timestamp
  /// The identifier on the air, which changes now and then.
  public var identifier: WatchIdentifier
  /// How it stands with its owner.
  public var state: WatchState
  /// What it says of itself in the clear and keeps when the identifier changes: network, type,
  /// battery, flags.
  public var traits: UInt32
  /// How strong it was, dBm.
  public var rssi: Int8
  /// Why it is not to be judged; nil for a stranger's.
  public var exclusion: WatchExclusion?

  /// A frame of these parts.
  public init(
    time: Timestamp, identifier: WatchIdentifier, state: WatchState, traits: UInt32 = 0,
    rssi: Int8, exclusion: WatchExclusion? = nil
  ) {
    self.time = time
    self.identifier = identifier
    self.state = state
    self.traits = traits
    self.rssi = rssi
    self.exclusion = exclusion
  }

  /// What of a beacon matters; nil for one that is no tracker, or does not say which one it is.
  ///
  /// - Parameters:
  ///   - beacon: what was decoded.
  ///   - report: the advertisement that it was in.
  public init?(_ beacon: Beacon, in report: AdvertisingReport) {
    time = report.time
    rssi = report.rssi ?? -127
    exclusion = nil
    switch beacon {
    case .appleFindMy(let frame):
      guard report.addressType == .random else { return nil }
      state = frame.isSeparated ? .separated : .nearOwner
      traits = UInt32(frame.status & 0xF0)
    case .googleFindHub(let frame):
      guard report.addressType.hasAddress else { return nil }
      state = frame.unwantedTracking ? .separated : .nearOwner
      traits = frame.withEID { UInt32($0.count) }
    case .dult(let frame):
      guard report.addressType.hasAddress else { return nil }
      state = frame.nearOwner ? .nearOwner : .separated
      traits = UInt32(frame.network)
    case .smartTag(let frame):
      switch frame.state {
      case .connectedToPaired?, .connectedToOne?, .connectedToTwo?: state = .nearOwner
      case .prematureOffline?, .offline?: state = .separated
      case .overmatureOffline?: state = .longSeparated
      case nil: state = .unknown
      }
      traits = UInt32(frame.header & 0xF0) << 8 | UInt32(frame.properties)
      var value: UInt64 = 0
      for index in 0..<8 { value = value << 8 | UInt64(frame.privacyIdentifier.bytes[index]) }
      identifier = WatchIdentifier(code: WatchFrame.smartTag, value)
      return
    case .tile(let frame):
      guard report.addressType.hasAddress else { return nil }
      state = .unknown
      traits = frame.isActivated ? 1 : 0
    case .chipolo(let frame):
      guard report.addressType.hasAddress else { return nil }
      state = frame.isSeparated.map { $0 ? .separated : .nearOwner } ?? .unknown
      traits = 0
    case .pebblebee:
      guard report.addressType.hasAddress else { return nil }
      state = .unknown
      traits = 0
    case .luna(let frame):
      guard report.addressType.hasAddress else { return nil }
      state = frame.frame.isSeparated ? .separated : .nearOwner
      traits = UInt32(frame.frame.companyIdentifier)
    case .iBeacon, .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneETLM, .eddystoneEID,
      .altBeacon, .exposureNotification:
      return nil
    }
    identifier = WatchIdentifier(
      code: WatchIdentifier.number(of: beacon.family), report.address.value)
  }

  private static let smartTag = WatchIdentifier.number(of: .smartTag)
}
