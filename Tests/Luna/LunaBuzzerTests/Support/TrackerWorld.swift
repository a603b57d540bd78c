import Bluetooth
import LunaCore
import LunaProtocol
import LunaTesting
import Synchronization
import TrackerMachine

/// A software tracker, the air between, and a time that moves only when somebody waits: everything
/// that a buzzer meets, without a radio. Faults can be put at any step.
final class TrackerWorld: Sendable {
  /// Something that goes wrong at an operation on the air.
  struct Fault: Sendable {
    /// Whether the tracker still gets what was sent.
    var isAfterEffect = false
    var error: GATTError
  }

  struct State {
    var machine: TrackerMachine
    var generator = Seeded(7)
    /// ms since the start.
    var uptime: Int64 = 0
    var owner: Int64
    var link = 0
    var isConnected = false
    var values: [[UInt8]] = []
    var sounds: [Int] = []
    var stops = 0
    /// Operations so far: connect, subscribe, read, write, receive.
    var steps: [String] = []
    /// By the number of the step.
    var faults: [Int: Fault] = [:]
    /// What an indication is changed into.
    var corrupt: (@Sendable ([UInt8]) -> [UInt8])?
    var isSilent = false
    var isMute = false
    var latency: Int64 = 30
    /// How long an operation may take, ms.
    var operationLimit: Int64 = 10_000
  }

  /// How the time of trackers goes.
  let time: ProtocolTime
  let state: Mutex<State>
  let device: LocalDevice

  /// A tracker whose clock is exact, or off.
  ///
  /// - Parameters:
  ///   - after: how long after it was onboarded, s.
  ///   - uuid: how the owner knows it; nil for a foreign one.
  ///   - speed: how many times faster protocol time goes, from a minute before the start.
  ///   - clockError: by how much its clock is ahead, ms.
  init(
    after: Int64 = 10, uuid: DeviceUUID? = Samples.uuid, speed: Int64 = 1, clockError: Int64 = 0
  ) throws {
    let owner = (Int64(Samples.time) + after) * 1000
    time = ProtocolTime(epoch: Timestamp(microseconds: (owner - 60_000) * 1000), speed: speed)
    var machine = TrackerMachine(
      record: Samples.record(), oscillator: TrackerMachine.Oscillator(speed: speed))
    var generator = Seeded(3)
    _ = try machine.start(
      at: 0, clock: time.time(at: owner) + clockError, using: &generator)
    state = Mutex(State(machine: machine, owner: owner))
    device = LocalDevice(LocalDevice.State(uuid: uuid, kind: .luna, name: "keys"))
  }

  /// The owner's time, Unix ms.
  var now: Int64 { state.withLock { $0.owner + $0.uptime } }

  var clock: WallClock {
    WallClock(
      now: { [self] in Timestamp(microseconds: now * 1000) },
      elapsed: { [self] in .milliseconds(state.withLock { $0.uptime }) },
      sleep: { [self] in
        var left = max(1, Int64($0 / .milliseconds(1)))
        while left > 0 {
          // Who was woken by what is heard waits no more.
          try Task.checkCancellation()
          let step = min(50, left)
          advance(by: step)
          left -= step
        }
      })
  }

  /// The period on air.
  var period: UInt32 { state.withLock { $0.machine.advertisement?.period ?? 0 } }
  var steps: [String] { state.withLock { $0.steps } }
  var sounds: [Int] { state.withLock { $0.sounds } }

  func fault(at step: Int, _ fault: Fault) { state.withLock { $0.faults[step] = fault } }

  /// Lets time pass; the device is heard once a second while it sends frames.
  func advance(by milliseconds: Int64) {
    let heard: HeardFrame? = state.withLock { state in
      let end = state.uptime + milliseconds
      while let deadline = state.machine.nextDeadline, deadline <= end {
        state.uptime = max(state.uptime, deadline)
        TrackerWorld.send(.timePassed, &state)
      }
      state.uptime = end
      TrackerWorld.send(.timePassed, &state)
      guard !state.isSilent, !state.isConnected, let shown = state.machine.advertisement,
        shown.mode == .frame
      else { return nil }
      return HeardFrame(shown: shown, time: time.time(at: state.owner + state.uptime) * 1000)
    }
    guard let heard else { return }
    device.update { local in
      local.address = heard.shown.address
      local.addressType = .random
      local.heid = heard.shown.heid.description
      local.eid = heard.shown.eid.description
      local.connectable = heard.shown.isConnectable
      local.lastSeenDate = Timestamp(microseconds: heard.time)
      local.period = heard.shown.period
    }
  }

  private struct HeardFrame {
    var shown: TrackerAdvertisement
    var time: Int64
  }

  /// What the tracker does when something happens to it.
  @discardableResult
  static func send(_ event: TrackerMachine.Event, _ state: inout State)
    -> TrackerResponse?
  {
    var response: TrackerResponse?
    let actions =
      (try? state.machine.handle(event, at: state.uptime, using: &state.generator)) ?? []
    for action in actions {
      switch action {
      case .respond(let given): response = given
      case .indicate(_, let value):
        guard !state.isMute else { continue }
        state.values.append(state.corrupt?(value) ?? value)
      case .disconnect: state.isConnected = false
      case .startSound(let seconds): state.sounds.append(seconds)
      case .stopSound: state.stops += 1
      default: break
      }
    }
    return response
  }
}

extension TrackerWorld: GATTClient {
  func connect(
    to peer: GATTPeer, _ limits: GATTLimits, progress: @escaping @Sendable (String) -> Void
  ) async throws(GATTError) -> any GATTConnection {
    advance(by: 30)
    let result: Result<Int, GATTError> = state.withLock { state in
      state.steps.append("connect")
      if let fault = state.faults[state.steps.count] { return .failure(fault.error) }
      guard let shown = state.machine.advertisement, shown.isConnectable, !state.isSilent,
        shown.address == peer.address
      else { return .failure(GATTError(.outOfRange, during: "connect", "no answer")) }
      state.link += 1
      state.operationLimit = Int64(limits.operation / .milliseconds(1))
      state.isConnected = true
      state.values = []
      TrackerWorld.send(.connected, &state)
      TrackerWorld.send(.mtu(64), &state)
      return .success(state.link)
    }
    if case .failure(let error) = result, error.kind == .outOfRange {
      advance(by: max(0, Int64(limits.connect / .milliseconds(1)) - 30))
    }
    return TrackerConnection(world: self, link: try result.get())
  }

  func close() async {}
}
