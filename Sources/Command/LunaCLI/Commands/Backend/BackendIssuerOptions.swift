import CommandSpec
import LunaAccount
import LunaBackend
import LunaCrypto
import LunaDocuments

/// Issuers of others whose tokens a backend takes: keys of `[backend]`, and of `[backend NAME]` for a
/// second one. No command line has them.
struct BackendIssuerOptions: Sendable {
  /// What stands in one section.
  private struct Section: Sendable {
    var issuer: String?
    var audience: String?
    var clients: [String] = []
    var isAudienceScope = false
    var idTokenClients: [String] = []
    var introspection: String?
    var introspectionClient: String?
    var introspectionSecretFile: String?
    var signInClient: String?
    var signInSecretFile: String?
    var signInName: String?
    var signInScope: String?
    var roles: [RoleRule] = []

    var hasSignInKeys: Bool {
      signInSecretFile != nil || signInName != nil || signInScope != nil || !roles.isEmpty
    }
  }

  private var sections: [String: Section] = [:]

  /// What help says of the keys.
  static let help =
    "Tokens of other issuers are taken where a configuration file names these: in its section [backend], and "
    + "for a second issuer in [backend NAME], issuer = URL (as it calls itself), audience = TEXT (default: "
    + "the address of the backend), clients = ID and id-token-clients = ID (each repeatable), "
    + "audience-is-scope = yes, introspection = URL, introspection-client = ID and "
    + "introspection-secret-file = FILE. Whoever a token belongs to has to be linked to an account, a "
    + "gateway or an owner then. With oidc-client = ID people sign in to the console there (the redirect "
    + "address is PUBLIC-URL/v1/session/oidc); oidc-secret-file = FILE where that client has a secret, "
    + "oidc-name = TEXT for the button, oidc-scope = TEXT, and oidc-role = CLAIM=VALUE:ROLE (repeatable, "
    + "the first that fits counts) for who gets which role; without one an admin says so for each."

  static var group: OptionGroup<BackendIssuerOptions> {
    OptionGroup(
      "Other issuers",
      [
        key("issuer", "URL", "An issuer whose tokens are taken", urlReader) { $0.issuer = $1 },
        key("audience", "TEXT", "What its tokens are for", .text) { $0.audience = $1 },
        key("clients", "ID", "A program whose tokens are taken", .text) { $0.clients.append($1) },
        key("audience-is-scope", "yes|no", "Whether it writes the scope into aud", yesReader) {
          $0.isAudienceScope = $1
        },
        key("id-token-clients", "ID", "A program whose ID tokens are taken", .text) {
          $0.idTokenClients.append($1)
        },
        key("introspection", "URL", "Where it says whose a token is", urlReader) {
          $0.introspection = $1
        },
        key("introspection-client", "ID", "As whom the backend asks there", .text) {
          $0.introspectionClient = $1
        },
        key("introspection-secret-file", "FILE", "The secret of that client", .file) {
          $0.introspectionSecretFile = $1
        },
        key("oidc-client", "ID", "As what the console is known there", .text) {
          $0.signInClient = $1
        },
        key("oidc-secret-file", "FILE", "The secret of that client", .file) {
          $0.signInSecretFile = $1
        },
        key("oidc-name", "TEXT", "What the button to sign in there says", .text) {
          $0.signInName = $1
        },
        key("oidc-scope", "TEXT", "What is asked for there", scopeReader) {
          $0.signInScope = $1
        },
        key("oidc-role", "CLAIM=VALUE:ROLE", "Who gets which role at the console", roleReader) {
          $0.roles.append($1)
        },
      ])
  }

  private static func key<Value: Sendable>(
    _ long: String, _ placeholder: String, _ help: String, _ reader: ValueReader<Value>,
    store: @escaping @Sendable (inout Section, Value) -> Void
  ) -> Option<BackendIssuerOptions> {
    .key(long, placeholder, help, reader) { options, name, value in
      store(&options.sections[name ?? "", default: Section()], value)
    }
  }

  private static var urlReader: ValueReader<String> {
    ValueReader(expects: "https://HOST[:PORT][/PATH], or http on this machine", hint: .text) {
      text throws(ValueProblem) in
      guard LunaAccount.isAddress(text) else { throw ValueProblem("is not such a URL") }
      return text
    }
  }

  private static var scopeReader: ValueReader<String> {
    ValueReader(expects: "words, one of them openid", hint: .text) { text throws(ValueProblem) in
      guard text.split(separator: " ").contains("openid") else {
        throw ValueProblem("has not the word openid")
      }
      return text
    }
  }

  private static var roleReader: ValueReader<RoleRule> {
    ValueReader(expects: "CLAIM=VALUE:ROLE, as groups=staff:operator", hint: .text) {
      text throws(ValueProblem) in
      guard let rule = RoleRule(text) else {
        throw ValueProblem("is not CLAIM=VALUE:ROLE with the role viewer, operator or admin")
      }
      return rule
    }
  }

  private static var yesReader: ValueReader<Bool> {
    ValueReader(expects: "yes or no", hint: .text) { text throws(ValueProblem) in
      switch text {
      case "yes", "true", "on": return true
      case "no", "false", "off": return false
      default: throw ValueProblem("is neither yes nor no")
      }
    }
  }

  func check() throws(ValueProblem) {
    var seen: Set<String> = []
    for (name, section) in sections {
      let place = name.isEmpty ? "[backend]" : "[backend \(name)]"
      guard let issuer = section.issuer else {
        throw ValueProblem("\(place) has keys of an issuer, but no issuer")
      }
      guard seen.insert(issuer).inserted else {
        throw ValueProblem("the issuer \(issuer) stands in two sections")
      }
      guard !section.isAudienceScope || !section.clients.isEmpty else {
        throw ValueProblem(
          "audience-is-scope of \(place) needs clients: nothing else tells what a token is for")
      }
      guard
        section.introspection != nil
          || section.introspectionClient == nil && section.introspectionSecretFile == nil
      else { throw ValueProblem("\(place) has a client for introspection, but no introspection") }
      if let client = section.signInClient {
        guard !section.idTokenClients.contains(client) else {
          throw ValueProblem(
            "id-token-clients of \(place) must not have the console's own oidc-client: its ID tokens "
              + "are for the console alone")
        }
      } else if section.hasSignInKeys {
        throw ValueProblem("\(place) has keys for signing in to the console, but no oidc-client")
      }
    }
  }

  /// The issuers, with their secrets read.
  func issuers() async throws -> [TrustedIssuer] {
    var issuers: [TrustedIssuer] = []
    for (_, section) in sections.sorted(by: { $0.key < $1.key }) {
      guard let name = section.issuer else { continue }
      var issuer = TrustedIssuer(name)
      issuer.audience = section.audience
      issuer.clients = Set(section.clients)
      issuer.isAudienceScope = section.isAudienceScope
      issuer.idTokenClients = Set(section.idTokenClients)
      issuer.introspection = section.introspection
      issuer.introspectionClient = section.introspectionClient
      issuer.introspectionSecret = try await BackendIssuerOptions.secret(
        section.introspectionSecretFile)
      if let client = section.signInClient {
        var signIn = SignInClient(client: client)
        signIn.secret = try await BackendIssuerOptions.secret(section.signInSecretFile)
        signIn.name = section.signInName
        signIn.scope = section.signInScope
        signIn.roles = section.roles
        issuer.signIn = signIn
      }
      issuers.append(issuer)
    }
    return issuers
  }

  /// What stands in a file, without the end of its line.
  private static func secret(_ file: String?) async throws -> SecretBytes? {
    guard let file else { return nil }
    var bytes = try await InputFile.read(file)
    defer { wipe(&bytes) }
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    return SecretBytes(copying: bytes.span)
  }
}
