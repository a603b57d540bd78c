import Bluetooth
import Diagnosis
import LunaCore
import LunaCrypto
import LunaProtocol

/// One delivery: carries out what a ``ControlMachine`` says, each action in a function of its own. One
/// function for all of them is 150 kB of code: what it holds is released after each of its waits.
final class ControlRun {
  /// What holds a connection.
  private struct Link {
    let connection: any GATTConnection
    let control: GATTCharacteristic?
    let challenge: GATTCharacteristic?
  }

  private let delivery: ControlDelivery
  private let limits: BuzzerLimits
  private let start: Duration
  private let bell = Bell()
  private var machine: ControlMachine
  private var authenticator: ControlAuthenticator
  private var link: Link?
  private var package: ControlPackage?
  private var sent: Int64 = 0
  private var answered: Int64 = 0
  /// When the device was heard, as far as the machine knows.
  private var told: Timestamp?

  init(
    _ delivery: ControlDelivery, _ request: ControlRequest, limits: BuzzerLimits
  ) throws(BuzzerError) {
    do throws(CryptoError) {
      authenticator = try ControlAuthenticator()
    } catch {
      throw BuzzerError(.noPackage, "libcrypto failed: \(error)")
    }
    self.delivery = delivery
    self.limits = limits
    machine = ControlMachine(request, limits: limits)
    start = delivery.clock.elapsed()
    delivery.device.tell(bell)
  }

  private var elapsed: Duration { delivery.clock.elapsed() - start }

  func outcome() async throws(BuzzerError) -> ControlReceipt {
    var isWaiting = false
    var action = machine.start()
    while true {
      if case .finish(let outcome) = action { return try receipt(outcome) }
      if action == .listen, !isWaiting {
        delivery.progress(.waiting)
        // What was heard just now still holds.
        told = nil
      }
      isWaiting = action == .listen
      // The time is for all of it: a peer that is slow at every step gets no more.
      let left = max(.zero, limits.total - elapsed)
      await link?.connection.limitOperations(to: min(limits.operation, left))
      var event = await perform(action)
      if case .failed(let error) = event { delivery.progress(.retrying("\(error)")) }
      // Leaving comes first: a connection is not left behind.
      if Task.isCancelled, action != .disconnect { event = .stop }
      action = machine.handle(event, at: elapsed)
    }
  }

  private func receipt(_ outcome: ControlAction.Outcome) throws(BuzzerError) -> ControlReceipt {
    switch outcome {
    case .failed(let error): throw error
    case .done(let package, let bytes, let judgement):
      var verified: Receipt?
      if case .verified(let receipt) = judgement { verified = receipt }
      return ControlReceipt(
        package: package, bytes: bytes, verified: verified, sent: sent, answered: answered)
    }
  }

  private func perform(_ action: ControlAction) async -> ControlEvent {
    switch action {
    case .finish: .stop
    case .listen: await listen()
    case .connect(let peer, let limit): await connect(peer, within: limit)
    case .subscribe: await subscribe()
    case .readChallenge: await readChallenge()
    case .makePackage(let command, let argument, let challenge):
      await delivery.make(command, argument, challenge)
    case .write(let package): await write(package)
    case .receive(let limit): await receive(within: limit)
    case .disconnect: await disconnect()
    case .pause(let pause): await wait(pause)
    }
  }

  private func listen() async -> ControlEvent {
    var target = delivery.heard(since: told)
    if target == nil {
      await bell.wait(for: machine.patience(at: elapsed), by: delivery.clock)
      target = delivery.heard(since: told)
    }
    guard let target else { return .silence }
    told = target.at
    return .heard(target.target)
  }

  private func connect(_ peer: GATTPeer, within limit: Duration) async -> ControlEvent {
    let progress = delivery.progress
    progress(.connecting(peer, attempt: machine.attempts))
    do throws(GATTError) {
      let connection = try await delivery.client.connect(
        to: peer, GATTLimits(connect: limit, operation: limits.operation),
        progress: { progress(.detail($0)) })
      let offered = await connection.characteristics.filter { $0.service == LunaService.uuid }
      let made = Link(
        connection: connection,
        control: offered.first { $0.uuid == LunaService.control },
        challenge: offered.first { $0.uuid == LunaService.challenge })
      link = made
      progress(.connected)
      return .connected(hasControl: made.control != nil, hasChallenge: made.challenge != nil)
    } catch {
      return .failed(error)
    }
  }

  private func subscribe() async -> ControlEvent {
    guard let link, let control = link.control else { return .failed(.notConnected) }
    do throws(GATTError) {
      try await link.connection.subscribe(to: control)
      return .subscribed
    } catch {
      return .failed(error)
    }
  }

  private func readChallenge() async -> ControlEvent {
    guard let link, let challenge = link.challenge else { return .failed(.notConnected) }
    do throws(GATTError) {
      return .challenge(try await link.connection.read(challenge))
    } catch {
      return .failed(error)
    }
  }

  private func write(_ written: ControlPackage) async -> ControlEvent {
    package = written
    sent = delivery.now()
    guard let link, let control = link.control else { return .failed(.notConnected) }
    do throws(GATTError) {
      let bytes = written.bytes.indices.map { written.bytes[$0] }
      try await link.connection.write(bytes, to: control)
      delivery.progress(.sent)
      return .written
    } catch {
      return .failed(error)
    }
  }

  private func receive(within limit: Duration) async -> ControlEvent {
    guard let link, let control = link.control, let package else { return .failed(.notConnected) }
    do throws(GATTError) {
      let bytes = try await link.connection.nextValue(of: control, within: limit)
      answered = delivery.now()
      return .answered(
        bytes, ControlJudgement(bytes, to: package, keys: delivery.keys, &authenticator))
    } catch {
      return .failed(error)
    }
  }

  private func disconnect() async -> ControlEvent {
    if let connection = link?.connection {
      await Shield.run { await connection.disconnect() }
    }
    link = nil
    return .disconnected
  }

  private func wait(_ pause: Duration) async -> ControlEvent {
    try? await delivery.clock.sleep(pause)
    return .paused
  }
}

extension GATTError {
  /// The machine asked for something on a connection that is not there.
  fileprivate static let notConnected = GATTError(
    .abortedByPeer, during: "write", "there is no connection")
}
