import Bluetooth
import CommandSpec
import Glibc
import LunaClient
import LunaCore
import LunaOwner
import LunaProtocol

/// `luna owner buzz`: lets a tracker ring that is near some gateway.
struct OwnerBuzzCommand: Sendable {
  var device = ""
  var isRemote = false
  var hours: Int64 = 24
  var seconds = ControlCommand.defaultSeconds
  var wait: Duration?
  var format: OutputFormat?
  var client = ClientOptions()
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "buzz", "Ring a tracker that is near any gateway.",
    discussion: [
      "Leaves packages for the coming hours at the backend, and follows what becomes of "
        + "them: the first gateway that hears the tracker delivers one, and the tracker rings "
        + "once. The tracker's answer is verified here; no gateway or backend can forge it.",
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
            "Follow it for at most TIME; what is not delivered by then keeps waiting for a gateway",
            \.wait, .duration
          ).defaulting(to: "until it is over"),
          .value("format", "FORMAT", "table or jsonl", \.format, OutputFormat.reader)
            .defaulting(to: "table on a terminal, else jsonl"),
        ]),
      ClientOptions.group(.owner).scoped(to: \.client),
      StoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example(
        "luna owner buzz keys --remote --backend https://luna.example", "Ring it, wherever it is")
    ],
    exitStatuses: ExitCode.clientStatuses,
    check: { options throws(ValueProblem) in
      guard options.isRemote else {
        throw ValueProblem("needs --remote", remedy: "or use luna buzz for a tracker nearby")
      }
      guard options.format != .csv else {
        throw ValueProblem("luna owner buzz has no --format csv")
      }
    })

  func run() async -> ExitCode {
    await OwnerSession.run(store, format, general, client) { session in
      let found = try await session.owner.device(matching: device)
      var command = try await session.owner.sendRemotely(
        .buzzStart, argument: seconds, to: found, from: .now, lasting: .seconds(hours * 3600))
      try tell(command, session)
      let began = ContinuousClock.now
      var isDisturbed = false
      let stop = StopRequest()
      SignalWatcher.watch { number in
        guard number != SIGUSR1 else { return }
        guard stop.give(.signal(number)) else { _exit(128 + number) }
      }
      while !command.isFinal, stop.reason == nil {
        let passed = began.duration(to: .now)
        if let wait, passed >= wait { break }
        // Often at first: a gateway may be right there.
        let pause: Duration = passed < .seconds(120) ? .seconds(1) : .seconds(10)
        try? await sleep(min(pause, wait.map { $0 - passed } ?? pause), stop)
        let before = command.status.state
        do {
          // What is left of the wait is all the answer gets, but never too little for one.
          let left = wait.map { max(lastQuestion, $0 - began.duration(to: .now)) }
          command = try await session.owner.followed(command, within: left)
          isDisturbed = false
        } catch let error as BackendError where error.isTemporary {
          // The command is at the backend, whether it can be asked just now or not.
          if !isDisturbed {
            let isOver = wait.map { began.duration(to: .now) >= $0 } ?? false
            session.diagnostics.note("luna: \(error)" + (isOver ? "" : "; asking again"))
          }
          isDisturbed = true
        }
        if command.status.state != before { try tell(command, session) }
      }
      session.diagnostics.note("luna: " + summary(command))
      switch stop.reason {
      case .signal(SIGINT): return .interrupted
      case .signal: return .terminated
      default: return command.isProven ? .done : .notFound
      }
    }
  }

  /// How long the last question may take when the wait ends while it is asked.
  private var lastQuestion: Duration { .seconds(1) }

  private func sleep(_ duration: Duration, _ stop: StopRequest) async throws {
    let end = ContinuousClock.now + duration
    while stop.reason == nil, ContinuousClock.now < end {
      try await Task.sleep(for: min(.milliseconds(100), end - .now))
    }
  }

  private func summary(_ command: RemoteCommand) -> String {
    switch (command.status.state, command.receipt) {
    case (_, .success(let receipt)?) where receipt.status == .done:
      return "the tracker rang: its receipt is genuine"
    case (_, .success(let receipt)?):
      return "the tracker did not ring; it answered: "
        + (receipt.status.map { "\($0)" } ?? "status \(receipt.statusCode)")
    case (_, .failure(let rejection)?):
      return "a gateway says that it was delivered, but its receipt is not genuine "
        + "(\(rejection.rawValue))"
    case (.queued, nil), (.offered, nil):
      return "no gateway has delivered it yet; it keeps waiting until "
        + command.status.expiresAt.rfc3339
    case (.failed, nil):
      return command.status.detail.map { "it failed; the gateway says \"\($0)\"" }
        ?? "it failed; the gateway gives no reason"
    case (.expired, nil): return "no gateway has delivered it in time"
    case (.confirmed, nil): return "it was confirmed without a receipt"
    }
  }

  private func tell(_ command: RemoteCommand, _ session: OwnerSession) throws {
    if session.format == .jsonl {
      append(command, to: session.output)
    } else if let text = news(command) {
      session.output.append(line: text)
    }
    try session.output.flush()
  }

  /// For a person; nil for what the last line tells.
  private func news(_ command: RemoteCommand) -> String? {
    switch command.status.state {
    case .queued:
      "waiting for a gateway that hears it, until \(command.status.expiresAt.rfc3339)"
    case .offered: "a gateway hears it and is delivering it"
    case .confirmed, .failed, .expired: nil
    }
  }

  private func append(_ command: RemoteCommand, to output: OutputBuffer) {
    output.append("{\"type\":\"command\"")
    var writer = JSONFieldWriter(output, continuing: true)
    writer.string("device", command.device.description.uppercased())
    writer.string("requestId", command.requestID)
    writer.string("state", command.status.state.rawValue)
    writer.string("expiresAt", command.status.expiresAt.rfc3339)
    writer.integer("packages", Int64(command.packages.count))
    if let heid = command.status.heid { writer.string("heid", heid.description) }
    switch command.receipt {
    case .success(let receipt)?:
      writer.boolean("verified", true)
      writer.string("status", receipt.status.map { "\($0)" } ?? "\(receipt.statusCode)")
      writer.string(
        "trackerTime", Timestamp(microseconds: Int64(receipt.clock) * 1_000_000).rfc3339)
    case .failure(let rejection)?:
      writer.boolean("verified", false)
      writer.string("receiptError", rejection.rawValue)
    case nil: break
    }
    if let detail = command.status.detail { writer.text("detail", detail) }
    output.append("}\n")
  }
}
