import LunaClient
import LunaJSON
import Synchronization
import UplinkProtocol

// Where a difference is made, the original's way. What an original needs captures for is read from the kernel.

extension WeheService {
  /// Locates a difference, and answers when it is done: what came of it is asked for next.
  func locate(_ form: [String: String]) async -> JSONValue {
    let time = time
    let (question, refusal) = state.withLock { $0.host.locate(form, at: time) }
    guard let question else { return refusal }
    let localization = WeheLocalization(question, variations: neighbours.variations) {
      [self] replay, measurement in
      await result(measurement, of: replay, by: question.user)
    }
    let response = await localization.response()
    let now = self.time
    state.withLock { $0.host.keep(response, of: question, at: now) }
    return ["success": true]
  }

  /// What is known of an original here, or at a neighbour.
  private func result(
    _ measurement: WeheMeasurement, of replay: WeheQuestion.Replay, by user: String
  ) async -> JSONValue? {
    let time = time
    let results = state.withLock { $0.host.results }
    if let own = results.result(measurement, of: replay, by: user, at: time) { return own }
    let name = replay.server
    guard neighbours.knows(name), !state.withLock({ ($0.silent[name] ?? .now) > .now }),
      let address = try? await ServerAddress.find(replay.server)
    else { return nil }
    var client = WeheClient(address, authorities: neighbours.authorities)
    client.resultsPort = neighbours.port
    guard let (http, url) = try? client.results() else { return nil }
    let query = measurement.query(of: replay, by: user)
    guard case .answered(let bytes) = await WeheClient.ask(http, "GET", "\(url)?\(query)", nil)
    else {
      state.withLock { $0.silent[name] = .now + WeheService.rest }
      return nil
    }
    return WeheMeasurement.result(in: bytes)
  }
}
