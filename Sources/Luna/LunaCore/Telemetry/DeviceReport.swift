public import Bluetooth

/// What a gateway tells of an advertiser that stays: a pseudonym that only this gateway has, and when
/// it was heard.
public struct DeviceReport: Hashable, Sendable {
  /// How many a gateway may tell at once.
  public static let limit = 256

  /// The pseudonym: 16 hexadecimal digits in lower case.
  public let ref: String
  /// What its beacons are, as scans call the family; `unknown` for none.
  public let family: String
  /// When it was heard first, to the hour.
  public let first: Timestamp
  /// When it was heard last, to the hour.
  public let last: Timestamp
  /// In which hours it was heard, of the 24 up to the newest one.
  public let hours: HeardHours
  /// How near it is.
  public let band: DeviceBand

  /// What is told of an advertiser; `first` and `last` are full hours.
  public init(
    ref: String, family: String, first: Timestamp, last: Timestamp, hours: HeardHours,
    band: DeviceBand
  ) {
    self.ref = ref
    self.family = family
    self.first = first
    self.last = last
    self.hours = hours
    self.band = band
  }

  /// Whether a text is a `ref`.
  public static func isRef(_ text: String) -> Bool {
    Hex.bytes(text).map { $0.count == 8 && Hex.lower($0) == text } ?? false
  }
}
