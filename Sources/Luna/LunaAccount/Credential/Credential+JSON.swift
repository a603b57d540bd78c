import Bluetooth
import LunaCore
import LunaCrypto
import LunaJSON

extension Credential {
  private static let secrets = ["accessToken", "refreshToken", "idToken"]
  /// The longest time that is believed, s: a century.
  static let longest: Int64 = 3_200_000_000

  /// The credential as JSON, with a line end; the caller wipes it.
  var json: [UInt8] {
    var plain: JSONObject = [
      "schema": .integer(Credential.schema), "generation": .integer(generation),
      "issuer": .string(issuer), "clientId": .string(clientID),
      "issuedAt": .string(issuedAt.rfc3339),
    ]
    if let subject { plain.append("subject", .string(subject)) }
    if let scope { plain.append("scope", .string(scope)) }
    if let expiresIn { plain.append("expiresIn", .integer(expiresIn)) }
    var text: [UInt8] = []
    let tokens = [accessToken, refreshToken, idToken].compactMap { $0 }
    // At once: an array that grows leaves what it held behind.
    text.reserveCapacity(4096 + scopeLength + tokens.reduce(0) { $0 + 2 * $1.count })
    text += JSONValue.object(plain).bytes.dropLast()
    SecretJSON.append("accessToken", accessToken, to: &text)
    SecretJSON.append("refreshToken", refreshToken, to: &text)
    SecretJSON.append("idToken", idToken, to: &text)
    text += "}\n".utf8
    return text
  }

  private var scopeLength: Int {
    6 * [issuer, clientID, subject ?? "", scope ?? ""].reduce(0) { $0 + $1.utf8.count }
  }

  /// Reads one, and wipes the text.
  ///
  /// - Throws: ``LunaJSON/FormatError`` where it is none.
  init(json text: inout [UInt8]) throws(FormatError) {
    defer { wipe(&text) }
    let secrets = SecretJSON.take(Credential.secrets, from: &text)
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONReader.read(text)
    } catch {
      throw FormatError("the file", "is not JSON: \(error)")
    }
    let members = try JSONMembers(value, name: "the file")
    let known = Credential.schema
    let schema = try members.integer("schema", in: 1...Int64.max)
    guard schema <= known else {
      throw FormatError("schema", "is \(schema), of a newer version; this one knows \(known)")
    }
    guard let token = secrets["accessToken"] else { throw FormatError("accessToken", "is missing") }
    issuer = try members.string("issuer")
    clientID = try members.string("clientId")
    subject = try members.optionalString("subject", limit: 1024)
    scope = try members.optionalString("scope", limit: 4096)
    accessToken = token
    refreshToken = secrets["refreshToken"]
    idToken = secrets["idToken"]
    issuedAt = try Credential.time("issuedAt", of: members)
    expiresIn =
      members.optional("expiresIn") == nil
      ? nil : try members.integer("expiresIn", in: 0...Credential.longest)
    generation =
      members.optional("generation") == nil
      ? 1 : try members.integer("generation", in: 0...(Int64.max - 1))
  }

  /// RFC 3339, or seconds since 1970.
  private static func time(
    _ name: String, of members: JSONMembers
  ) throws(FormatError) -> Timestamp {
    if case .integer(let seconds)? = members.object[name],
      (0...253_402_300_799).contains(seconds)
    {
      return Timestamp(microseconds: seconds * 1_000_000)
    }
    guard let time = Timestamp(rfc3339: try members.string(name)) else {
      throw FormatError(name, "is no time")
    }
    return time
  }
}
