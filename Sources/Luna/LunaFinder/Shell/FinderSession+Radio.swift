import Bluetooth
import LunaCore
import LunaProtocol
import Synchronization

/// The radio, and what it hears.
extension FinderSession {
  /// The name of the source that is on.
  var sourceName: String? { radio?.source.description.name }

  func listen(_ duty: ScanDuty) {
    let before = listening
    let last = radio
    radio = nil
    // Now: one whose turn has just come would turn a radio on that nobody knows of who waits for its end.
    before?.cancel()
    listening = Task { [weak self] in
      await last?.close()
      await last?.source.stop()
      await before?.value
      await self?.keepListening(duty)
    }
  }

  func stopListening() async {
    listening?.cancel()
    await radio?.close()
    await radio?.source.stop()
    await listening?.value
    listening = nil
  }

  private func keepListening(_ duty: ScanDuty) async {
    let radio: FinderRadio
    do {
      radio = try parts.makeRadio(duty)
    } catch {
      if !Task.isCancelled { await fail(error) }
      return
    }
    guard !Task.isCancelled else { return }
    self.radio = radio
    counted = SourceCounters()
    health.begin()
    let source = radio.source
    tally.withLock { $0.turn(to: source) }
    let watch = watch(source)
    let losses = LossWatch(source, clock: parts.clock) { [weak self] losses in
      for (reason, count) in losses { await self?.lose(reason, Int(clamping: count)) }
    }
    losses.start()
    var failure: SourceError?
    do throws(SourceError) {
      if !parts.isRecording { await source.listen(duty.rhythm) }
      try await source.start()
      tell(.listening(source.description, duty))
      try await hear(source, losses)
    } catch {
      failure = error
      health.end(because: error)
      if !Task.isCancelled, !isLost {
        state = .lost(adapter: FinderSession.adapter(of: source), reason: "\(error)")
      }
    }
    await radio.close()
    await source.stop()
    await losses.finish()
    countHealth(of: source)
    watch.cancel()
    guard !Task.isCancelled else { return }
    // A source that ends by itself: a recording.
    if let failure { await fail(failure) } else { Task { await self.end() } }
  }

  /// Tells what becomes of the adapter.
  private func watch(_ source: any AdvertisementSource) -> Task<Void, Never> {
    Task { [weak self] in
      for await state in source.states { await self?.take(state, of: source) }
    }
  }

  private func take(_ state: SourceState, of source: any AdvertisementSource) {
    // One that was let go of has nothing to tell.
    guard !Task.isCancelled, radio?.source === source, !isLost else { return }
    lastSign = parts.clock.elapsed()
    let adapter = FinderSession.adapter(of: source)
    switch state {
    case .starting, .paused: break
    case .scanning: self.state = .listening(adapter: adapter)
    case .recovering(let reason): self.state = .recovering(adapter: adapter, reason: reason)
    case .recovery(let step): tell(.recovery(step))
    case .lost(let reason): self.state = .lost(adapter: adapter, reason: reason)
    }
  }

  /// As it is called in the lines of all that listen.
  private static func adapter(of source: any AdvertisementSource) -> String {
    source.description.adapter ?? source.description.name
  }

  var isLost: Bool { if case .lost? = state { true } else { false } }

  /// Counts what the radio has seen and lost as the gateway's health.
  func countHealth() {
    if let radio { countHealth(of: radio.source) }
  }

  private func countHealth(of source: any AdvertisementSource) {
    let counters = source.counters
    var news = counters
    news.subtract(counted)
    health.count(news)
    counted = counters
  }

  private func hear(
    _ source: any AdvertisementSource, _ losses: LossWatch
  ) async throws(SourceError) {
    while let batch = try await source.nextBatch() {
      losses.heard()
      await receive(batch)
      if Task.isCancelled { return }
    }
    await take(recordedTimes.finish())
  }

  private func receive(_ batch: [AdvertisingReport]) async {
    heard += batch.count
    lastSign = parts.clock.elapsed()
    if parts.telemetry != nil { health.hear(batch, at: lastSign) }
    await take(parts.isRecording ? recordedTimes.take(batch) : batch)
  }

  private func take(_ reports: [AdvertisingReport]) async {
    var actions: [FinderAction] = []
    var untimed = 0
    for report in reports {
      let hasTime = !parts.isRecording || report.time != .unknown
      if parts.isRecording, hasTime {
        if recorded == nil { recorded = RecordedClock(report.time) }
        recorded?.advance(to: report.time)
      }
      if hasTime { census?.take(report, at: moment.now) }
      guard
        let event = FrameReader.event(
          report, companies: configuration.companies, regions: configuration.regions)
      else { continue }
      if hasTime { actions += handle(event) } else { untimed += 1 }
    }
    await perform(actions)
    if untimed > 0 { await lose(DropReason.untimed, untimed) }
  }
}
