/// The issuer at which people may sign in elsewhere (OpenID Connect), as a file names it.
package struct HomeIssuer: Hashable, Sendable {
  /// As it calls itself.
  package let url: String
  /// What people call it; nil for its host.
  package let name: String?
  /// What it is asked for; nil for the usual.
  package let scope: String?
  /// A file with the certificates that it is trusted by.
  package let authorities: String?
  /// As what this home is known there.
  package let client: String
  private let reference: SecretReference?
  private let text: String?

  init?(_ root: SourceNode) {
    let sdk = root["sdkConfig"]
    guard let node = root["auth"]?["oidc"], let url = node["issuer"]?.text,
      let client = sdk?["appId"]?.text
    else { return nil }
    self.url = url
    self.client = client
    name = node["name"]?.text
    scope = node["scope"]?.text
    authorities = node["ca"]?.text
    reference = sdk?["appSecret"].flatMap { SecretReference($0) }
    text = sdk?["appSecret"]?.text
  }

  /// Reads the secret of this home; nil where it has none.
  package func secret() throws(HomeError) -> String? {
    guard let reference else { return text }
    return try reference.read()
  }
}
