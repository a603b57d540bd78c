import LunaHome
import LunaJSON

/// What the app is made of: what the file says, and what is there without being said.
enum HomeApp {
  /// - Parameter isKnown: whether somebody is signed in; others get what the page looks like.
  /// - Parameter name: what the home is called in the app; what the file says comes before it.
  /// - Parameter tiles: where its map comes from; null for none.
  static func json(_ file: HomeFile, name: String?, isKnown: Bool, tiles: JSONValue = .null)
    -> JSONValue
  {
    let experience = file["userExperience"]
    var object: JSONObject = [
      "name": file["name"] ?? .string(name ?? "Home"),
      "config": experience?["defaultConfig"] ?? [:],
      "colors": experience?["colors"] ?? [], "strings": experience?["strings"] ?? [:],
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
    object.append("channels", channels(file))
    object.append("live", .bool(file["sdkConfig"]?["allowMobileDSS"] != .bool(false)))
    return .object(object)
  }

  /// The channels that people can be told by, without what is secret about them.
  private static func channels(_ file: HomeFile) -> JSONValue {
    guard case .array(let channels)? = file["notifications"]?["channels"] else { return [] }
    return .array(
      channels.map { ["id": $0["id"] ?? .null, "type": $0["type"] ?? .null] })
  }
}
