import Bluetooth
import LunaCore

/// Carries out what an ``ApproachMachine`` and a ``Conversation`` say.
struct StrangerSession: Sendable {
  let client: any GATTClient
  let limits: BuzzerLimits
  let clock: WallClock
  /// Waits until the device is heard, at most for a time.
  let listen: @Sendable (Duration) async -> AdvertisingReport?
  let progress: @Sendable (BuzzerProgress) -> Void

  /// Approaches and converses, again if a connection breaks before anything was said; cancelled, the
  /// conversation is brought to its end.
  func run<Talk: Conversation>(
    _ talk: Talk, _ tell: (Talk.News) async -> Void
  ) async throws(BuzzerError) {
    var machine = ApproachMachine(limits: limits)
    let start = clock.elapsed()
    var action = machine.start()
    progress(.waiting)
    while true {
      var event: ApproachMachine.Event
      switch action {
      case .finish(let error): throw error
      case .listen:
        event = .silence
        let patience = machine.patience(at: clock.elapsed() - start)
        if let report = await listen(patience), report.addressType.hasAddress {
          try talk.wish.check(report)
          event = .heard(
            HeardTarget(
              GATTPeer(report.address, report.addressType), isConnectable: report.isConnectable))
        }
      case .pause(let pause):
        try? await clock.sleep(pause)
        event = .paused
      case .connect(let peer, let limit):
        progress(.connecting(peer, attempt: machine.attempts))
        guard
          let error = try await attempt(
            peer, within: limit, until: start + limits.total, talk, tell)
        else { return }
        progress(.retrying("\(error)"))
        event = .failed(error)
      }
      if Task.isCancelled { event = .stop }
      action = machine.handle(event, at: clock.elapsed() - start)
    }
  }

  /// - Returns: nil when it is said; otherwise why another connection is worth trying.
  private func attempt<Talk: Conversation>(
    _ peer: GATTPeer, within limit: Duration, until end: Duration, _ talk: Talk,
    _ tell: (Talk.News) async -> Void
  ) async throws(BuzzerError) -> GATTError? {
    let connection: any GATTConnection
    do throws(GATTError) {
      let progress = progress
      connection = try await client.connect(
        to: peer, GATTLimits(connect: limit, operation: limits.operation),
        progress: { progress(.detail($0)) })
    } catch {
      return error
    }
    progress(.connected)
    var result: Result<GATTError?, BuzzerError>
    do throws(BuzzerError) {
      result = .success(try await converse(connection, until: end, talk, tell))
    } catch {
      result = .failure(error)
    }
    await Shield.run { await connection.disconnect() }
    return try result.get()
  }

  private func converse<Talk: Conversation>(
    _ connection: any GATTConnection, until end: Duration, _ initial: Talk,
    _ tell: (Talk.News) async -> Void
  ) async throws(BuzzerError) -> GATTError? {
    var talk = initial
    let start = clock.elapsed()
    var wasStopped = false
    var event = ConversationEvent.connected(await connection.characteristics)
    while true {
      let action = talk.handle(event, at: clock.elapsed() - start)
      // The time is for all of it: a peer that is slow at every step gets no more.
      var left = Duration.seconds(3600)
      if talk.isAwaitingAnswer {
        left = end - clock.elapsed()
        if left <= .zero, action.needsTime {
          event = .timeIsOver
          continue
        }
      }
      await connection.limitOperations(to: min(limits.operation, left))
      switch action {
      case .leave: return nil
      case .fail(let error): throw error
      case .again(let error): return error
      case .tell(let news):
        await tell(news)
        event = .told
      case .subscribe(let characteristic):
        event = await attempt(.subscribed, wasStopped) { () throws(GATTError) in
          try await connection.subscribe(to: characteristic)
        }
      case .write(let bytes, let characteristic):
        event = await attempt(.written, wasStopped) { () throws(GATTError) in
          try await connection.write(bytes, to: characteristic)
        }
        if case .written = event { progress(.sent) }
      case .receive(let characteristic, let limit):
        event = await receive(
          connection, characteristic, within: min(limit, left), wasStopped: wasStopped)
      }
      // Told once: what follows is the way out.
      if Task.isCancelled, !wasStopped {
        switch event {
        case .told, .failed: break
        default:
          wasStopped = true
          event = .stop
        }
      }
    }
  }

  private func attempt(
    _ success: ConversationEvent, _ isShielded: Bool,
    _ body: @escaping @Sendable () async throws(GATTError) -> Void
  ) async -> ConversationEvent {
    @Sendable func attempt() async -> ConversationEvent {
      do throws(GATTError) {
        try await body()
        return success
      } catch {
        return .failed(error)
      }
    }
    return isShielded ? await Shield.run(attempt) : await attempt()
  }

  /// The next value, unless a stop comes before.
  private func receive(
    _ connection: any GATTConnection, _ characteristic: GATTCharacteristic,
    within limit: Duration, wasStopped: Bool
  ) async -> ConversationEvent {
    guard limit > .zero else { return .silence }
    if Task.isCancelled, !wasStopped { return .stop }
    @Sendable func next() async -> ConversationEvent {
      do throws(GATTError) {
        return .value(try await connection.nextValue(of: characteristic, within: limit))
      } catch {
        return error.kind == .timedOut ? .silence : .failed(error)
      }
    }
    let event = wasStopped ? await Shield.run(next) : await next()
    if case .value = event { return event }
    return Task.isCancelled && !wasStopped ? .stop : event
  }
}
