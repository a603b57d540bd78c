import Bluetooth
import CommandSpec
import Glibc
import LunaClient
import LunaCore
import LunaDocuments
import LunaOwner
import LunaProtocol

/// `luna owner buzz`: lets a tracker ring that is near some gateway.
struct OwnerBuzzCommand: Sendable {
  var device = ""
  var isRemote = false
  var hours: Int64 = 24
  var seconds = ControlCommand.defaultSeconds
  var wait: Duration?
  var isCancelling = false
  var format: OutputFormat?
  var client = ClientOptions()
  var store = StoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()
  /// What is known of the request, for who asks by a signal.
  private let statistics = Statistics("the request is not at the backend yet")

  static let command = Command(
    "buzz", "Ring a tracker that is near any gateway.",
    discussion: [
      "Leaves packages for the coming hours at the backend, and follows what becomes of "
        + "them: the first gateway that hears the tracker delivers one, and the tracker rings "
        + "once. The tracker's answer is verified here; no gateway or backend can forge it.",
      "Ctrl-C calls it off; a gateway that has it already may still deliver it. What is left there otherwise is "
        + "called off with --cancel, and listed by luna owner commands.",
      "For a tracker near this machine, use luna buzz.",
    ],
    initial: OwnerBuzzCommand(),
    arguments: [
      .required("DEVICE", "The device's uuid, the start of it, or its name", \.device, .text)
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .flag("remote", "Through the backend and its gateways", \.isRemote),
          .value("hours", "N", "How many hours the request is valid", \.hours, .integer(1...168))
            .defaulting(to: "24"),
          .value("seconds", "N", "How many seconds it rings", \.seconds, .integer(1...60))
            .defaulting(to: "12"),
          .value(
            "wait", "TIME",
            "Wait at most TIME for it to ring; what is not delivered by then stays at the backend",
            \.wait, .duration
          ).defaulting(to: "until it is over"),
          .flag("cancel", "Call off what was left there for it before", \.isCancelling),
          OutputFormat.option(\.format, of: [.table, .jsonl]),
        ], exclusive: [["wait", "cancel"], ["hours", "cancel"], ["seconds", "cancel"]]),
      ClientOptions.group(.owner, signsIn: true).scoped(to: \.client),
      StoreOptions.group.scoped(to: \.store), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example(
        "luna owner buzz keys --remote --backend https://luna.example", "Ring it, wherever it is"),
      Example(
        "luna owner buzz keys --remote --cancel --backend https://luna.example", "Leave it in peace"
      ),
    ],
    exitStatuses: ExitCode.clientStatuses,
    check: { options throws(ValueProblem) in
      guard options.isRemote else {
        throw ValueProblem("needs --remote", remedy: "or use luna buzz for a tracker nearby")
      }
    })

  func run() async -> ExitCode {
    await OwnerSession.run(store, format, general, client) { session in
      let found = try await session.owner.device(matching: device)
      guard !isCancelling else { return try await callOff(found, session) }
      let stop = StopRequest()
      let (happenings, continuation) = AsyncStream.makeStream(of: Happening.self)
      // From here on: what is being sent may be there already, and is called off as well.
      SignalWatcher.watch { [statistics, diagnostics = session.diagnostics] number in
        guard number != SIGUSR1 else { return diagnostics.answer("luna: " + statistics.text) }
        guard stop.give(.signal(number)) else { Main.end(128 + number) }
        continuation.finish()
      }
      var command = try await session.owner.sendRemotely(
        .buzzStart, argument: seconds, to: found, from: .now, lasting: .seconds(hours * 3600))
      try tell(command, session)
      command = try await follow(command, session, happenings, continuation)
      if !command.isFinal, stop.reason == nil {
        command = try await askOnceMore(command, session)
      }
      if !command.isFinal, stop.reason == .signal(SIGINT) {
        guard let answer = try await calledOff(command, session) else { return .interrupted }
        command = answer
      }
      session.diagnostics.note("luna: " + summary(command))
      switch stop.reason {
      case .signal(SIGINT): return .interrupted
      case .signal: return .terminated
      default: return command.isProven ? .done : .notFound
      }
    }
  }

  /// What can happen while a command is followed.
  private enum Happening: Sendable {
    case news(RemoteCommand)
    case trouble(any Error)
  }

  /// Tells what becomes of a command until it is over, the wait is, or a signal comes.
  private func follow(
    _ initial: RemoteCommand, _ session: OwnerSession, _ happenings: AsyncStream<Happening>,
    _ continuation: AsyncStream<Happening>.Continuation
  ) async throws -> RemoteCommand {
    var command = initial
    let owner = session.owner
    let (updates, errors) = (owner.updates, owner.errors)
    let feeds = [
      Task { for await update in updates { continuation.yield(.news(update)) } },
      Task { for await error in errors { continuation.yield(.trouble(error)) } },
      Task { [wait] in
        guard let wait, (try? await Task.sleep(for: wait)) != nil else { return }
        continuation.finish()
      },
    ]
    defer {
      owner.stopFollowing()
      for feed in feeds { feed.cancel() }
    }
    guard !command.isFinal else { return command }
    owner.startFollowing(command)
    var trouble: String?
    for await happening in happenings {
      switch happening {
      case .news(let update):
        let before = command.status.state
        command = update
        trouble = nil
        if command.status.state != before { try tell(command, session) }
        if command.isFinal { return command }
      case .trouble(let error as BackendError) where error.isTemporary:
        // The command is at the backend, whether it can be asked just now or not.
        if trouble != "\(error)" { session.diagnostics.note("luna: \(error); asking again") }
        trouble = "\(error)"
      case .trouble(let error): throw error
      }
    }
    return command
  }

  /// The last question, at the end of the wait.
  private func askOnceMore(
    _ command: RemoteCommand, _ session: OwnerSession
  ) async throws -> RemoteCommand {
    do {
      let answer = try await session.owner.followed(command, within: .seconds(1))
      if answer.status.state != command.status.state { try tell(answer, session) }
      return answer
    } catch let error as BackendError where error.isTemporary {
      session.diagnostics.note("luna: \(error)")
      return command
    }
  }

  /// How long the backend is waited for when the person wants to go.
  private static let patience: Duration = .seconds(5)

  /// Drops the command that a person does not wait for any more; another Ctrl-C ends at once. Nil where it is not
  /// known what became of it, which is said.
  private func calledOff(
    _ command: RemoteCommand, _ session: OwnerSession
  ) async throws -> RemoteCommand? {
    let owner = session.owner
    let (answers, continuation) = AsyncStream.makeStream(of: Result<RemoteCommand, any Error>?.self)
    let asking = Task {
      do {
        continuation.yield(.success(try await owner.cancel(command, within: Self.patience)))
      } catch {
        continuation.yield(.failure(error))
      }
    }
    // A token may have to be renewed first, or a name be looked up.
    let limit = Task {
      guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
      continuation.yield(nil)
    }
    defer {
      asking.cancel()
      limit.cancel()
    }
    var answer: Result<RemoteCommand, any Error>?
    for await first in answers {
      answer = first
      break
    }
    switch answer {
    case .success(let command)?:
      try tell(command, session)
      return command
    case .failure(let error)? where (error as? BackendError)?.kind != .interrupted:
      session.diagnostics.note("luna: it could not be called off: \(error)")
      return command
    // What broke off or took too long may have been heard.
    case .failure?, nil:
      session.diagnostics.note(
        "luna: the backend did not answer: luna owner commands tells whether it is called off")
      return nil
    }
  }

  /// Calls off all that waits for a device.
  private func callOff(_ device: Device, _ session: OwnerSession) async throws -> ExitCode {
    var count = 0
    for command in try await session.owner.remoteCommands()
    where command.status.isOpen && command.device?.uuid == device.uuid {
      let command = try await session.owner.cancel(command)
      if command.status.cancelledAt != nil { count += 1 }
      if session.format == .jsonl {
        RemoteCommandDocument.append(command, to: session.output)
      } else {
        append(cancellation(of: command.status) ?? "it was over just now", session)
      }
      try session.output.flush()
    }
    if count == 0 { session.diagnostics.note("luna: nothing waits to ring \(device.name)") }
    return count > 0 ? .done : .notFound
  }

  /// What is said of one that was called off; nil of others.
  func cancellation(of status: CommandStatus) -> String? {
    guard status.cancelledAt != nil, status.state == .cancelled else { return nil }
    return status.offeredUntil.map {
      "called off; a gateway has it already, and may still ring it until \(zone.clock.moment($0))"
    } ?? "called off"
  }

  private func summary(_ command: RemoteCommand) -> String {
    switch (command.status.state, command.receipt) {
    case (_, .success(let receipt)?) where receipt.status == .done:
      return "the tracker rang: its receipt is genuine"
    case (_, .success(let receipt)?):
      return "the tracker did not ring; it answered: "
        + (receipt.status.map { "\($0)" } ?? "status \(receipt.statusCode)")
    case (_, .failure(.unverifiable)?):
      return "a gateway says that it was delivered; only the tracker's owner can verify that"
    case (_, .failure(let rejection)?):
      return "a gateway says that it was delivered, but its receipt is not genuine "
        + "(\(rejection.rawValue))"
    case (.queued, nil), (.offered, nil):
      return "no gateway has delivered it yet; it keeps waiting until "
        + zone.clock.moment(command.status.expiresAt)
    case (.failed, nil):
      return command.status.detail.map { "it failed; the gateway says \"\($0)\"" }
        ?? "it failed; the gateway gives no reason"
    case (.cancelled, nil): return cancellation(of: command.status) ?? "called off"
    case (.expired, nil): return "no gateway has delivered it in time"
    case (.confirmed, nil): return "it was confirmed without a receipt"
    }
  }

  private func tell(_ command: RemoteCommand, _ session: OwnerSession) throws {
    statistics.text = news(command) ?? summary(command)
    if session.format == .jsonl {
      RemoteCommandDocument.append(command, to: session.output)
    } else if let text = news(command) {
      append(text, session)
    }
    try session.output.flush()
  }

  private func append(_ text: String, _ session: OwnerSession) {
    for line in MessageLines.lines(text, on: STDOUT_FILENO) { session.output.append(line: line) }
  }

  /// For a person; nil for what the last line tells.
  private func news(_ command: RemoteCommand) -> String? {
    switch command.status.state {
    case .queued:
      "waiting for a gateway that hears it, until \(zone.clock.moment(command.status.expiresAt))"
    case .offered: "a gateway hears it and is delivering it"
    case .confirmed, .failed, .cancelled, .expired: nil
    }
  }
}
