import Luna
import LunaCore
public import LunaCrypto
import LunaStore

// The beginning, the end, and another file.

extension LunaHome {
  /// Reads the file, opens what is kept, and begins. The radio, the backend and the broker may come later:
  /// how it stands with them is in ``snapshot()``.
  ///
  /// - Throws: ``HomeError`` for a file that cannot be used; `DeviceStoreError`, of kind `busy` where
  ///   another home runs; what reading the file throws.
  public func start() async throws {
    guard !isRunning else { throw HomeError(.state, "the home runs already") }
    let loaded = try await settings.load()
    guard loaded.file.isUsable else {
      throw HomeError(.file, "the home's file has errors", remedy: "mend them first")
    }
    let store = try await HomeStore.open(in: settings.state)
    let (parts, begun) = try await store.transaction {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      let begun = try database.begunOutcomes()
      // Numbers of the process before are lower than those of this one.
      return (try database.parts(), begun)
    }
    var state = HomeState()
    do {
      state = try HomeState(parts: parts)
    } catch {
      // The history stays; the rules begin anew.
      notice(.storage, "what the rules had remembered cannot be read: they begin anew")
    }
    watch.restore(parts)
    keeper = HomeKeeper(Array(parts.keys))
    self.store = store
    self.loaded = loaded
    self.begun = loaded.file.setup
    isRunning = true
    do {
      outbox = try await settings.makeOutbox?(
        store, loaded.configuration.notifications)
      journal.begin(at: now.wall)
      engine = HomeEngine(loaded.configuration, state)
      try await adopt(loaded)
      makeClassed()
      take([.start])
      tellFirmware()
      askClasses(of: classed.keys.sorted())
      writer = Task { [weak self] in await self?.keepOn() }
      if settings.hasSocket { socket = try HomeSocket(in: settings.state, self) }
      try await startPublishing(loaded.file, after: parts[BrokerMemory.part])
      // What is done again may need the broker.
      try await settle(begun)
    } catch {
      await stop()
      throw error
    }
    if loaded.file.setup.isFinder { startFinder() }
    startTasks()
    outbox?.wake()
  }

  /// Ends: what was begun is noted, what is to be kept is kept, and the radio is let go.
  public func stop() async {
    guard isRunning else { return }
    isRunning = false
    await socket?.stop()
    socket = nil
    for task in tasks { task.cancel() }
    waking.ring()
    unlocking.radio.ring()
    unlocking.backend.ring()
    fetching.ring()
    // The scan ends with its radio.
    await luna.local().stop()
    luna.finder().stopMonitoring()
    for task in tasks { await task.value }
    tasks = []
    for deed in deeds.values { deed.cancel() }
    // A program that does not end by itself is ended within a second. What takes longer is not waited for: the next
    // home says that it was interrupted.
    let end = clock.elapsed() + .seconds(2)
    while !deeds.isEmpty, clock.elapsed() < end {
      await resting.wait(for: end - clock.elapsed(), by: clock)
    }
    flushSignals(all: true)
    watch.refresh(at: now.wall)
    watch.isLearned = true
    keepSuspects()
    keeping.ring()
    // First: a broker that does not answer keeps nothing from being kept, and what is kept is told to it.
    await writer?.value
    writer = nil
    await publisher?.stop()
    await settleBroker()
    await outbox?.stop()
    outbox = nil
    publisher = nil
    await store?.close()
    store = nil
    journal.listeners.finish()
  }

  /// Reads the file again. Where it can be used it holds from the next input on, and rules that did not
  /// change keep their state; else the one before holds, and a notice says so.
  ///
  /// - Returns: what was wrong in the file that was read.
  @discardableResult
  public func reload() async throws -> [Problem] {
    // One after the other: else a file that was read before could hold in the end.
    try await reloads.enter { @Sendable in try await self.reloadAlone() }
  }

  private func reloadAlone() async throws -> [Problem] {
    guard isRunning else { throw HomeError(.state, "the home does not run") }
    let new: LoadedHome
    do {
      new = try await settings.load()
    } catch {
      notice(.badFile, "the home's file cannot be read (\(error)): the one before holds")
      throw error
    }
    guard new.file.isUsable else {
      let count = new.file.problems.count { $0.level == .error }
      notice(
        .badFile,
        "the home's file has \(count) error\(count == 1 ? "" : "s"): the one before holds")
      return new.file.problems
    }
    notice(.badFile, nil)
    try await adopt(new)
    await rememberTrackers(of: new.configuration)
    let old = loaded
    // Models with other filters are looked for anew.
    models = models.filter { _, name in
      let filters = [old?.configuration, new.configuration].map { configuration in
        configuration?.models.first { $0.name == name }?.filters
      }
      return filters[0] == filters[1]
    }
    hold(new.with(models))
    outbox?.reload(new.configuration.notifications)
    take([.clock])
    tellFirmware()
    askClasses(of: classed.keys.sorted())
    notice(
      .needsRestart,
      begun.map { $0.needsRestart(for: new.file.setup) } ?? false
        ? "a changed radio, broker, backend, issuer or server holds after a restart" : nil)
    publisher?.adopt(
      loaded?.configuration ?? new.configuration, snapshot().trackers, sources: sources)
    tell(.config)
    return new.file.problems
  }

  private func hold(_ loaded: LoadedHome) {
    self.loaded = loaded
    engine = engine?.reloaded(loaded.configuration)
    makeClassed()
  }

  /// Trackers were found to be of models.
  func adopt(_ found: [String: String]) {
    guard let loaded else { return }
    models.merge(found) { _, new in new }
    hold(loaded.with(models))
    guard let configuration = self.loaded?.configuration else { return }
    publisher?.adopt(configuration, snapshot().trackers, sources: sources)
    for id in found.keys.sorted() { tell(.tracker(id)) }
  }

  /// Whether the keys of the trackers are sealed, and nobody has given the passphrase.
  public var isLocked: Bool { notices.contains { $0.kind == .locked } }

  /// Opens the keys of the trackers until the home ends.
  ///
  /// - Throws: `DeviceStoreError`, of kind `locked` when it is another passphrase; ``HomeError`` before the start.
  public func unlock(with passphrase: SecretBytes) async throws {
    guard isRunning, let loaded else { throw HomeError(.state, "the home does not run") }
    try await luna.unlock(with: passphrase)
    try await adopt(loaded)
    makeClassed()
    tellFirmware()
    unlocking.radio.ring()
    unlocking.backend.ring()
    publisher?.adopt(loaded.configuration, snapshot().trackers, sources: sources)
    tell(.config)
  }

  /// Finds the devices of a file's trackers.
  private func adopt(_ loaded: LoadedHome) async throws {
    var known: [Device] = []
    do throws(DeviceStoreError) {
      known = try await luna.owner().allDevices()
      notice(.locked, nil)
    } catch {
      guard error.kind == .locked else { throw error }
      notice(
        .locked,
        "the keys of the trackers are locked: until somebody gives the passphrase nothing is listened to"
      )
    }
    let found = loaded.configuration.devices(among: known)
    let absent =
      isLocked
      ? []
      : loaded.configuration.trackers.filter { $0.device != nil && found[$0.id] == nil }
        .map(\.id)
    devices = found
    ear.adopt(loaded.configuration, found)
    watch.adopt(loaded.configuration, found)
    // One's own card, with which they are compared, is sealed as well.
    var complaints =
      await isLocked ? [] : takeCards(of: loaded.configuration.notifications.contacts)
    if !absent.isEmpty {
      complaints.insert(
        "no device is there for the trackers \(absent.joined(separator: ", "))", at: 0)
    }
    if let leftOut = loaded.leftOut { complaints.append(leftOut) }
    notice(.unusable, complaints.isEmpty ? nil : complaints.joined(separator: "; "))
  }
}
