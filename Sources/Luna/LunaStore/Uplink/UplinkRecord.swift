public import Bluetooth

/// A result of an uplink check as it is kept.
public struct UplinkRecord: Hashable, Sendable {
  /// Names it, among all results.
  public let id: String
  /// When it came.
  public let time: Timestamp
  /// The result as JSON text.
  public let document: String
  /// What it was made of, compressed; empty without any.
  public let samples: [UInt8]

  /// A result.
  public init(id: String, time: Timestamp, document: String, samples: [UInt8] = []) {
    self.id = id
    self.time = time
    self.document = document
    self.samples = samples
  }
}
