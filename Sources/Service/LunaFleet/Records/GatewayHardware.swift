import Bluetooth
public import LunaJSON

/// What a label says of a gateway's hardware, which nobody edits.
public struct GatewayHardware: Hashable, Sendable {
  /// The address of its network interface, 6 bytes.
  public var mac: [UInt8]?
  /// Its address on the network, 4 bytes (IPv4) or 16 (IPv6).
  public var ip: [UInt8]?
  /// What its maker calls it.
  public var model: String?

  /// Hardware of which no label has said anything.
  public init() {}

  /// What a label says.
  public init(_ payload: GatewayPayload) {
    mac = payload.mac
    ip = payload.ip
    model = payload.model
  }

  /// Reads what ``json`` wrote.
  public init(json: JSONObject) {
    if case .string(let text)? = json["mac"] {
      mac = Hex.bytes(text.filter { $0 != ":" }).flatMap { $0.count == 6 ? $0 : nil }
    }
    if case .string(let text)? = json["ip"] { ip = NetworkAddressText.bytes(ip: text) }
    if case .string(let text)? = json["model"] { model = text }
  }

  /// Hardware as JSON: what is known.
  public var json: JSONObject {
    var json = JSONObject()
    if let mac { json.append("mac", .string(NetworkAddressText.mac(mac))) }
    if let ip { json.append("ip", .string(NetworkAddressText.ip(ip))) }
    if let model { json.append("model", .string(model)) }
    return json
  }
}
