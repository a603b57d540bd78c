import Bluetooth
import LunaCore
public import LunaJSON

extension GatewayPayload {
  /// What the label says, as the backend and the command tell it.
  public var json: JSONObject {
    var object: JSONObject = [
      "print": .string(print.description), "id": .string(print.id), "key": .string(print.key),
    ]
    func put(_ name: String, _ value: String?) {
      if let value { object.append(name, .string(value)) }
    }
    put("name", name)
    put("site", site)
    put("mac", mac.map(NetworkAddressText.mac))
    put("ip", ip.map(NetworkAddressText.ip))
    put("manufacturer", manufacturer)
    put("model", model)
    if let position {
      let (latitude, longitude) = position.degrees
      object.append(
        "place", .object(["latitude": .real(latitude), "longitude": .real(longitude)]))
    }
    return object
  }
}
