public import LunaJSON

/// The samples of one replay as a client of Wehe's sends them: `[[Mbit/s...],[end times in s...]]`.
public struct ReplaySamples: Hashable, Sendable {
  /// So many are read: one more than a server holds.
  public static let limit = Samples.limit + 1

  /// Each sample's rate, Mbit/s: finite, not below 0.
  public let rates: [Double]
  /// When each sample ended, s from the beginning.
  public let times: [Double]

  /// What the server holds and judges: it drops the last sample.
  public var held: [Double] { Array(rates.dropLast()) }

  /// Samples: as many rates as times, finite and not below 0.
  init(rates: [Double], times: [Double]) {
    self.rates = rates
    self.times = times
  }

  /// Reads samples.
  ///
  /// - Parameter name: how messages call them.
  public init(json: JSONValue, name: String) throws(FormatError) {
    guard case .array(let lists) = json, lists.count == 2 else {
      throw FormatError(name, "is not a list of rates and a list of times")
    }
    rates = try ReplaySamples.numbers(lists[0], "\(name), rates")
    times = try ReplaySamples.numbers(lists[1], "\(name), times")
    guard rates.count == times.count else {
      throw FormatError(name, "has \(rates.count) rates and \(times.count) times")
    }
    guard !rates.isEmpty else { throw FormatError(name, "has no samples") }
  }

  /// The samples as a client sends them.
  public var json: JSONValue {
    .array([.array(rates.map { .real($0) }), .array(times.map { .real($0) })])
  }

  private static func numbers(_ json: JSONValue, _ name: String) throws(FormatError) -> [Double] {
    guard case .array(let elements) = json else { throw FormatError(name, "is not a list") }
    guard elements.count <= limit else { throw FormatError(name, "has more than \(limit) numbers") }
    var numbers: [Double] = []
    numbers.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      let number: Double
      switch element {
      case .integer(let value): number = Double(value)
      case .real(let value): number = value
      default: throw FormatError("\(name)[\(index)]", "is not a number")
      }
      guard number.isFinite, number >= 0 else {
        throw FormatError("\(name)[\(index)]", "is not a finite number from 0 on")
      }
      numbers.append(number)
    }
    return numbers
  }
}
