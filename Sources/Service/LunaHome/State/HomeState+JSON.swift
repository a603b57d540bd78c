public import LunaJSON

extension HomeState {
  /// The state as JSON, to be kept; the same state gives the same bytes.
  public var json: JSONValue {
    // Every part is a number, a text, a list or an object: there is nothing that cannot be written.
    (try? StateEncoder.json(self)) ?? .null
  }

  /// Reads a state that was kept.
  public init(json: JSONValue) throws(FormatError) {
    do {
      self = try StateDecoder.read(HomeState.self, json)
    } catch let error as FormatError {
      throw error
    } catch {
      throw FormatError("the state", "cannot be read")
    }
  }
}
