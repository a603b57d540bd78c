import Bluetooth
import HTTPServer
import LunaJSON
import WebAccess

/// `/v1/settings`: what an admin may change while the server runs. What decides over who gets in stands
/// in the configuration file alone.
enum SettingEndpoints {
  static let declarations = [
    Endpoint(
      "GET", "/v1/settings", "getSettings", "See the settings.", access: .role(.admin),
      replies: [.init(200, "The settings.", json: "Settings")]
    ) { api, _ in HTTPResponse(200, json: try await json(api)) },
    Endpoint(
      "PATCH", "/v1/settings", "changeSettings", "Change settings; null takes one back.",
      access: .role(.admin), body: "Settings",
      replies: [.init(200, "The settings.", json: "Settings")],
      problems: [(422, "There is no such setting, or it cannot be so.")]
    ) { api, call in
      var changes: [String: String?] = [:]
      for member in try call.members(api).object.members {
        guard let setting = Setting.all.first(where: { $0.name == member.name }),
          member.value == .null || setting.isValid(member.value)
        else {
          throw ProblemDocument(
            422, "setting", "This setting cannot be.", detail: "\(member.name) is the one at fault")
        }
        changes[member.name] = member.value == .null ? .some(nil) : member.value.description
      }
      try await api.accounts.keep(
        changes, by: call.caller?.label, at: call.time.microseconds)
      if changes.keys.contains(HealthLimit.setting) { api.signs.readAnew() }
      for name in changes.keys.sorted() {
        api.audit("setting changed", by: call.caller, ["setting": .string(name)])
      }
      return HTTPResponse(200, json: try await json(api))
    },
  ]

  private static func json(_ api: API) async throws -> JSONValue {
    let kept = try await api.accounts.settings()
    var object = JSONObject()
    for setting in Setting.all {
      let value = kept[setting.name].flatMap { try? JSONReader.read(Array($0.utf8)) }
      object.append(setting.name, value ?? setting.initial)
    }
    return .object(object)
  }
}
