public import LunaJSON

extension HomeState {
  /// The state as JSON, to be kept; the same state gives the same bytes.
  public var json: JSONValue {
    // Every part is a number, a text, a list or an object: there is nothing that cannot be written.
    (try? StateEncoder.json(self)) ?? .null
  }

  /// Says whether it can go on from here: what is kept may be damaged.
  func check() throws(FormatError) {
    let moments = [last?.wall, last?.boot].compactMap { $0 }
    guard (0..<Int64.max).contains(input), nextOccurrence > .min / 2_000_000,
      !moments.contains(.max), waiting.allSatisfy({ $0.index >= 0 })
    else {
      throw FormatError("the state", "has a number that cannot be")
    }
  }

  /// Reads a state that was kept.
  public init(json: JSONValue) throws(FormatError) {
    do {
      self = try StateDecoder.read(HomeState.self, json)
      try check()
    } catch let error as FormatError {
      throw error
    } catch {
      throw FormatError("the state", "cannot be read")
    }
  }
}
