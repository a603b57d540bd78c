import Bluetooth
import Diagnosis
import Luna
import LunaCore
import LunaDocuments
import LunaFinder
import LunaJSON
import LunaLocal

// Listening: one scan, whose batches go to all that want them.

extension LunaHome {
  /// The longest wait before a radio that did not work is tried again.
  private static let longestPause = Duration.seconds(60)

  /// For so long a receiver may lose its fix before that is said.
  private static let lostPosition = Duration.seconds(60)

  func startTasks() {
    tasks.append(Task { [weak self] in await self?.listen() })
    tasks.append(Task { [weak self] in await self?.mindTime() })
    tasks.append(Task { [weak self] in await self?.mindHistory() })
    tasks.append(Task { [weak self] in await self?.mindDisk() })
    tasks.append(Task { [weak self] in await self?.mindClocks() })
    tasks.append(Task { [weak self] in await self?.mindUplink() })
    tasks.append(Task { [weak self] in await self?.locate() })
    tasks.append(Task { [weak self] in await self?.fetch() })
  }

  /// Listens until the home ends, beginning anew whenever the radio is lost.
  private func listen() async {
    var pause = Duration.seconds(1)
    while isRunning, !Task.isCancelled {
      guard !isLocked else {
        await unlocking.radio.wait(for: .seconds(3600), by: clock)
        continue
      }
      do {
        isListeningAnew = false
        // All of them: another file may name one that this one does not.
        let scan = try await luna.local().scan(try await luna.owner().allDevices())
        try await scan.start()
        guard isRunning else { return await scan.stop() }
        let began = clock.elapsed()
        set(radio: .works, scan.description.explanation, scan.description.simulated)
        take([.receiver(isScanning: true)])
        let states = scan.states
        let watcher = Task { [weak self] in
          for await state in states { await self?.take(state) }
        }
        defer { watcher.cancel() }
        let adapter = scan.description.adapter ?? ""
        while let batch = try await scan.nextBatch() {
          let updates = scan.follow(batch)
          take(batch, updates, adapter)
        }
        await scan.stop()
        if isListeningAnew { continue }
        lose("the radio has ended")
        if clock.elapsed() - began > .seconds(60) { pause = .seconds(1) }
      } catch {
        lose((error as? SourceError)?.toldInHome ?? "\(error)")
      }
      guard isRunning, !Task.isCancelled else { return }
      try? await clock.sleep(pause)
      pause = min(pause * 2, LunaHome.longestPause)
    }
  }

  private func take(_ batch: [AdvertisingReport], _ updates: [LocalUpdate], _ adapter: String) {
    let inputs = ear.inputs(batch, updates, adapter: adapter, box: box, at: now)
    let found = ear.models.take()
    if !found.isEmpty { adopt(found) }
    take(inputs)
    strangerEar?.take(batch)
    watch.take(batch, updates)
    tellSuspects()
  }

  /// Takes what became of the radio. A restart that the controller confirmed is as good as somebody who is heard.
  func take(_ state: SourceState) {
    switch state {
    case .scanning:
      set(radio: .works, radio.text, radio.isSimulated)
      take([.receiver(isScanning: true)])
    case .recovery(let step) where step.kind == .scan && step.outcome == .done: take([.alive])
    case .recovering(let reason): lose(reason)
    case .lost(let reason): lose(reason)
    case .starting, .paused, .recovery: break
    }
  }

  private func lose(_ reason: String) {
    guard isRunning else { return }
    let wasLost = radio.state == .lost
    set(radio: .lost, reason, radio.isSimulated)
    take([.receiver(isScanning: false)] + (wasLost ? [] : [.system("radioLost")]))
  }

  private func set(radio state: HomeLink.State, _ text: String, _ isSimulated: Bool) {
    guard radio.state != state || radio.text != text else { return }
    radio = HomeLink(state: state, text: text, since: now.wall, isSimulated: isSimulated)
    tell(.link("radio", radio))
  }

  /// Keeps the medians of what was heard.
  func flushSignals(all: Bool) {
    let now = now
    for median in ear.takeMedians(at: now, all: all) {
      keep("rssi", of: median.tracker, .integer(Int64(median.rssi)), at: now.wall)
    }
  }

  /// Follows where the box is, where the file says how.
  private func locate() async {
    guard loaded?.file.setup.location != nil,
      let source = try? luna.settings.location.makeSource(accuracy: nil, clock: clock)
    else { return }
    await source.start()
    let updates = source.updates
    var known: Duration?
    for await update in updates {
      guard isRunning, !Task.isCancelled else { break }
      let fix: LocationFix
      switch update {
      case .fix(let found): fix = found
      case .refused(let refusal):
        missLocation(refusal.sentence, since: known)
        continue
      case .unavailable(let reason):
        missLocation(reason, since: known)
        continue
      }
      known = clock.elapsed()
      notice(.unlocated, nil)
      box = fix
      watch.move(to: fix, at: clock.now())
      take([
        .fix(
          tracker: "self",
          Fix(
            latitude: fix.latitude, longitude: fix.longitude,
            // A place that somebody wrote down is where it is.
            accuracy: fix.horizontalAccuracy ?? (fix.measuredAt == nil ? 0 : nil),
            time: (fix.measuredAt ?? clock.now()).microseconds, report: "box-\(now.wall)"))
      ])
    }
    await source.stop()
  }

  /// Says why it is not known where the box is.
  ///
  /// - Parameter known: when it was known last; nil for never.
  private func missLocation(_ reason: String, since known: Duration?) {
    if let known, clock.elapsed() - known < LunaHome.lostPosition { return }
    notice(.unlocated, "it is not known where this box is, so no trip is seen: \(reason)")
  }
}

extension SourceError {
  /// What is wrong and what to do; of an adapter, also what finds out more.
  var toldInHome: String {
    switch kind {
    case .noAdapter, .noPermission, .off, .busy, .lost:
      let more: Remedy = "\(.doctor) finds out more"
      let advice: Remedy = remedy.map { "\($0); \(more)" } ?? more
      return "\(diagnosis.problem); \(advice)"
    case .unreadable, .invalid: return description
    }
  }
}
