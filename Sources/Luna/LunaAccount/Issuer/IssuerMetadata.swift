import Diagnosis
import LunaJSON
import SafeText

/// What an issuer says of itself (OpenID Connect Discovery 1.0; RFC 8414).
struct IssuerMetadata: Hashable, Sendable {
  let issuer: String
  let tokenEndpoint: WebAddress
  let authorizationEndpoint: WebAddress?
  let deviceEndpoint: WebAddress?
  let revocationEndpoint: WebAddress?
  /// Where it says more of people than in their ID tokens.
  let userinfoEndpoint: WebAddress?
  /// Where the keys are with which it signs.
  let keysAddress: WebAddress?
  /// The scopes that it names, if it names any.
  let scopes: Set<String>
  /// Whether it wants the secret of a program in the form, and not in the head (RFC 6749, 2.3.1).
  let wantsSecretInForm: Bool
  /// Whether it says with each code that it comes from it (RFC 9207).
  let namesItself: Bool

  /// Reads a document.
  ///
  /// - Parameter issuer: whose it has to be.
  init(_ document: [UInt8], of issuer: String) throws(AccountError) {
    let name = ForeignText(issuer)
    let members: JSONMembers
    do {
      members = try JSONMembers(try JSONReader.read(document), name: "the document")
    } catch {
      throw AccountError(.undecodable, "what \(name) says of itself cannot be read: \(error)")
    }
    guard case .string(let own)? = members.object["issuer"], own == issuer else {
      let says = members.object["issuer"].map { "\(ForeignText($0.description).limited(to: 200))" }
      throw AccountError(
        .configuration, "the issuer \(name) calls itself \(says ?? "nothing")",
        remedy: "use \(.issuer) as it calls itself, if it is the one that is meant")
    }
    let isEncrypted = WebAddress(issuer)?.isEncrypted ?? true
    func endpoint(_ member: String) throws(AccountError) -> WebAddress? {
      // Some write an empty text for what they have not.
      guard let value = members.optional(member), value != "" else { return nil }
      guard case .string(let text) = value, let address = WebAddress(text), address.isPrivate,
        address.isEncrypted || !isEncrypted
      else {
        throw AccountError(
          .configuration, "the \(member) of the issuer \(name) is no https address")
      }
      return address
    }
    guard let token = try endpoint("token_endpoint") else {
      throw AccountError(.configuration, "the issuer \(name) has no token_endpoint")
    }
    self.issuer = issuer
    tokenEndpoint = token
    authorizationEndpoint = try endpoint("authorization_endpoint")
    deviceEndpoint = try endpoint("device_authorization_endpoint")
    revocationEndpoint = try endpoint("revocation_endpoint")
    keysAddress = try endpoint("jwks_uri")
    // Nobody has to ask there.
    userinfoEndpoint = try? endpoint("userinfo_endpoint")
    func words(_ member: String) -> Set<String> {
      guard case .array(let list)? = members.object[member] else { return [] }
      return Set(list.compactMap { if case .string(let word) = $0 { word } else { nil } })
    }
    scopes = words("scopes_supported")
    let ways = words("token_endpoint_auth_methods_supported")
    wantsSecretInForm =
      ways.contains("client_secret_post") && !ways.contains("client_secret_basic")
    namesItself =
      members.object["authorization_response_iss_parameter_supported"] == .bool(true)
  }

  /// Where an issuer may say so, in the order in which they are asked.
  static func addresses(of issuer: WebAddress) -> [String] {
    var path = issuer.target[...]
    while path.hasSuffix("/") { path.removeLast() }
    return [
      issuer.origin + path + "/.well-known/openid-configuration",
      issuer.origin + "/.well-known/oauth-authorization-server" + path,
    ]
  }
}
