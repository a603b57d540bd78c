package import LunaJSON

// What is known of places, and of the originals by which they are found, the original's way.

extension WeheResults {
  /// A place was found.
  mutating func keep(_ response: JSONValue, of question: WeheQuestion, at time: Double) {
    places.removeAll { $0.key == question.key || time >= $0.time + WeheResults.day }
    places.append((question.key, time, response))
    places = Array(places.suffix(WeheResults.most.places))
  }

  /// What is known here of an original: null where that is not known of it, and nil where it was made elsewhere.
  package func result(
    _ measurement: WeheMeasurement, of replay: WeheQuestion.Replay, by user: String,
    at time: Double
  ) -> JSONValue? {
    original(replay, by: user, at: time).map { measurement.result($0.samples, $0.loss) ?? .null }
  }

  /// Whether an original was made here.
  func holds(_ replay: WeheQuestion.Replay, by user: String, at time: Double) -> Bool {
    original(replay, by: user, at: time) != nil
  }

  private func original(
    _ replay: WeheQuestion.Replay, by user: String, at time: Double
  ) -> Measured? {
    original(WeheResults.key(user, String(replay.history)), at: time)
  }

  private func original(_ key: String, at time: Double) -> Measured? {
    measured.last { $0.key == key && time < $0.time + WeheResults.day }
  }

  func measurements(_ fields: [String: String], at time: Double) -> JSONValue {
    let names = ["userID", "historyCount", "testID", "measurementType", "kwargs"]
    if let missing = WeheResults.missing(names, in: fields) { return missing }
    guard let parameters = LocalizeSession.object(Array((fields["kwargs"] ?? "").utf8)),
      let measurement = WeheMeasurement(fields["measurementType"] ?? "", parameters)
    else { return ["success": false, "error": "malformed"] }
    let key = WeheResults.key(fields["userID"] ?? "", fields["historyCount"] ?? "")
    // Of controls nothing is asked.
    guard fields["testID"] == "0", let found = original(key, at: time),
      let result = measurement.result(found.samples, found.loss)
    else { return WeheResults.nothing }
    return measurement.answer(result)
  }

  func place(_ fields: [String: String], at time: Double) -> JSONValue {
    if let missing = WeheResults.missing(["userID", "historyCounts", "testID"], in: fields) {
      return missing
    }
    let text = Array((fields["historyCounts"] ?? "").utf8)
    guard let json = try? JSONReader.read(text, rules: .strict(elements: 2)),
      case .array(let list) = json
    else { return ["success": false, "error": "malformed"] }
    let key = WeheQuestion.key(
      fields["userID"] ?? "", list.compactMap { RecordingFields.integer($0) })
    let found = places.last { $0.key == key && time < $0.time + WeheResults.day }
    guard let found else { return WeheResults.nothing }
    return ["success": true, "response": found.response]
  }
}
