import Bluetooth
import Diagnosis
import LunaCore
import LunaCrypto
import LunaProtocol

/// Carries out what a ``ControlMachine`` says.
struct ControlDelivery: Sendable {
  /// How recent a frame has to be for what it says to hold, µs of this machine's time.
  static let freshness: Int64 = 3_000_000

  /// Makes the package for a challenge.
  typealias PackageMaker =
    @Sendable (ControlCommand, UInt16, ControlChallenge, Timestamp) async throws -> ControlPackage

  let client: any GATTClient
  let device: LocalDevice
  /// The keys of the device; nil for who does not hold them.
  let keys: TrackerKeys?
  let makePackage: PackageMaker?
  let clock: WallClock
  /// Protocol time at a time of this machine.
  let protocolTime: @Sendable (Timestamp) -> Timestamp
  let progress: @Sendable (BuzzerProgress) -> Void

  /// What holds a connection.
  private struct Link {
    var connection: any GATTConnection
    var control: GATTCharacteristic?
    var challenge: GATTCharacteristic?
  }

  /// Delivers; ends within the limits. Cancelled, it ends after the operation that is under way.
  func run(
    _ request: ControlRequest, limits: BuzzerLimits
  ) async throws(BuzzerError) -> ControlReceipt {
    var machine = ControlMachine(request, limits: limits)
    var authenticator: ControlAuthenticator
    do throws(CryptoError) {
      authenticator = try ControlAuthenticator()
    } catch {
      throw BuzzerError(.noPackage, "libcrypto failed: \(error)")
    }
    let start = clock.elapsed()
    var link: Link?
    var package: ControlPackage?
    var sent: Int64 = 0
    var answered: Int64 = 0
    var isWaiting = false
    let bell = Bell()
    device.tell(bell)
    /// When the device was heard, as far as the machine knows.
    var told: Timestamp?
    var action = machine.start()
    while true {
      if action == .listen, !isWaiting {
        progress(.waiting)
        // What was heard just now still holds.
        told = nil
      }
      isWaiting = action == .listen
      // The time is for all of it: a peer that is slow at every step gets no more.
      let left = max(.zero, limits.total - (clock.elapsed() - start))
      await link?.connection.limitOperations(to: min(limits.operation, left))
      var event: ControlEvent
      switch action {
      case .finish(let outcome):
        return try receipt(outcome, sent: sent, answered: answered)
      case .listen:
        var target = heard(since: told)
        if target == nil {
          await bell.wait(for: machine.patience(at: clock.elapsed() - start), by: clock)
          target = heard(since: told)
        }
        told = target?.at ?? told
        event = target.map { .heard($0.target) } ?? .silence
      case .connect(let peer, let limit):
        progress(.connecting(peer, attempt: machine.attempts))
        do throws(GATTError) {
          let made = try await connect(peer, within: limit, operation: limits.operation)
          link = made
          progress(.connected)
          event = .connected(hasControl: made.control != nil, hasChallenge: made.challenge != nil)
        } catch {
          event = .failed(error)
        }
      case .subscribe:
        event = await attempt(link, link?.control) { (link, control) throws(GATTError) in
          try await link.connection.subscribe(to: control)
          return .subscribed
        }
      case .readChallenge:
        event = await attempt(link, link?.challenge) { (link, challenge) throws(GATTError) in
          .challenge(try await link.connection.read(challenge))
        }
      case .makePackage(let command, let argument, let challenge):
        event = await make(command, argument, challenge)
      case .write(let written):
        package = written
        sent = now()
        event = await attempt(link, link?.control) { (link, control) throws(GATTError) in
          let bytes = written.bytes.indices.map { written.bytes[$0] }
          try await link.connection.write(bytes, to: control)
          return .written
        }
        if case .written = event { progress(.sent) }
      case .receive(let limit):
        do throws(GATTError) {
          let bytes = try await receive(link, within: limit)
          answered = now()
          event = .failed(.notConnected)
          if let package {
            event = .answered(
              bytes, ControlJudgement(bytes, to: package, keys: keys, &authenticator))
          }
        } catch {
          event = .failed(error)
        }
      case .disconnect:
        if let connection = link?.connection {
          await Shield.run { await connection.disconnect() }
        }
        link = nil
        event = .disconnected
      case .pause(let pause):
        try? await clock.sleep(pause)
        event = .paused
      }
      if case .failed(let error) = event { progress(.retrying("\(error)")) }
      // Leaving comes first: a connection is not left behind.
      if Task.isCancelled, action != .disconnect { event = .stop }
      action = machine.handle(event, at: clock.elapsed() - start)
    }
  }

  private func receipt(
    _ outcome: ControlAction.Outcome, sent: Int64, answered: Int64
  ) throws(BuzzerError) -> ControlReceipt {
    switch outcome {
    case .failed(let error): throw error
    case .done(let package, let bytes, let judgement):
      var verified: Receipt?
      if case .verified(let receipt) = judgement { verified = receipt }
      return ControlReceipt(
        package: package, bytes: bytes, verified: verified, sent: sent, answered: answered)
    }
  }

  /// Protocol time, Unix ms.
  private func now() -> Int64 { protocolTime(clock.now()).unixMilliseconds }

  /// The device, if it was heard just now and not only when the machine was told last.
  private func heard(since told: Timestamp?) -> (target: HeardTarget, at: Timestamp)? {
    let state = device.snapshot
    guard let seen = state.lastSeenDate, seen != told, isFresh(seen),
      let target = HeardTarget(state)
    else { return nil }
    return (target, seen)
  }

  /// Whether something was heard just now. A follower tells when in protocol time.
  private func isFresh(_ seen: Timestamp) -> Bool {
    let now = clock.now().microseconds
    func at(_ shift: Int64) -> Timestamp {
      let (time, overflow) = now.addingReportingOverflow(shift)
      return protocolTime(Timestamp(microseconds: overflow ? now : time))
    }
    return at(-ControlDelivery.freshness) <= seen && seen <= at(ControlDelivery.freshness)
  }

  private func connect(
    _ peer: GATTPeer, within limit: Duration, operation: Duration
  ) async throws(GATTError) -> Link {
    let progress = progress
    let connection = try await client.connect(
      to: peer, GATTLimits(connect: limit, operation: operation),
      progress: { progress(.detail($0)) })
    let offered = await connection.characteristics.filter { $0.service == LunaService.uuid }
    return Link(
      connection: connection,
      control: offered.first { $0.uuid == LunaService.control },
      challenge: offered.first { $0.uuid == LunaService.challenge })
  }

  private func attempt(
    _ link: Link?, _ characteristic: GATTCharacteristic?,
    _ body: (Link, GATTCharacteristic) async throws(GATTError) -> ControlEvent
  ) async -> ControlEvent {
    guard let link, let characteristic else { return .failed(.notConnected) }
    do throws(GATTError) {
      return try await body(link, characteristic)
    } catch {
      return .failed(error)
    }
  }

  private func receive(_ link: Link?, within limit: Duration) async throws(GATTError) -> [UInt8] {
    guard let link, let control = link.control else { throw .notConnected }
    return try await link.connection.nextValue(of: control, within: limit)
  }

  private func make(
    _ command: ControlCommand, _ argument: UInt16, _ challenge: ControlChallenge
  ) async -> ControlEvent {
    guard let makePackage else {
      return .noPackage(
        BuzzerError(.noPackage, "there is nobody to make packages", remedy: "give control packages")
      )
    }
    do {
      return .package(
        try await makePackage(command, argument, challenge, protocolTime(clock.now())))
    } catch {
      return .noPackage(BuzzerError(.noPackage, "no package could be made: \(error)"))
    }
  }
}

extension GATTError {
  /// The machine asked for something on a connection that is not there.
  static let notConnected = GATTError(.abortedByPeer, during: "write", "there is no connection")
}
