import Bluetooth
import LunaCore

/// The numbers of one or several samples of health.
struct StoredSample: Hashable, Sendable {
  /// By ``SampleField``; nil for what is not known.
  var values: [Double?]
  /// How many samples it is made of.
  var count: Int64

  init(values: [Double?], count: Int64) {
    self.values = values
    self.count = count
  }

  init(_ report: HealthReport) {
    self.init(values: SampleField.allCases.map { $0.value(in: report) }, count: 1)
  }

  subscript(field: SampleField) -> Double? {
    values.indices.contains(field.rawValue) ? values[field.rawValue] : nil
  }

  /// Takes in a later one.
  mutating func merge(_ other: StoredSample) {
    for field in SampleField.allCases {
      guard let new = other[field] else { continue }
      guard let old = self[field] else {
        values[field.rawValue] = new
        continue
      }
      values[field.rawValue] =
        switch field.merging {
        case .mean:
          (old * Double(count) + new * Double(other.count))
            / Double(count.saturatingAdding(other.count))
        case .lowest: min(old, new)
        case .highest: max(old, new)
        case .last: new
        }
    }
    count = count.saturatingAdding(other.count)
  }

  /// A field as a whole number; nil where it is not known, or no count of 63 bits, as in a damaged row.
  func whole(_ field: SampleField) -> Int64? {
    self[field].flatMap { $0 < 0 ? nil : Int64(exactly: $0) }
  }
}
