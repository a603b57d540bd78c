/// A way to people (HOME.md 7).
package struct NotificationChannel: Hashable, Sendable {
  /// How a mail server is spoken to.
  package enum Security: String, Sendable {
    case starttls, tls, none
  }

  /// What it is.
  package enum Kind: String, Sendable {
    case email, ntfy, webhook, sms, push, command
  }

  package let id: String
  package let kind: Kind
  package let host: String
  package let port: Int
  package let security: Security
  /// A file with the certificates that the server is trusted by; nil for those of the system.
  package let authorities: String?
  package let user: String?
  package let password: SecretReference?
  package let from: String
  package let url: String
  package let topic: String
  package let token: SecretReference?
  package let headers: [HeaderSetting]
  package let secret: SecretReference?
  package let method: String
  package let body: String?
  /// The name of a program of the file.
  package let program: String
  /// Whether messages may say coordinates.
  package let hasDetails: Bool

  init?(_ node: SourceNode) {
    guard let id = node["id"]?.text, let kind = node["type"]?.text.flatMap({ Kind(rawValue: $0) })
    else { return nil }
    func secret(_ name: String) -> SecretReference? {
      node[name].flatMap { SecretReference($0) }
    }
    self.id = id
    self.kind = kind
    host = node["host"]?.text ?? ""
    security = node["security"]?.text.flatMap { Security(rawValue: $0) } ?? .starttls
    let usual =
      switch security {
      case .starttls: 587
      case .tls: 465
      case .none: 25
      }
    port = node["port"]?.integer.map { Int($0) } ?? usual
    authorities = node["ca"]?.text
    user = node["user"]?.text
    password = secret("password")
    from = node["from"]?.text ?? ""
    url = node["url"]?.text ?? ""
    topic = node["topic"]?.text ?? ""
    token = secret("token")
    headers = HeaderSetting.list(node["headers"])
    self.secret = secret("secret")
    method = node["method"]?.text ?? "POST"
    body = node["body"]?.text
    program = node["name"]?.text ?? ""
    hasDetails = node["details"]?.bool ?? false
  }

  /// Whether its server is this machine.
  package var isLocal: Bool { ReferenceCheck.isLoopback(host) }
}
