import Bluetooth
import Diagnosis
import Luna
import LunaCore
import LunaOwner
import LunaProtocol
import LunaStore

// What others have heard of one's own trackers.

extension LunaHome {
  /// Reports that are older are history only, µs.
  private static let late: Int64 = 900_000_000
  private static let day = Duration.seconds(86_400)
  /// How often the backend is asked whether it is there while somebody looks, and how long it has for its answer:
  /// within 25 s whoever looks is to know.
  private static let looking = (every: Duration.seconds(9), limit: Duration.seconds(5))

  /// Fetches remote events: those of two days again and again, those of 14 days now and then.
  func fetch() async {
    guard let url = luna.settings.backend, let setup = loaded?.file.setup else { return }
    backend = HomeLink(
      state: .starting, text: url, since: now.wall,
      isSimulated: settings.isSimulated)
    var nextLong = clock.elapsed()
    while isRunning, !Task.isCancelled {
      guard !isLocked else {
        await unlocking.backend.wait(for: .seconds(3600), by: clock)
        continue
      }
      let isLong = clock.elapsed() >= nextLong
      if await fetchOnce(isLong ? LunaHome.day * 14 : LunaHome.day * 2), isLong {
        nextLong = clock.elapsed() + .seconds(6 * 3600)
      }
      await fetching.wait(for: .microseconds(setup.fetchEvery), by: clock)
    }
  }

  /// Somebody looks at the home: the backend is asked whether it is there, unless it was a moment ago. It is fetched
  /// from much more seldom, and a fetch under way, be it the first, may go on for longer than whoever looks is to wait.
  /// What has changed is told by ``changes()``.
  package func noteLook() {
    let time = clock.elapsed()
    guard isRunning, !isLocked, backend != nil,
      lastLook.map({ time - $0 >= LunaHome.looking.every }) ?? true
    else { return }
    lastLook = time
    lastDeed += 1
    let number = lastDeed
    deeds[number] = Task { [weak self] in
      await self?.look()
      await self?.end(number)
    }
  }

  private func look() async {
    // What was lost for another reason than the way there, fetching finds again in its own time.
    if await reachesBackend(), isBackendCut { fetching.ring() }
  }

  /// Asks whether the backend is there.
  private func reachesBackend() async -> Bool {
    do throws(BackendError) {
      try await luna.reachBackend(within: LunaHome.looking.limit)
    } catch {
      // Whatever else it answers: it is there.
      guard LunaHome.isCut(error) else { return true }
      // Why it is lost, is told once: each time it is worded anew.
      if backend?.state != .lost { loseBackend(error) }
      return false
    }
    return true
  }

  /// Whether the way to the backend is what is wrong.
  private static func isCut(_ error: BackendError) -> Bool {
    [.unreachable, .interrupted].contains(error.kind)
  }

  /// The backend did not answer as it should.
  private func loseBackend(_ error: any Error) {
    guard isRunning, !Task.isCancelled else { return }
    let wasLost = backend?.state == .lost
    isBackendCut = (error as? BackendError).map { LunaHome.isCut($0) } ?? false
    set(backend: .lost, (error as? BackendError)?.reason ?? "\(error)")
    if !wasLost { take([.system("backendLost")]) }
  }

  /// Fetches the events of all trackers.
  ///
  /// - Returns: whether the backend has answered.
  private func fetchOnce(_ span: Duration) async -> Bool {
    let end = clock.now()
    let start = end.advanced(by: .zero - span)
    var isAsked = false
    for (id, device) in devices.sorted(by: { $0.key < $1.key })
    where device.masterKey != nil || device.shared != nil {
      do {
        let found = try await luna.owner().findEvents(
          device: device, dateFrom: max(start, device.onboardingTimestamp), dateTo: end)
        isAsked = true
        for event in found.events where event.isPlausible { await take(event, of: id) }
      } catch let error as OwnerError where error.kind == .range || error.kind == .foreignDevice {
        // It was onboarded a moment ago, or what somebody else has shared has ended.
        continue
      } catch {
        loseBackend(error)
        return false
      }
    }
    // Whoever has no tracker knows all the same whether it is there.
    if !isAsked {
      do throws(BackendError) {
        try await luna.reachBackend(within: LunaHome.looking.limit)
      } catch {
        loseBackend(error)
        return false
      }
    }
    isBackendCut = false
    lastFetch = now.wall
    set(backend: .works, luna.settings.backend ?? "")
    return true
  }

  /// Why nobody may sign in now but by a link; nil where everybody may. A file that does not allow to be
  /// offline wants a fetch that has succeeded within a day.
  public func signInRefusal() -> String? {
    guard let setup = loaded?.file.setup, !setup.allowsOfflineUse else { return nil }
    guard luna.settings.backend != nil else {
      return "the file wants a backend for signing in, and names none"
    }
    if let lastFetch, now.wall - lastFetch <= 86_400_000_000 { return nil }
    return "the backend has not answered for a day, and the file wants that for signing in"
  }

  private func set(backend state: HomeLink.State, _ text: String) {
    guard backend?.state != state || backend?.text != text else { return }
    backend = HomeLink(
      state: state, text: text, since: now.wall, isSimulated: settings.isSimulated)
    if let backend { tell(.link("backend", backend)) }
  }

  /// Takes an event, once: it is kept first, and what was kept before is no news.
  private func take(_ event: Event, of id: String) async {
    let time = event.collectedAt.microseconds
    let key = "\(time) \(event.eid) \(event.latitude) \(event.longitude)"
    let report = Rule.hash(Array(key.utf8))
    let accuracy = (event.location.horizontalAccuracy ?? 200) + 40
    let point = HomeTrackPoint(
      time: time, latitude: event.latitude, longitude: event.longitude, accuracy: accuracy,
      source: "report", report: Int64(bitPattern: UInt64(report, radix: 16) ?? 0))
    do {
      let isNew = try await store?.transaction {
        (database: borrowing HomeDatabase) throws(DeviceStoreError) in
        try database.add(point, of: id)
      }
      guard isNew == true else { return }
    } catch {
      return tellUnkept(error)
    }
    guard now.wall - time <= LunaHome.late else { return }
    let fix = Fix(
      latitude: event.latitude, longitude: event.longitude, accuracy: accuracy, time: time,
      report: report)
    take(
      [HomeInput.fix(tracker: id, fix)] + seen(id, at: time) + LunaHome.battery(in: event, of: id))
  }

  /// What is told of a tracker that somebody else has heard: nothing where this box has heard it since.
  private func seen(_ id: String, at time: Int64) -> [HomeInput] {
    // What it has heard at a time to come was heard while the clock was wrong.
    if let last = lastSeen(id), last <= now.wall, time - last < HomeEar.seenEvery { return [] }
    ear.note(seen: time, id)
    return [.seen(id, at: time)]
  }

  /// What an event tells of the battery: nothing where its status cannot be read, or does not know.
  static func battery(in event: Event, of id: String) -> [HomeInput] {
    guard let status = try? event.status.get() else { return [] }
    return status.batteryValues.map { .value(tracker: id, property: $0.name, $0.value) }
  }
}
