import Diagnosis
import EventLoop
import Glibc
import LunaClient
import LunaCore
import LunaCrypto
import LunaJSON
import SafeText
import Synchronization

extension LunaAccount {
  /// How long a person may take in a browser.
  private static let browserPatience = Duration.seconds(300)

  /// Whether a text is the address of an issuer or a backend that may be spoken to.
  package static func isAddress(_ text: String) -> Bool {
    guard let address = WebAddress(text) else { return false }
    return address.isPrivate && !text.contains("?") && !text.contains("#")
  }

  /// Signs somebody in. Whoever was signed in before stays so until that has worked, also where the issuer cannot be
  /// reached; but a person who was asked and says no, does not answer, or answers what belongs to another attempt
  /// is signed out (FLEET.md, 3).
  ///
  /// - Parameters:
  ///   - way: how.
  ///   - prompt: is told what the person is to do.
  /// - Returns: who it is.
  @discardableResult
  public func login(
    _ way: SignInWay = .automatic, prompt: @escaping @Sendable (SignInPrompt) -> Void
  ) async throws(AccountError) -> Identity {
    let isAsked = Mutex(false)
    do throws(AccountError) {
      return try await attempt(way) { next in
        isAsked.withLock { $0 = true }
        prompt(next)
      }
    } catch {
      if error.endsSignIn, isAsked.withLock({ $0 }) { await endAfterFailure() }
      throw error
    }
  }

  private func attempt(
    _ way: SignInWay, _ prompt: @escaping @Sendable (SignInPrompt) -> Void
  ) async throws(AccountError) -> Identity {
    if way == .demo { return try await signInToDemo() }
    let issuer = try await namedIssuer()
    let metadata = try await issuers.metadata(of: issuer)
    let device = try deviceEndpoint(metadata)
    let grant: TokenGrant
    switch decided(way, metadata, device) {
    case .device, .automatic, .demo:
      guard let device else {
        throw AccountError(
          .configuration,
          "the issuer \(ForeignText(issuer)) does not tell where codes for another "
            + "device come from", remedy: "use \(.deviceEndpoint), or \(.issuer) of another one")
      }
      grant = try await askDevice(metadata, device, prompt)
      try IDToken.check(grant, issuer: issuer, clientID: clientID, nonce: nil)
    case .browser: grant = try await askBrowser(metadata, prompt)
    case .paste: grant = try await askForPaste(metadata, prompt)
    }
    return try await keep(grant, issuer)
  }

  /// Signs out: here at once, and at the issuer if it can be told.
  ///
  /// - Parameter revoke: whether the issuer is told.
  public func logout(revoke: Bool = true) async { _ = await end(revoke: revoke) }

  /// Signs out.
  ///
  /// - Returns: what did not work, for a person; nil when all did.
  package func end(revoke: Bool) async -> (problem: String?, error: AccountError?) {
    var (problem, failure): (String?, AccountError?)
    let count = tellings
    do throws(AccountError) {
      try await load()
    } catch {
      // One that cannot be read is removed all the same.
      problem = error.diagnosis.problem
    }
    let credential = present
    do throws(AccountError) {
      try await replace(nil)
    } catch {
      failure = error
    }
    if revoke, let credential { problem = await issuers.revoke(credential) }
    noteSignedOut(since: count)
    return (problem, failure)
  }

  /// Signs out whoever was signed in before an attempt that has failed. Where that is nobody, nothing has changed, and
  /// nobody is told.
  private func endAfterFailure() async {
    try? await load()
    guard present != nil else { return }
    // Whoever has called the attempt off has not called off this.
    _ = await Task { await end(revoke: true) }.value
  }

  private func namedIssuer() async throws(AccountError) -> String {
    if let backend = configuration.backend {
      return try await issuers.issuer(of: backend, agreed: configuration.issuer)
    }
    guard let issuer = configuration.issuer else {
      throw AccountError(
        .configuration, "nobody says where to sign in",
        remedy: "use \(.backend), or \(.issuer)")
    }
    return issuer
  }

  private func deviceEndpoint(_ metadata: IssuerMetadata) throws(AccountError) -> WebAddress? {
    guard let text = configuration.deviceEndpoint else { return metadata.deviceEndpoint }
    return try issuers.address(text, "device endpoint")
  }

  private func decided(
    _ way: SignInWay, _ metadata: IssuerMetadata, _ device: WebAddress?
  ) -> SignInWay {
    guard way == .automatic else { return way }
    let hasDisplay = configuration.hasDisplay ?? LunaAccount.seesDisplay
    if hasDisplay, metadata.authorizationEndpoint != nil { return .browser }
    return device == nil && metadata.authorizationEndpoint != nil ? .paste : .device
  }

  private static var seesDisplay: Bool {
    for name in ["DISPLAY", "WAYLAND_DISPLAY"] {
      if let value = getenv(name), value[0] != 0 { return true }
    }
    return false
  }

  private func askDevice(
    _ metadata: IssuerMetadata, _ endpoint: WebAddress,
    _ prompt: @Sendable (SignInPrompt) -> Void
  ) async throws(AccountError) -> TokenGrant {
    var answer = try await issuers.post(
      FormText([("client_id", clientID), ("scope", configuration.scope)]), to: endpoint)
    guard answer.status == 200 else {
      throw LunaAccount.refusal(TokenVerdict(&answer), "gives no code")
    }
    guard let authorization = DeviceAuthorization(&answer.body) else {
      throw AccountError(.undecodable, "the issuer's answer has no code for another device in it")
    }
    prompt(
      .device(
        code: authorization.userCode, address: authorization.address.text,
        completeAddress: authorization.completeAddress?.text, lasts: authorization.expiresIn))
    var grant = DeviceGrant(
      interval: authorization.interval, expiresIn: authorization.expiresIn, now: clock.elapsed())
    var action = grant.first
    while true {
      switch action {
      case .wait(let pause):
        guard (try? await clock.sleep(pause)) != nil, !Task.isCancelled else { throw .cancelled }
        action = grant.take(.waited, now: clock.elapsed())
      case .ask:
        var form = FormText([
          ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("client_id", clientID),
        ])
        form.add("device_code", authorization.deviceCode)
        let event: DeviceGrant.Event
        do throws(AccountError) {
          var answer = try await issuers.post(form, to: metadata.tokenEndpoint)
          event = .answered(TokenVerdict.ofDevice(&answer))
        } catch {
          event = .failed(error)
        }
        action = grant.take(event, now: clock.elapsed())
      case .finish(let grant): return grant
      case .fail(let error): throw error
      }
    }
  }

  /// What a refusal means where somebody signs in.
  private static func refusal(_ verdict: TokenVerdict, _ what: String) -> AccountError {
    switch verdict {
    case .oauth("access_denied", _): AccountError(.denied, "the issuer refuses the sign-in")
    case .oauth(let code, let description):
      AccountError(
        .configuration, "the issuer \(what): \(TokenVerdict.text(code, description))",
        remedy: "check the client's settings at the issuer")
    case .later(let status, let retryAfter, _):
      AccountError(
        .server, "the issuer \(what): it answers with status \(status)", retryAfter: retryAfter)
    case .invalidGrant:
      AccountError(.expired, "the issuer \(what): it is used up", remedy: "use \(.signIn) again")
    case .tokens, .undecodable:
      AccountError(.undecodable, "the issuer \(what): its answer cannot be read")
    }
  }

  private func askBrowser(
    _ metadata: IssuerMetadata, _ prompt: @Sendable (SignInPrompt) -> Void
  ) async throws(AccountError) -> TokenGrant {
    let redirect = try redirectAddress()
    let listener = try LoopbackListener(port: redirect.port)
    let path = String(redirect.target.prefix { $0 != "?" })
    let url = "http://127.0.0.1:\(listener.port)\(redirect.target)"
    let attempt = try makeAttempt(metadata, redirectURL: url)
    let address = try authorizationAddress(attempt, metadata)
    prompt(.browser(address: address))
    let result: Result<String, AccountError> = await withTaskCancellationHandler {
      await Blocking.run { () -> Result<String, AccountError> in
        Result { () throws(AccountError) in
          try listener.wait(path: path, patience: LunaAccount.browserPatience)
        }
      }
    } onCancel: {
      listener.cancel()
    }
    return try await exchange(try attempt.code(in: try result.get()), attempt, metadata)
  }

  private func askForPaste(
    _ metadata: IssuerMetadata, _ prompt: @Sendable (SignInPrompt) -> Void
  ) async throws(AccountError) -> TokenGrant {
    let redirect = try redirectAddress()
    let port = redirect.port == 0 ? "" : ":\(redirect.port)"
    let attempt = try makeAttempt(
      metadata, redirectURL: "http://127.0.0.1\(port)\(redirect.target)")
    let (answers, continuation) = AsyncStream.makeStream(of: String.self)
    prompt(
      .paste(address: try authorizationAddress(attempt, metadata)) { text in
        continuation.yield(text)
        continuation.finish()
      })
    for await text in answers {
      return try await exchange(try attempt.code(pasted: text), attempt, metadata)
    }
    throw .cancelled
  }

  /// Path and port of the redirect address; 0 for any.
  private func redirectAddress() throws(AccountError) -> (port: UInt16, target: String) {
    guard let address = WebAddress(redirectURL), !address.isEncrypted, address.isLoopback else {
      throw AccountError(
        .configuration, "the redirect address is not http://127.0.0.1[:PORT]/PATH")
    }
    let authority = redirectURL.dropFirst("http://".count).prefix { $0 != "/" && $0 != "?" }
    let hasPort = WebAddress.place(String(authority))?.port != nil
    return (hasPort ? address.port : 0, address.target)
  }

  private func makeAttempt(
    _ metadata: IssuerMetadata, redirectURL: String
  ) throws(AccountError) -> CodeGrant {
    do throws(CryptoError) {
      return try CodeGrant(
        issuer: metadata.issuer, clientID: clientID, redirectURL: redirectURL,
        namesItself: metadata.namesItself)
    } catch {
      throw AccountError(.storage, error.reason)
    }
  }

  private func authorizationAddress(
    _ attempt: CodeGrant, _ metadata: IssuerMetadata
  ) throws(AccountError) -> String {
    guard let endpoint = metadata.authorizationEndpoint else {
      throw AccountError(
        .configuration, "the issuer \(ForeignText(metadata.issuer)) has no page to sign in at")
    }
    do throws(CryptoError) {
      return try attempt.address(at: endpoint, scope: configuration.scope)
    } catch {
      throw AccountError(.storage, error.reason)
    }
  }

  private func exchange(
    _ code: SecretBytes, _ attempt: CodeGrant, _ metadata: IssuerMetadata
  ) async throws(AccountError) -> TokenGrant {
    var form = FormText([
      ("grant_type", "authorization_code"), ("client_id", clientID),
      ("redirect_uri", attempt.redirectURL),
    ])
    form.add("code", code)
    form.add("code_verifier", attempt.verifier)
    let verdict = try await issuers.tokens(form, at: metadata.tokenEndpoint)
    guard case .tokens(let grant) = verdict else {
      throw LunaAccount.refusal(verdict, "does not take the code")
    }
    try attempt.check(grant)
    return grant
  }

  private func signInToDemo() async throws(AccountError) -> Identity {
    guard let backend = configuration.backend, let address = WebAddress(backend), address.isLoopback
    else {
      throw AccountError(.configuration, "demonstrations run on this machine only")
    }
    let issuer = try await namedIssuer()
    let metadata = try await issuers.metadata(of: issuer)
    let verdict = try await issuers.tokens(
      FormText([("grant_type", "urn:luna:demo"), ("client_id", clientID)]),
      at: metadata.tokenEndpoint)
    guard case .tokens(let grant) = verdict else {
      throw LunaAccount.refusal(verdict, "is no demonstration")
    }
    let identity = try await keep(grant, issuer, subject: "demo")
    defaultLoginHandler()
    return identity
  }

  private func keep(
    _ grant: TokenGrant, _ issuer: String, subject: String? = nil
  ) async throws(AccountError) -> Identity {
    let credential = Credential(
      issuer: issuer, clientID: clientID,
      subject: subject ?? grant.idToken.flatMap { IDToken($0)?.subject } ?? grant.subject,
      accessToken: grant.accessToken, refreshToken: grant.refreshToken, idToken: grant.idToken,
      scope: grant.scope ?? configuration.scope, issuedAt: clock.now(),
      expiresIn: grant.expiresIn, generation: 1)
    try await replace(credential)
    return credential.identity
  }
}
