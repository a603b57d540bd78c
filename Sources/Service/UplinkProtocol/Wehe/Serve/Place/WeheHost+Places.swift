package import LunaJSON

// Where a difference is made, the original's way.

extension WeheHost {
  /// Somebody asks where a difference is made. Whoever has made no original here is not answered: this has other servers
  /// asked.
  ///
  /// - Returns: the question, or what is answered instead of an answer to it.
  package mutating func locate(
    _ form: [String: String], at time: Double
  ) -> (question: WeheQuestion?, refusal: JSONValue) {
    if let missing = WeheHost.missing(WeheQuestion.fields, in: form) { return (nil, missing) }
    guard let question = WeheQuestion(form) else {
      return (nil, ["success": false, "error": "malformed"])
    }
    let known = [question.single] + question.both
    guard known.contains(where: { original($0, by: question.user, at: time) != nil }) else {
      return (nil, WeheHost.nothing)
    }
    guard searches < WeheHost.mostOfPlaces.searches else {
      return (nil, ["success": false, "error": "busy"])
    }
    searches += 1
    return (question, .null)
  }

  /// That was found.
  package mutating func keep(_ response: JSONValue, of question: WeheQuestion, at time: Double) {
    searches -= 1
    places.removeAll { $0.key == question.key || time >= $0.time + WeheHost.times.day }
    places.append((question.key, time, response))
    places = Array(places.suffix(WeheHost.mostOfPlaces.places))
  }

  /// What is known here of an original: null where that is not known of it, and nil where it was made elsewhere.
  package func result(
    _ measurement: WeheMeasurement, of replay: WeheQuestion.Replay, by user: String,
    at time: Double
  ) -> JSONValue? {
    original(replay, by: user, at: time).map { measurement.result($0.samples, $0.loss) ?? .null }
  }

  private func original(
    _ replay: WeheQuestion.Replay, by user: String, at time: Double
  ) -> Measured? {
    original(WeheHost.key(user, String(replay.history)), at: time)
  }

  private func original(_ key: String, at time: Double) -> Measured? {
    measured.last { $0.key == key && time < $0.time + WeheHost.times.day }
  }

  func measurements(_ fields: [String: String], at time: Double) -> JSONValue {
    let names = ["userID", "historyCount", "testID", "measurementType", "kwargs"]
    if let missing = WeheHost.missing(names, in: fields) { return missing }
    guard let parameters = LocalizeSession.object(Array((fields["kwargs"] ?? "").utf8)),
      let measurement = WeheMeasurement(fields["measurementType"] ?? "", parameters)
    else { return ["success": false, "error": "malformed"] }
    let key = WeheHost.key(fields["userID"] ?? "", fields["historyCount"] ?? "")
    // Of controls nothing is asked.
    guard fields["testID"] == "0", let found = original(key, at: time),
      let result = measurement.result(found.samples, found.loss)
    else { return WeheHost.nothing }
    return measurement.answer(result)
  }

  func place(_ fields: [String: String], at time: Double) -> JSONValue {
    if let missing = WeheHost.missing(["userID", "historyCounts", "testID"], in: fields) {
      return missing
    }
    let text = Array((fields["historyCounts"] ?? "").utf8)
    guard let json = try? JSONReader.read(text, rules: .strict(elements: 2)),
      case .array(let list) = json
    else { return ["success": false, "error": "malformed"] }
    let key = WeheQuestion.key(
      fields["userID"] ?? "", list.compactMap { RecordingFields.integer($0) })
    let found = places.last { $0.key == key && time < $0.time + WeheHost.times.day }
    guard let found else { return WeheHost.nothing }
    return ["success": true, "response": found.response]
  }
}
