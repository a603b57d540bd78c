public import Bluetooth

/// A result of an uplink check as it is kept.
public struct UplinkRecord: Hashable, Sendable {
  /// Names it, among all results.
  public let id: String
  /// When it came.
  public let time: Timestamp
  /// The result as JSON text.
  public let document: String
  /// The samples that it was made of, a file of them compressed by gzip; empty without any.
  public let samples: [UInt8]
  /// What it was made under (``UplinkConditions``), as JSON text; nil where nobody noted it.
  package let conditions: String?

  /// A result; `samples` are compressed already.
  public init(id: String, time: Timestamp, document: String, samples: [UInt8] = []) {
    self.init(id: id, time: time, document: document, samples: samples, conditions: nil)
  }

  /// A result, with what it was made under.
  package init(
    id: String, time: Timestamp, document: String, samples: [UInt8], conditions: String?
  ) {
    self.id = id
    self.time = time
    self.document = document
    self.samples = samples
    self.conditions = conditions
  }
}
