import LunaHome
import LunaJSON

/// What the app is made of: what the file says, and what is there without being said.
enum HomeApp {
  /// - Parameter isKnown: whether somebody is signed in; others get what the page looks like.
  /// - Parameter name: what the home is called in the app; what the file says comes before it.
  /// - Parameter tiles: where its map comes from; null for none.
  /// - Parameter hasPlans: whether who is signed in may know how the house looks inside.
  static func json(
    _ file: HomeFile, name: String?, isKnown: Bool, tiles: JSONValue = .null,
    hasPlans: Bool = false
  ) -> JSONValue {
    let experience = file["userExperience"]
    var object: JSONObject = [
      "name": file["name"] ?? .string(name ?? "Home"),
      "config": experience?["defaultConfig"] ?? [:],
      "colors": experience?["colors"] ?? [], "strings": experience?["strings"] ?? [:],
      "signIn": signIn(experience),
    ]
    guard isKnown else { return .object(object) }
    object.append("screens", experience?["screens"] ?? [])
    object.append("controls", experience?["controls"] ?? [])
    object.append("home", experience?["homeScreen"] ?? "deviceList")
    object.append("menu", experience?["drawerMenu"] ?? .null)
    object.append("models", file["devices"] ?? [])
    object.append("named", .bool(file["name"] != nil || name != nil))
    object.append("webRoot", .bool(file["server"]?["webRoot"] != nil))
    object.append("tiles", tiles)
    object.append("plans", hasPlans ? plans(file) : [])
    object.append("channels", channels(file))
    object.append("live", .bool(file["sdkConfig"]?["allowMobileDSS"] != .bool(false)))
    return .object(object)
  }

  /// How the screen for signing in looks, which nobody has to sign in for; null where the file declares none.
  private static func signIn(_ experience: JSONValue?) -> JSONValue {
    guard let name = experience?["signInScreen"],
      case .array(let screens)? = experience?["screens"],
      let screen = screens.first(where: { $0["name"] == name && $0["class"] == "SignIn" })
    else { return .null }
    return ["title": screen["title"] ?? .null, "config": screen["config"] ?? [:]]
  }

  /// The pictures of floors, without the paths of their files.
  private static func plans(_ file: HomeFile) -> JSONValue {
    let plans = PlanEndpoints.floors(of: file).enumerated().map { number, plan -> JSONValue in
      var object: JSONObject = [
        "name": plan["name"] ?? .string("Floor \(number + 1)"),
        "url": .string("/api/v1/plans/\(number)"),
      ]
      for edge in ["south", "west", "north", "east"] { object.append(edge, plan[edge] ?? .null) }
      return .object(object)
    }
    return .array(plans)
  }

  /// The channels that people can be told by, without what is secret about them.
  private static func channels(_ file: HomeFile) -> JSONValue {
    guard case .array(let channels)? = file["notifications"]?["channels"] else { return [] }
    return .array(
      channels.map { ["id": $0["id"] ?? .null, "type": $0["type"] ?? .null] })
  }
}
