import CommandSpec
import EventLoop
import Glibc
import LunaAccount
import LunaBackend
import LunaDocuments
import Synchronization

/// `luna login`: signs somebody in.
struct LoginCommand: Sendable {
  /// As what somebody signs in at a backend.
  enum Part: Hashable, Sendable {
    case gateway(key: String?)
    case owner
    case account

    var scope: String {
      switch self {
      case .gateway(let key): key.map { "gateway:\($0)" } ?? "gateway"
      case .owner: "owner"
      case .account: "account"
      }
    }
  }

  var backend: String?
  var issuer: String?
  var clientID: String?
  var way = SignInWay.automatic
  var part: Part?
  var scope: String?
  var redirectPort: Int64?
  var deviceEndpoint: String?
  var server = ServerOptions()
  var account = AccountOptions()
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "login", "Sign in at a backend, or at an issuer that it trusts.",
    discussion: [
      "What is signed in with is kept in account/PROFILE.json in the state directory, as plain text that "
        + "only this user can read (mode 0600), and renewed by whatever program uses it. luna finder and "
        + "luna owner use it with --sign-in.",
      "With --device a code is shown, to be entered on any device; this is what happens without a "
        + "display, and where the issuer has nothing else. With --browser a browser of this machine is "
        + "opened ($BROWSER, else xdg-open). With --paste the browser may be anywhere: what it ends at is "
        + "pasted here.",
      "A backend that has its people signed in by somebody else needs --issuer too: else it could "
        + "collect tokens that are worth something there.",
      "Whoever is signed in already stays so while the issuer cannot be reached. From when somebody was "
        + "asked to sign in, Ctrl-C, a refusal, a code that nobody enters, and an answer to another attempt "
        + "sign out.",
    ],
    initial: LoginCommand(),
    groups: [
      OptionGroup(
        "Where",
        [
          .value("backend", "URL", "The backend, https://HOST[:PORT]", \.backend, urlReader)
            .fromEnvironment("LUNA_BACKEND"),
          .value("issuer", "URL", "Who signs people in, as it calls itself", \.issuer, urlReader),
          .value("client-id", "ID", "This program, as the issuer knows it", \.clientID, .text)
            .defaulting(to: AccountOptions.standardClient),
          .value(
            "device-endpoint", "URL",
            "Where codes for --device are asked for, when the issuer does not tell",
            \.deviceEndpoint, urlReader),
        ]),
      OptionGroup(
        "How",
        [
          .flag("device", "With a code that is entered on another device", \.way, to: .device),
          .flag("browser", "In a browser of this machine", \.way, to: .browser),
          .flag("paste", "In a browser elsewhere; paste what it ends at", \.way, to: .paste),
          .flag(
            "demo", "As nobody in particular, at a demonstration on this machine", \.way, to: .demo),
          .value("as", "WHAT", "gateway[:KEY], owner or account", \.part, partReader)
            .defaulting(to: "account at a backend"),
          .value("scope", "SCOPE", "What the token is to be for", \.scope, .text)
            .defaulting(to: "as --as says; openid at other issuers"),
          .value(
            "redirect-port", "N", "The port at which the browser comes back", \.redirectPort,
            .integer(1...65_535)
          ).defaulting(to: "any that is free"),
        ], exclusive: [["device", "browser", "paste", "demo"]]),
    ] + AccountOptions.groups.map { $0.scoped(to: \.account) } + [
      ServerOptions.group.scoped(to: \.server),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna login --backend https://luna.example", "As a person"),
      Example(
        "luna login --backend https://luna.example --as gateway:kitchen --device",
        "A gateway without a screen: enter the code elsewhere"),
      Example(
        "luna login --issuer https://id.example --client-id luna --browser",
        "At an issuer that the backend trusts"),
    ],
    exitStatuses: ExitCode.clientStatuses,
    check: { options throws(ValueProblem) in
      guard options.backend != nil || options.issuer != nil else {
        throw ValueProblem(
          "needs --backend or --issuer", remedy: "name the backend with --backend https://HOST")
      }
      guard options.issuer == nil || options.clientID != nil else {
        throw ValueProblem("--issuer needs --client-id", remedy: "give the id that it knows")
      }
      guard options.way != .demo || options.backend != nil else {
        throw ValueProblem("--demo needs --backend", remedy: "name a backend of this machine")
      }
    })

  private static var urlReader: ValueReader<String?> {
    ValueReader(expects: "https://HOST[:PORT][/PATH], or http on this machine", hint: .text) {
      text throws(ValueProblem) in
      guard LunaAccount.isAddress(text) else { throw ValueProblem("is not such a URL") }
      return text
    }
  }

  private static var partReader: ValueReader<Part?> {
    ValueReader(
      expects: "gateway[:KEY], owner or account",
      hint: .suggestions([
        Choice("gateway", "a gateway"), Choice("owner", "who has trackers"),
        Choice("account", "a person"),
      ])
    ) { text throws(ValueProblem) in
      switch text {
      case "owner": return .owner
      case "account": return .account
      case "gateway": return .gateway(key: nil)
      default:
        let key = text.dropFirst("gateway:".count)
        guard text.hasPrefix("gateway:"), TokenRecord.isName(String(key)) else {
          throw ValueProblem("is none of them")
        }
        return .gateway(key: String(key))
      }
    }
  }

  func run() async -> ExitCode {
    let buffer = OutputBuffer(descriptor: STDOUT_FILENO)
    let printer = AccountPrinter(
      buffer, OutputFormat.chosen(output.format), general.diagnostics)
    return await CommandRun(buffer, general.diagnostics).run {
      let account = LunaAccount(
        clientID: clientID ?? AccountOptions.standardClient,
        redirectURL: "http://127.0.0.1\(redirectPort.map { ":\($0)" } ?? "")/callback",
        try configuration())
      general.diagnostics.note(
        "luna: the credential goes into \(account.path ?? "the state directory"), as plain text that "
          + "only this user can read")
      let wasSignedIn = try? await account.identity() != nil
      let (prompts, continuation) = AsyncStream.makeStream(of: SignInPrompt.self)
      let attempt = Task { [way] in
        defer { continuation.finish() }
        return try await account.login(way) { continuation.yield($0) }
      }
      for await prompt in prompts {
        LoginCommand.cancelOnInterrupt(attempt)
        printer.show(prompt)
      }
      let identity: Identity
      do {
        identity = try await attempt.value
      } catch {
        if wasSignedIn == true, (try? await account.identity() != nil) == false {
          general.diagnostics.note(
            "luna: nobody is signed in with the profile \(self.account.profile) any more")
        }
        throw error
      }
      general.diagnostics.note("luna: signed in at \(printer.text(identity.issuer))")
      if printer.isJSON {
        printer.append(
          identity, profile: self.account.profile, path: account.path, role: nil, .data)
      }
      return .done
    }
  }

  /// From now on Ctrl-C calls the sign-in off in order, and ends the program when it comes again.
  private static func cancelOnInterrupt(_ attempt: Task<Identity, some Error>) {
    let isCalledOff = Atomic(false)
    SignalWatcher.watch { number in
      if number == SIGUSR1 { return }
      guard number == SIGINT, !isCalledOff.exchange(true, ordering: .relaxed) else {
        Main.end(128 + number)
      }
      attempt.cancel()
    }
  }

  private func configuration() throws -> AccountConfiguration {
    var configuration = try account.configuration(server.configuration)
    configuration.backend = backend
    configuration.issuer = issuer
    configuration.deviceEndpoint = deviceEndpoint
    let isOwn = backend != nil && issuer == nil
    configuration.scope = scope ?? part?.scope ?? (isOwn ? Part.account.scope : "openid")
    return configuration
  }
}
