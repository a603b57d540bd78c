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
    if let missing = WeheResults.missing(WeheQuestion.fields, in: form) { return (nil, missing) }
    guard let question = WeheQuestion(form) else {
      return (nil, ["success": false, "error": "malformed"])
    }
    let known = [question.single] + question.both
    guard known.contains(where: { results.holds($0, by: question.user, at: time) }) else {
      return (nil, WeheResults.nothing)
    }
    guard searches < WeheHost.most.searches else {
      return (nil, ["success": false, "error": "busy"])
    }
    searches += 1
    return (question, .null)
  }

  /// That was found.
  package mutating func keep(_ response: JSONValue, of question: WeheQuestion, at time: Double) {
    searches -= 1
    results.keep(response, of: question, at: time)
  }
}
