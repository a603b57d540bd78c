import Bluetooth
import Diagnosis
import Luna
import LunaBuzzer
import LunaCore
import LunaJSON
import LunaOwner
import LunaProtocol
public import LunaStore

// What people ask for: by the app, by home.sock, by MQTT.

extension LunaHome {
  /// How long a command waits at the backend for a gateway that hears the tracker.
  private static let remoteLifetime = Duration.seconds(3600)
  /// So much is asked of a tracker at once: what it does not hear waits for long, and each asks the backend.
  static let mostAsked = 16

  /// Asks something of a tracker: one of ``HomeTracker/actions``, the name of an action of one of its
  /// properties, or `set` with a value of its own (`set:PROPERTY`).
  ///
  /// - Throws: ``HomeError`` of kind `notFound` or `action`, before anything is done.
  /// - Returns: the command as it begins; how it goes on is told by ``changes()``.
  public func perform(
    _ action: String, on id: String, value: PropertyValue? = nil
  ) async throws(HomeError) -> HomeCommandRow {
    guard isRunning else { throw HomeError(.state, "the home does not run") }
    guard let entry = loaded?.configuration.trackers.first(where: { $0.id == id }) else {
      throw HomeError(
        .notFound, "there is no tracker \(id)", remedy: "use an id of the home's file or its app")
    }
    guard !isLocked || entry.device == nil else {
      throw HomeError(.locked, "the keys of the trackers are locked", remedy: "unlock them first")
    }
    let hasClass = classed[id] != nil
    let deed: TrackerDeed?
    do {
      deed = try entry.deed(action, value, devices[id])
    } catch {
      // What the home does not know may be known to a class of its own.
      guard hasClass, error.kind == .action else { throw error }
      deed = nil
    }
    let time = now.wall
    lastDeed += 1
    let number = lastDeed
    var lasts = hasClass
    if case .control? = deed { lasts = true }
    if lasts {
      guard asked.values.count(where: { $0 == id }) < LunaHome.mostAsked else {
        throw HomeError(
          .action, "\(id) is still being asked for \(LunaHome.mostAsked) other things",
          remedy: "wait for the end of one of them")
      }
      asked[number] = id
    }
    var row = HomeCommandRow(
      id: "\(time)-\(number)", tracker: id, action: action, value: value?.json.description,
      state: "begun", time: time, changed: time)
    if hasClass {
      await note(row)
      let begun = row
      deeds[number] = Task { [weak self] in
        await self?.carryOut(begun, deed, value, number)
      }
      return row
    }
    switch deed {
    case nil: break
    case .set(let property, let value):
      try set(property, value, id)
      row.state = "done"
      await note(row)
    case .control(let name, let seconds):
      await note(row)
      let begun = row
      deeds[number] = Task { [weak self] in
        await self?.carryOut(begun, name, seconds, number)
      }
    }
    return row
  }

  /// A property gets a value.
  private func set(_ property: String, _ value: PropertyValue, _ id: String) throws(HomeError) {
    try sink(value, property, id)
    take([.value(tracker: id, property: property, value)])
  }

  /// Has a class of one's own do it, and does it where that leaves it to the home.
  private func carryOut(
    _ begun: HomeCommandRow, _ deed: TrackerDeed?, _ value: PropertyValue?, _ number: Int
  ) async {
    var row = begun
    row.state = "done"
    do throws(HomeError) {
      if try await !isDoneByClass(row.action, value, row.tracker) {
        switch deed {
        case .control(let name, let seconds):
          return await carryOut(begun, name, seconds, number)
        case .set(let property, let value): try set(property, value, row.tracker)
        case nil: throw HomeError(.action, "\(row.tracker) has no action \(row.action)")
        }
      }
    } catch {
      row.state = "failed"
      row.detail = error.reason
    }
    await note(row)
    end(number)
  }

  private func carryOut(
    _ begun: HomeCommandRow, _ name: String, _ seconds: UInt16, _ number: Int
  ) async {
    var row = begun
    do {
      row.detail = try await control(name, row.tracker, seconds: seconds) { [weak self] state, id in
        var step = begun
        step.state = state
        step.detail = id
        await self?.note(step)
      }
      row.state = "done"
    } catch is CancellationError {
      row.state = "interrupted"
    } catch {
      row.state = (error as? HomeError)?.kind == .expired ? "expired" : "failed"
      row.detail = (error as? any Diagnosed)?.reason ?? "\(error)"
    }
    await note(row)
    end(number)
  }

  /// Keeps and tells how far a command is.
  ///
  /// - Parameter code: names why it failed, where there is a word for that.
  func note(_ row: HomeCommandRow, code: String? = nil) async {
    var row = row
    row.changed = now.wall
    add(
      HomeCommandStep(state: row.state, detail: row.detail, code: code, time: row.changed), row.id)
    let kept = row
    do throws(DeviceStoreError) {
      try await store?.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
        try database.save(kept)
      }
    } catch {
      tellUnkept(error)
    }
    tell(.command(row))
  }

  /// The steps of the last 200 commands are known.
  private func add(_ step: HomeCommandStep, _ id: String) {
    if steps[id] == nil {
      stepped.append(id)
      if stepped.count > 200 { steps[stepped.removeFirst()] = nil }
    }
    if steps[id]?.last?.isSame(as: step) != true { steps[id, default: []].append(step) }
  }

  /// Tells a tracker something: nearby where it is heard, else through the backend.
  ///
  /// - Parameter progress: gets how far a command at the backend is, and its id there.
  /// - Returns: what came of it.
  func control(
    _ action: String, _ id: String, seconds: UInt16,
    progress: @Sendable (String, String) async -> Void
  ) async throws -> String {
    guard let device = devices[id] else {
      throw HomeError(.action, "\(id) is none of one's own trackers")
    }
    let (command, argument): (ControlCommand, UInt16) =
      switch action {
      case "buzz": (.buzzStart, seconds)
      case "stopSound": (.buzzStop, 0)
      case "blink": (.blink, seconds)
      default: (.ping, 0)
      }
    let heard = luna.local().devices.first { $0.uuid == device.uuid }
    if let heard, heard.lastSeenDate != nil, heard.timedOut != true {
      _ = try await tell(command, argument, device, heard)
    } else {
      guard luna.settings.backend != nil else {
        throw HomeError(.action, "\(id) is not heard, and there is no backend to tell it")
      }
      try await remotely(command, argument, device, progress)
    }
    // Whether it sounds only what it advertises of itself can say.
    guard device.shared == nil else { return "delivered; only its owner can prove that it rang" }
    if action == "buzz" {
      take([.value(tracker: id, property: "sound", .text("on"))])
      silence(id, after: seconds)
    } else if action == "stopSound" {
      take([.value(tracker: id, property: "sound", .text("off"))])
    }
    return heard == nil ? "by the backend" : ""
  }

  /// Tells a tracker something nearby; one that somebody else shares by a package of its owner.
  private func tell(
    _ command: ControlCommand, _ argument: UInt16, _ device: Device, _ heard: LocalDevice
  ) async throws -> ControlReceipt {
    guard device.shared == nil else {
      return try await luna.ring(heard, sharedAs: device, command)
    }
    return try await luna.buzzer().send(command, argument: argument, to: heard)
  }

  /// A sound ends by itself.
  private func silence(_ id: String, after seconds: UInt16) {
    lastDeed += 1
    let number = lastDeed
    deeds[number] = Task { [weak self, clock] in
      if (try? await clock.sleep(.seconds(seconds))) != nil {
        await self?.take([.value(tracker: id, property: "sound", .text("off"))])
      }
      await self?.end(number)
    }
  }

  private func remotely(
    _ command: ControlCommand, _ argument: UInt16, _ device: Device,
    _ progress: (String, String) async -> Void
  ) async throws {
    let owner = luna.owner()
    var remote = try await owner.sendRemotely(
      command, argument: argument, to: device, from: clock.now(),
      lasting: LunaHome.remoteLifetime)
    var state = remote.status.state
    await progress(state.rawValue, remote.requestID)
    let start = clock.elapsed()
    while !remote.isFinal {
      try await clock.sleep(clock.elapsed() - start < .seconds(120) ? .seconds(1) : .seconds(10))
      do {
        remote = try await owner.followed(remote)
      } catch let error as BackendError where error.isTemporary {
        continue
      }
      if remote.status.state != state {
        state = remote.status.state
        await progress(state.rawValue, remote.requestID)
      }
    }
    switch state {
    case .confirmed:
      // The answer to a ring that somebody else shares is for the tracker's owner alone.
      guard remote.isProven || device.shared != nil else {
        throw HomeError(.action, "the tracker's answer does not prove that it did so")
      }
    case .expired: throw HomeError(.expired, "no gateway has met the tracker in time")
    case .cancelled: throw HomeError(.expired, "it was called off at the backend")
    default: throw HomeError(.action, "the gateway could not do it")
    }
  }

  /// Puts a rule to sleep until a moment, µs since 1970; nil wakes it.
  ///
  /// - Throws: ``HomeError`` of kind `notFound`.
  public func snooze(_ rule: String, until: Int64?) throws(HomeError) {
    try require(rule)
    take([.snooze(rule: rule, until: until)])
    pending.steps = max(pending.steps, 1000)
    keeping.ring()
  }

  /// Has a rule run now, whatever it waits for.
  ///
  /// - Throws: ``HomeError`` of kind `notFound`.
  public func run(_ rule: String) throws(HomeError) {
    try require(rule)
    take([.run(rule: rule)])
  }

  private func require(_ rule: String) throws(HomeError) {
    guard isRunning else { throw HomeError(.state, "the home does not run") }
    guard engine?.configuration.rules.contains(where: { $0.id == rule }) == true else {
      throw HomeError(
        .notFound, "there is no rule \(rule)", remedy: "use an id of the home's file or its app")
    }
  }

  /// Sends a message again that was put aside.
  ///
  /// - Throws: ``HomeError`` of kind `notFound` where no message of that number was.
  public func retry(_ message: Int64) async throws(HomeError) {
    let isThere: Bool
    do {
      isThere = try await outbox?.retry(message) ?? false
    } catch {
      throw HomeError(.storage, (error as? any Diagnosed)?.reason ?? "\(error)")
    }
    guard isThere else {
      throw HomeError(
        .notFound, "no message \(message) was put aside",
        remedy: "only what could not be told can be told again")
    }
  }

  /// Somebody says something that rules may wait for.
  public func message(_ name: String) { take([.message(name)]) }
}
