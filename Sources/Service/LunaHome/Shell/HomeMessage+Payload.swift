import LunaJSON

// What a rule publishes.

extension HomeMessage {
  /// The request with the names in its payload filled in. What looks like JSON stays JSON, whatever somebody
  /// calls a tracker.
  func filled(by settings: NotificationSettings) -> HomeActionRequest {
    guard case .object(let given) = request.parameters, case .string(let text)? = given["payload"]
    else { return request }
    let isJSON = text.utf8.first.map { "{[".utf8.contains($0) } ?? false
    let payload = MessageTemplate(text).filled(for: isJSON ? .json : .text) {
      value(of: $0, settings)
    }
    var parameters = JSONObject()
    for member in given.members {
      parameters.append(member.name, member.name == "payload" ? .string(payload) : member.value)
    }
    return HomeActionRequest(
      firing: request.firing, rule: request.rule, level: request.level, cause: request.cause,
      index: request.index, wall: request.wall, name: request.name, parameters: .object(parameters),
      trackers: request.trackers, recipients: request.recipients, delivery: request.delivery,
      fix: request.fix)
  }

  private func value(of name: String, _ settings: NotificationSettings) -> String? {
    switch name {
    case "tracker.name": tracker
    case "place.name": place
    case "value":
      if case .text(let text)? = request.cause.value {
        text
      } else {
        request.cause.value?.json.description
      }
    case "time": settings.clockText(request.wall / 1_000_000)
    case "rule.name": rule
    case "link": settings.link
    default: nil
    }
  }
}
