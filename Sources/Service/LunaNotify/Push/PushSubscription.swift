import JSONWebToken
import LunaClient
package import LunaJSON

/// Where a browser, or an app of UnifiedPush, is told of something (Push API, 8).
package struct PushSubscription: Hashable, Sendable {
  /// Longer addresses no push service gives.
  private static let addressLimit = 1024

  /// The address at its push service, which is as good as a secret.
  package let endpoint: String
  /// Its public key on P-256, uncompressed: 65 bytes.
  package let key: [UInt8]
  /// What only it and this home know: 16 bytes.
  package let auth: [UInt8]

  package init(endpoint: String, key: [UInt8], auth: [UInt8]) {
    (self.endpoint, self.key, self.auth) = (endpoint, key, auth)
  }

  /// Reads what a browser says: {endpoint, keys: {p256dh, auth}}. Plain http leads to this machine alone.
  ///
  /// - Throws: what is wrong with it.
  package init(json: JSONMembers) throws(FormatError) {
    endpoint = try json.string("endpoint")
    guard endpoint.utf8.count <= PushSubscription.addressLimit,
      let url = try? WebhookURL(endpoint, allowsInsecure: false),
      url.isEncrypted || url.isLoopback
    else { throw FormatError("endpoint", "is not an https URL") }
    let keys = try JSONMembers(json.optional("keys") ?? .null, name: "keys")
    guard let key = Base64URL.decode(try keys.string("p256dh").utf8), WebPush.isKey(key) else {
      throw FormatError("p256dh", "is not a public key of P-256 in base64url")
    }
    guard let auth = Base64URL.decode(try keys.string("auth").utf8), auth.count == 16 else {
      throw FormatError("auth", "is not 16 bytes in base64url")
    }
    (self.key, self.auth) = (key, auth)
  }

  /// What follows the push service in the address.
  var path: Substring { endpoint.dropFirst(origin.count) }

  /// Scheme, host and port of the push service.
  var origin: String {
    (try? WebhookURL(endpoint, allowsInsecure: false))?.place ?? ""
  }
}
