import JSONWebToken
import LunaJSON

extension WebToken {
  /// A token with a signature that nobody has looked at.
  static func sample(
    _ claims: JSONObject, type: String? = "at+jwt", key: String? = "one"
  ) throws -> WebToken {
    var header: JSONObject = ["alg": "ES256"]
    if let type { header.append("typ", .string(type)) }
    if let key { header.append("kid", .string(key)) }
    let parts = [JSONValue.object(header).bytes, JSONValue.object(claims).bytes, [1, 2, 3]]
    return try WebToken(Array(parts.map { Base64URL.encode($0) }.joined(separator: [0x2E])))
  }
}
