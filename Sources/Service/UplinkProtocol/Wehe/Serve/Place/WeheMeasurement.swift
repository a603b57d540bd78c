package import LunaJSON

/// What a server of Wehe's tells another one of an original that was made with it (UPLINK.md, 7.1).
package enum WeheMeasurement: Hashable, Sendable {
  /// How fast it was, as the client measured it.
  case rates
  /// The least round trip, and how long it took.
  case times
  /// The shares that were lost, in intervals of these lengths, s.
  case losses([Double])

  /// How many lengths there may be.
  static let mostLengths = 64

  /// Reads a question; nil for anything else.
  init?(_ name: String, _ parameters: JSONObject) {
    switch name {
    case "clientXputs": self = .rates
    case "minRttAndDuration": self = .times
    case "lossRatios":
      guard case .array(let list)? = parameters["intervalSizes"],
        list.count <= WeheMeasurement.mostLengths
      else { return nil }
      let lengths = list.compactMap { RecordingFields.number($0) }
      guard lengths.count == list.count,
        lengths.allSatisfy({ LossTable.lengths.contains($0) })
      else { return nil }
      self = .losses(lengths)
    default: return nil
    }
  }

  /// Its name.
  package var name: String {
    switch self {
    case .rates: "clientXputs"
    case .times: "minRttAndDuration"
    case .losses: "lossRatios"
    }
  }

  /// The question to another server, as a query.
  package func query(of replay: WeheQuestion.Replay, by user: String) -> String {
    var parameters: JSONObject = ["serverPort": .integer(Int64(replay.port))]
    if case .losses(let lengths) = self {
      parameters.append("intervalSizes", .array(lengths.map { .real($0) }))
    }
    let text = LocalizePlan.escaped(JSONValue.object(parameters).bytes)
    return "command=getMeasurements&measurementType=\(name)&userID=\(user)"
      + "&historyCount=\(replay.history)&testID=0&kwargs=\(text)"
  }

  /// What is known of a replay; nil for nothing.
  func result(_ samples: ReplaySamples, _ loss: ReplayLoss) -> JSONValue? {
    switch self {
    case .rates: return samples.json
    case .times:
      guard let roundTrip = loss.leastRoundTrip else { return nil }
      return ["minRtt": .real(roundTrip), "duration": .real(loss.seconds)]
    case .losses(let lengths): return LossTable(loss, lengths: lengths).json
    }
  }

  /// What a server is answered that has asked.
  func answer(_ result: JSONValue) -> JSONValue {
    // The original reads by this what kind of value it is.
    let kind =
      switch self {
      case .rates: "<class 'list'>"
      case .times: "<class 'dict'>"
      case .losses: "<class 'pandas.core.frame.DataFrame'>"
      }
    return [
      "success": true,
      "measurements": ["type": .string(name), "resultType": .string(kind), "result": result],
    ]
  }

  /// What another server answers; nil where it knows nothing.
  package static func result(in answer: [UInt8]) -> JSONValue? {
    guard let object = LocalizeSession.object(answer), object["success"] == .bool(true),
      case .object(let measurements)? = object["measurements"], let result = measurements["result"],
      result != .null
    else { return nil }
    return result
  }
}
