/// The broker that a file names.
struct BrokerSetup: Hashable, Sendable {
  let host: String
  let port: Int
  let user: String?
  let password: SecretReference?
  let usesTLS: Bool
  let authorities: String?
  let certificate: String?
  let key: String?
  /// What topics begin with.
  let base: String
  /// Whether it is told what to do by MQTT.
  let takesCommands: Bool
  let clientID: String

  init?(_ node: SourceNode, _ root: SourceNode) {
    guard let host = node["host"]?.text else { return nil }
    self.host = host
    let tls = node["tls"]
    usesTLS = tls != nil
    port = Int(node["port"]?.integer ?? 1883)
    user = node["user"]?.text
    password = node["password"].flatMap { SecretReference($0) }
    authorities = tls?["ca"]?.text
    certificate = tls?["cert"]?.text
    key = tls?["key"]?.text
    let name = root["name"]?.text ?? "Home"
    let prefix = root["sdkConfig"]?["xPlatformId"]?.text.map { $0 + "/" } ?? ""
    base = node["base"]?.text ?? prefix + "luna/" + BrokerSetup.level(name)
    takesCommands = node["commands"]?.bool ?? true
    clientID = root["applicationIdentifier"]?.text ?? "luna.home"
  }

  /// A text as one level of a topic: small letters, digits, `_` and `-`.
  static func level(_ text: String) -> String {
    let level = text.lowercased().map { character in
      character.isASCII && (character.isLetter || character.isNumber || character == "-")
        ? character : "_"
    }
    return level.isEmpty ? "_" : String(level)
  }
}
