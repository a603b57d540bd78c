import LunaCrypto
import LunaJSON
import SafeText

/// A code for another device (RFC 8628, 3.2).
struct DeviceAuthorization: Sendable {
  let deviceCode: SecretBytes
  let userCode: ForeignText
  let address: WebAddress
  let completeAddress: WebAddress?
  let expiresIn: Duration
  let interval: Duration

  /// Reads an answer, and wipes it; nil for anything else.
  init?(_ body: inout [UInt8]) {
    defer { wipe(&body) }
    let secrets = SecretJSON.take(["device_code"], from: &body)
    guard let code = secrets["device_code"], let value = try? JSONReader.read(body),
      case .object(let object) = value, case .string(let user)? = object["user_code"],
      (1...64).contains(user.utf8.count),
      let address = DeviceAuthorization.address("verification_uri", object)
        ?? DeviceAuthorization.address("verification_url", object)
    else { return nil }
    deviceCode = code
    userCode = ForeignText(user)
    self.address = address
    completeAddress = DeviceAuthorization.address("verification_uri_complete", object)
    let lasts = object["expires_in"].flatMap { TokenVerdict.seconds(of: $0) } ?? 600
    expiresIn = .seconds(min(max(lasts, 1), 86_400))
    let pause = object["interval"].flatMap { TokenVerdict.seconds(of: $0) } ?? 5
    interval = .seconds(min(max(pause, 1), 600))
  }

  private static func address(_ name: String, _ object: JSONObject) -> WebAddress? {
    guard case .string(let text)? = object[name] else { return nil }
    return WebAddress(text)
  }
}
