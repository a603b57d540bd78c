import Bluetooth
import ChildProcess
import Diagnosis
import EventLoop
import Glibc
import LunaClient
import LunaCore
public import LunaCrypto
import LunaStore
import LunaTelemetry
import Synchronization

/// Somebody who is signed in at a backend or at an issuer that it trusts: signs in, keeps the credential
/// in a file that all programs of a user share, and renews it in time (FLEET.md, 3).
///
/// ```swift
/// let account = LunaAccount.enable(clientId: "luna", redirectUrl: "http://127.0.0.1/signed-in") { isIn in
///   print(isIn ? "signed in" : "signed out")
/// }
/// let answer = try await AuthorizedRequest(url: "https://luna.example/v1/gateways", mode: .accessToken)
///   .send()
/// ```
public actor LunaAccount {
  /// How long others are waited for who renew the credential. Longer than that takes.
  static let patience = Duration.seconds(35)
  /// How long a command may take that is told of a change.
  private static let commandPatience = Duration.seconds(30)

  private static let enabled = Mutex<LunaAccount?>(nil)

  /// The account of this program; nil until it is enabled.
  public static var shared: LunaAccount? { enabled.withLock { $0 } }

  nonisolated let configuration: AccountConfiguration
  nonisolated let clientID: String
  nonisolated let redirectURL: String
  nonisolated let defaultLoginHandler: @Sendable () -> Void
  nonisolated let issuers: IssuerClient
  nonisolated let clients: HTTPClients
  nonisolated let clock: WallClock
  private nonisolated let listeners = Listeners<SignInState>(keeping: 64)
  private nonisolated let changes: AsyncStream<Bool>.Continuation

  private var file: CredentialFile?
  private var credential: Credential?
  private var mark: FileMark?
  private var isLoaded = false
  /// Whether the tokens could not be written yet, and what stood in their place then.
  private var isUnwritten = false
  private var written: FileMark?
  private var state: SignInState?
  /// How often the handler was to be told something.
  private(set) var tellings = 0
  private var renewal: Task<Result<Credential, AccountError>, Never>?
  private var hold = RefreshHold()
  /// The generation that came without an ID token that holds.
  private var withoutIDToken: Int64?
  /// An ID token that seemed over when it was given.
  private var newIDToken: SecretBytes?

  /// Makes the account of this program, and its telemetry (`Telemetry.shared`). Nothing but that is sent;
  /// what is signed in already stays so.
  ///
  /// - Parameters:
  ///   - analyticsRoot: the root of what is recorded of the program's use.
  ///   - clientId: the program, as the issuer knows it.
  ///   - redirectUrl: where a browser comes back to, on 127.0.0.1; without a port any is taken.
  ///   - defaultLoginHandler: is called when somebody signs in to a demonstration.
  ///   - loginHandler: is told whether somebody is signed in: now, and at every change, one at a time.
  /// - Returns: the account, which is ``shared`` from now on.
  @discardableResult
  public static func enable(
    analyticsRoot: String = "luna", clientId: String, redirectUrl: String,
    configuration: AccountConfiguration = .init(),
    defaultLoginHandler: (@Sendable () -> Void)? = nil,
    loginHandler: @escaping @Sendable (Bool) async -> Void
  ) -> LunaAccount {
    let account = LunaAccount(
      clientID: clientId, redirectURL: redirectUrl, configuration,
      defaultLoginHandler: defaultLoginHandler ?? {}, loginHandler: loginHandler)
    enabled.withLock { $0 = account }
    Telemetry.enable(root: analyticsRoot, configuration: account.telemetry)
    Task { try? await account.load() }
    return account
  }

  /// An account beside the program's.
  package init(
    clientID: String,
    redirectURL: String = "http://127.0.0.1/signed-in", _ configuration: AccountConfiguration,
    defaultLoginHandler: @escaping @Sendable () -> Void = {},
    loginHandler: @escaping @Sendable (Bool) async -> Void = { _ in }
  ) {
    self.clientID = clientID
    self.redirectURL = redirectURL
    self.configuration = configuration
    self.defaultLoginHandler = defaultLoginHandler
    clock = configuration.clock
    issuers = IssuerClient(configuration.client)
    clients = HTTPClients(configuration.client)
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    changes = continuation
    let command = configuration.onChange
    Task {
      for await isSignedIn in stream {
        await loginHandler(isSignedIn)
        if let command { await LunaAccount.run(command, isSignedIn: isSignedIn) }
      }
    }
  }

  /// Runs a command that is told of a change, and waits for its end: the next change comes after it.
  private static func run(_ command: String, isSignedIn: Bool) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let shell = ShellCommand(
        command, variables: [("LUNA_SIGNED_IN", isSignedIn ? "1" : "0")]
      ) { _ in continuation.resume() }
      guard let shell else { return continuation.resume() }
      Task {
        try? await Task.sleep(for: commandPatience)
        shell.end()
      }
    }
  }

  deinit { changes.finish() }

  /// Whether somebody is signed in: as it is, once that is known, and at every change.
  public nonisolated var states: AsyncStream<SignInState> {
    let (stream, continuation) = AsyncStream.makeStream(of: SignInState.self)
    let news = listeners.makeStream()
    let task = Task {
      try? await load()
      if let state = await state { continuation.yield(state) }
      for await state in news { continuation.yield(state) }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// Who is signed in; nil for nobody.
  ///
  /// - Throws: `storage` when the credential cannot be read.
  public func identity() async throws(AccountError) -> Identity? {
    try await load()
    return credential?.identity
  }

  /// A token that holds: renewed where it is due.
  public func token(_ mode: AuthMode) async throws(AccountError) -> SecretBytes {
    var current = try await current()
    if mode == .accessToken { return current.accessToken }
    if let token = idToken(of: current) { return token }
    let asksForOne = current.scope?.split(separator: " ").contains("openid") ?? false
    if asksForOne, withoutIDToken != current.generation {
      if let error = hold.error(for: current, now: clock.elapsed()) { throw error }
      let old = current.idToken
      current = try await renewed(current)
      if let token = idToken(of: current) { return token }
      // Nobody gives what is over: this machine's clock is wrong, or the issuer's.
      if let token = current.idToken, token != old, IDToken(token) != nil {
        newIDToken = token
        return token
      }
      withoutIDToken = current.generation
    }
    throw .noIDToken(expired: current.idToken != nil)
  }

  /// Renews the tokens where they are due.
  ///
  /// - Parameter force: also where they are not, and whatever the issuer said a moment ago.
  public func refresh(force: Bool = false) async throws(AccountError) {
    // By force the one is renewed that this program knows: another one may have done that meanwhile.
    if !force || credential == nil { try await load() }
    guard let credential else { throw .notLoggedIn }
    if force {
      hold.release()
      _ = try await renewed(credential)
    } else if credential.isDue(at: clock.now()) {
      if let error = hold.error(for: credential, now: clock.elapsed()) { throw error }
      _ = try await renewed(credential)
    }
  }

  /// Renews the tokens since one was refused, unless there is another one by now.
  func refresh(after refused: SecretBytes) async throws(AccountError) {
    guard let credential else { throw .notLoggedIn }
    if refused == credential.accessToken || refused == credential.idToken {
      try await refresh(force: true)
    }
  }

  private func idToken(of credential: Credential) -> SecretBytes? {
    guard let token = credential.idToken,
      token == newIDToken || IDToken(token)?.isGood(at: clock.now()) ?? false
    else { return nil }
    return token
  }

  /// The credential, renewed where it is due. What is still good is used where that fails.
  private func current() async throws(AccountError) -> Credential {
    try await load()
    guard let credential else { throw .notLoggedIn }
    guard credential.isDue(at: clock.now()) else { return credential }
    do throws(AccountError) {
      if let error = hold.error(for: credential, now: clock.elapsed()) { throw error }
      return try await renewed(credential)
    } catch {
      guard self.credential == credential, credential.isGood(at: clock.now()) else { throw error }
      return credential
    }
  }

  /// Where the credential is.
  package nonisolated var path: String? { try? makeFile().path }

  nonisolated func makeFile() throws(AccountError) -> CredentialFile {
    let state: StateDirectory
    do throws(DeviceStoreError) {
      if let own = configuration.state { state = own } else { state = try .standard() }
    } catch {
      throw AccountError(.storage, error.reason, remedy: error.remedy)
    }
    return try CredentialFile(state: state, profile: configuration.profile)
  }

  private func opened() throws(AccountError) -> CredentialFile {
    if let file { return file }
    let file = try makeFile()
    self.file = file
    return file
  }

  /// Reads the credential where it has changed: another program may have signed in, out, or renewed it.
  func load() async throws(AccountError) {
    let file = try opened()
    if isUnwritten {
      guard await Blocking.run({ file.mark }) != written else { return }
      // Somebody else has signed in or out since.
      isUnwritten = false
    }
    let (known, isFirst) = (isLoaded ? mark : nil, !isLoaded)
    if isFirst { try await takeImport(file) }
    let news = try await Blocking.run {
      () throws(AccountError) -> (FileMark?, Credential?)? in
      let mark = file.mark
      if !isFirst, mark == known { return nil }
      // Without a mark too: what may not be seen is not absent.
      return (mark, try file.read())
    }
    isLoaded = true
    if let (mark, credential) = news {
      self.mark = mark
      take(credential)
    }
  }

  /// Takes over what systemd has for this service, if it is new.
  private func takeImport(_ file: CredentialFile) async throws(AccountError) {
    guard let directory = getenv("CREDENTIALS_DIRECTORY") else { return }
    let source = String(cString: directory) + "/luna.account"
    let found = try await Blocking.run { () throws(AccountError) in try file.readImport(source) }
    guard found != nil else { return }
    let lock = try await self.lock(file)
    try await Blocking.run { () throws(AccountError) in
      // Another program may have taken it over meanwhile, and have renewed it: what it was would end the sign-in.
      guard let (credential, digest) = try file.readImport(source) else { return }
      try file.write(credential)
      try file.noteImport(digest)
    }
    withExtendedLifetime(lock) {}
  }

  /// The lock of the credential, with which it may be written.
  func lock(_ file: CredentialFile) async throws(AccountError) -> WaitingLock {
    try await Blocking.run { () throws(AccountError) in try file.prepare() }
    let lock: WaitingLock?
    do throws(DeviceStoreError) {
      lock = try await WaitingLock.take(
        file.lockPath, within: LunaAccount.patience, sleep: clock.sleep)
    } catch {
      throw AccountError(.storage, error.reason, remedy: error.remedy)
    }
    guard let lock else { throw .locked }
    return lock
  }

  /// Puts a credential into the file, or removes it.
  func replace(_ new: Credential?) async throws(AccountError) {
    let file = try opened()
    // Nobody to sign out, and no directory for that.
    if new == nil, await Blocking.run({ file.mark }) == nil {
      isUnwritten = false
      take(nil)
      return
    }
    let lock = try await self.lock(file)
    mark = try await Blocking.run { () throws(AccountError) in
      if var new {
        new.generation = ((try? file.read())??.generation ?? 0) % (Int64.max - 2) + 1
        try file.write(new)
      } else {
        try file.clear()
      }
      return file.mark
    }
    withExtendedLifetime(lock) {}
    isUnwritten = false
    isLoaded = false
    hold.release()
    try await load()
  }

  /// Notes who is signed in.
  private func take(_ new: Credential?) {
    if new != credential { hold.release() }
    credential = new
    note(new.map { .signedIn($0.identity) } ?? .signedOut)
  }

  private func note(_ new: SignInState) {
    guard new != state else { return }
    let was = state.map(\.isSignedIn)
    state = new
    listeners.tell(new)
    if new.isSignedIn != was { tell(new.isSignedIn) }
  }

  private func tell(_ isSignedIn: Bool) {
    tellings += 1
    changes.yield(isSignedIn)
  }

  /// Tells, after a sign-out, that nobody is signed in, whoever was: once, as the sign-out may have been told already.
  ///
  /// - Parameter count: ``tellings`` before it.
  func noteSignedOut(since count: Int) {
    note(.signedOut)
    if tellings == count { tell(false) }
  }

  /// The credential as it is.
  var present: Credential? { credential }

  /// Renews a credential; who comes while that is under way gets the same.
  private func renewed(_ credential: Credential) async throws(AccountError) -> Credential {
    if let renewal { return try await renewal.value.get() }
    let task = Task { await renew(credential) }
    renewal = task
    let result = await task.value
    return try result.get()
  }

  private func renew(_ known: Credential) async -> Result<Credential, AccountError> {
    defer { renewal = nil }
    var attempt = RefreshAttempt(known, refusal: configuration.refusal)
    var action = attempt.first
    // Until the end of this function.
    var lock: WaitingLock?
    defer { withExtendedLifetime(lock) {} }
    while true {
      if case .finish(let outcome) = action {
        if lock != nil, let file { await Blocking.run { file.release() } }
        return conclude(outcome, known)
      }
      do throws(AccountError) {
        let event = try await carryOut(action, &lock)
        action = attempt.take(event, now: clock.now())
      } catch {
        if case .write = action {
          if let file { written = await Blocking.run { file.mark } }
          action = attempt.unwritten(error)
        } else {
          action = attempt.take(.failed(error), now: clock.now())
        }
      }
    }
  }

  private func carryOut(
    _ action: RefreshAttempt.Action, _ lock: inout WaitingLock?
  ) async throws(AccountError) -> RefreshAttempt.Event {
    let file = try opened()
    switch action {
    case .lock:
      do throws(AccountError) {
        lock = try await self.lock(file)
      } catch {
        guard error.code == .locked else { throw error }
        return .lockTimedOut
      }
      return .locked
    case .read:
      if isUnwritten, let credential, await Blocking.run({ file.mark }) == written {
        return .read(credential)
      }
      return .read(try await Blocking.run { () throws(AccountError) in try file.read() })
    case .ask(let credential):
      // What the issuer gives must not be lost for want of room.
      try await Blocking.run { () throws(AccountError) in try file.reserve() }
      return .answered(try await issuers.renew(credential))
    case .write(let credential):
      mark = try await Blocking.run { () throws(AccountError) in
        try file.write(credential)
        return file.mark
      }
      return .written
    case .clear:
      try await Blocking.run { () throws(AccountError) in try file.clear() }
      mark = nil
      return .cleared
    case .finish: preconditionFailure("an end is not carried out")
    }
  }

  private func conclude(
    _ outcome: RefreshAttempt.Outcome, _ known: Credential
  ) -> Result<Credential, AccountError> {
    switch outcome {
    case .holds(let credential):
      isUnwritten = false
      hold.release()
      take(credential)
      return .success(credential)
    case .unwritten(let credential, let error):
      isUnwritten = true
      take(credential)
      note(.trouble(error))
      return .success(credential)
    case .signedOut(let error):
      isUnwritten = false
      take(nil)
      return .failure(error)
    case .failed(let error, let reason):
      hold.note(error, reason, of: known, now: clock.elapsed())
      note(.trouble(error))
      return .failure(error)
    }
  }
}
