import Glibc
import TLSStream
import UplinkProtocol

/// One replay on a thread that may wait: it does what its session says.
final class ReplayRun {
  private let client: WeheClient
  private let plan: ReplayPlan
  private let end: EndSignal
  private var session: ReplaySession
  private var side: SideChannel?
  private var question: OwnAddressQuestion?
  private var flows: DataFlows?
  /// When the session wants to hear that time is over.
  private var wake: ContinuousClock.Instant?
  private var outcome: ReplayOutcome?

  /// A replay; it ends early when somebody calls for that.
  init(_ client: WeheClient, _ plan: ReplayPlan, _ end: EndSignal) {
    self.client = client
    self.plan = plan
    self.end = end
    session = ReplaySession(plan, server: client.server.text)
  }

  /// Makes it.
  func run() -> ReplayRecord {
    take(.begin)
    while true {
      if let outcome { return record(outcome) }
      step()
    }
  }

  private func record(_ outcome: ReplayOutcome) -> ReplayRecord {
    var record = ReplayRecord(outcome)
    record.ownAddress = session.ownAddress
    guard let flows else { return record }
    record.reads = flows.reads
    record.samples = flows.samples
    record.seconds = flows.seconds
    record.leastRoundTrip = flows.leastRoundTrip
    return record
  }

  private func step() {
    let all: [(any ReplayPart)?] = [side, question, flows]
    let parts = all.compactMap { $0 }
    let queries = parts.map { $0.queries }
    var polls = [pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0)]
    for query in queries { polls += query }
    guard poll(&polls, nfds_t(polls.count), patience(parts)) >= 0 else { return }
    guard polls[0].revents == 0 else { return take(.cancel) }
    var rest = polls.dropFirst()
    for (part, query) in zip(parts, queries) {
      let ready = rest.prefix(query.count).map(\.revents)
      rest = rest.dropFirst(query.count)
      for event in part.serve(ready) where outcome == nil { take(event) }
    }
    guard outcome == nil, let wake, wake <= .now else { return }
    self.wake = nil
    take(.timeIsOver)
  }

  /// How long may be waited, ms.
  private func patience(_ parts: [any ReplayPart]) -> Int32 {
    let deadlines = parts.compactMap { $0.deadline } + (wake.map { [$0] } ?? [])
    guard let first = deadlines.min() else { return -1 }
    let milliseconds = (ContinuousClock.now.duration(to: first) / .milliseconds(1)).rounded(.up)
    return Int32(max(0, min(milliseconds, 1e6)))
  }

  private func take(_ event: ReplayEvent) {
    switch event {
    case .ownAddress, .ownAddressRefused: question = nil
    default: break
    }
    let before = session.state
    let actions = session.take(event)
    switch (before, session.state) {
    case (.sideChannel, .permission): client.progress(.asking)
    case (.permission, .permission), (.permission, .closed): break
    // A server may say more at once.
    case (.permission, _): client.progress(.allowed)
    default: break
    }
    for action in actions where outcome == nil { perform(action) }
  }

  private func perform(_ action: ReplayAction) {
    switch action {
    case .askOwnAddress(let request):
      question = dataPort.flatMap { OwnAddressQuestion(request, to: client.server, port: $0) }
      if question == nil { take(.ownAddressRefused) }
    case .connect: connect()
    case .send(let bytes): side?.send(bytes)
    case .wait(let seconds): wake = ContinuousClock.now + .seconds(seconds)
    case .transfer(let map, _): transfer(map)
    case .notice: break
    case .endTransfer: for event in flows?.end() ?? [] { take(event) }
    case .finish(let outcome): self.outcome = outcome
    }
  }

  private func connect() {
    do throws(TLSError) {
      side = try SideChannel(of: client)
      if side == nil { take(.notConnected) }
    } catch {
      take(.failed(ReplayError(error)))
    }
  }

  private func transfer(_ map: ReplayMap) {
    let sampling = Sampling(
      buckets: session.buckets ?? 1, nominalSeconds: client.nominalSeconds,
      roundTrip: side?.leastRoundTrip)
    flows = DataFlows(
      plan.transfer(isTimed: client.isTimed), map, to: client.server, sampling,
      byteLimit: client.byteLimit ?? .max)
    for event in flows?.begin() ?? [.data(.lost)] { take(event) }
  }

  /// Where the server tells one's own address.
  private var dataPort: UInt16? {
    guard case .tcp(let requests) = plan.recording.packets else { return nil }
    return requests.first?.pair.server.port
  }
}
