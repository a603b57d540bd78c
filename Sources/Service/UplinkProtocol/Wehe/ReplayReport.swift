package import LunaJSON

/// The result of a check by replays, as it is kept and shown (UPLINK.md, 11).
package struct ReplayReport: Sendable {
  /// What was replayed.
  package let profile: String
  /// By which server, as the user names it.
  package let server: String
  /// The tests; the second one repeats a first one that found a difference.
  private var tests: [ReplayComparison] = []
  private var additions = JSONObject()
  /// Whether the test that was to confirm the first one came to nothing.
  package var isUnconfirmed = false

  /// A result without any test yet.
  package init(profile: String, server: String) {
    self.profile = profile
    self.server = server
  }

  /// Adds a test, with what the server makes of it; nil where it was not asked.
  package mutating func add(_ test: ReplayComparison, _ outcome: AnalysisOutcome?) {
    tests.append(test)
    additions = outcome.map { test.members(of: $0) } ?? JSONObject()
  }

  /// What is told; nil before the first test.
  package var verdict: FairnessVerdict? {
    guard let first = tests.first, let last = tests.last else { return nil }
    if tests.count > 1 { return first.verdict.confirmed(by: last.verdict) }
    return isUnconfirmed && needsConfirmation ? .inconclusive(.notConfirmed) : first.verdict
  }

  /// Whether a second test has to agree before anything is told.
  package var needsConfirmation: Bool { tests.count == 1 && tests[0].verdict.needsConfirmation }

  /// The samples of the test that counts.
  package var samples: JSONValue? { tests.last?.samples }

  /// How many bytes of data went, both ways together.
  package var bytes: Int { tests.reduce(0) { $0 + $1.original.bytes + $1.control.bytes } }

  /// The result.
  ///
  /// - Parameters:
  ///   - time: when it came, as in RFC 3339.
  ///   - isCancelled: whether somebody ended the check before there was a verdict.
  package func json(id: String, time: String, isCancelled: Bool = false) -> JSONObject {
    var result: JSONObject = [
      "type": "uplink", "id": .string(id), "time": .string(time), "profile": .string(profile),
      "direction": "down", "server": .string(server),
    ]
    if isCancelled {
      result.append("reason", "cancelled")
    } else if let verdict {
      result.append("verdict", .string(verdict.word))
      if case .inconclusive(let reason) = verdict {
        result.append("reason", .string(reason.rawValue))
      }
    }
    // What one says alone is the original's way; the second counts.
    if let test = tests.last {
      if let ratio = test.ratio { result.append("ratio", .real(ratio)) }
      result.append("pairs", .integer(Int64(tests.count)))
      result.append("bytes", .integer(Int64(bytes)))
      let seconds = tests.reduce(0) { $0 + $1.original.seconds + $1.control.seconds }
      result.append("seconds", .real(seconds))
      result.append(
        "slots", [test.original.json(isControl: false), test.control.json(isControl: true)])
      if let judgement = test.judgement {
        result.append("original", .object(judgement.members))
      }
    }
    result.members += additions.members
    result.append("simulated", false)
    return result
  }
}
