import Bluetooth

/// The one radio of a ``Luna``: it is opened for the first who listens and closed after the last; all
/// hear the same, and connect with it. So the finder, the scan, the buzzer and the onboarder work at
/// the same time also where a path has room for one only: `exclusive` and `h4:`.
///
/// It scans as the most demanding of its listeners wants. A recording is not shared: everybody reads it
/// for themselves.
actor SharedRadio: GATTClient {
  private let provider: any RadioProvider
  private var listeners: [SharedSource] = []
  /// The radio that is open or being opened, and how it scans.
  private var present: (radio: Radio, mode: ScanMode)?
  /// Whether the present radio delivers.
  private var isOpen = false
  /// When it listens.
  private var rhythm = ScanRhythm.steady
  /// Brings what is heard to the listeners, and what becomes of the radio.
  private var helpers: [Task<Void, Never>] = []
  /// The opening or closing that goes on: there is one at a time.
  private var change: Task<Result<Void, SourceError>, Never>?
  /// Whether the last listener left while the radio was being opened.
  private var isUnwanted = false

  init(_ provider: any RadioProvider) { self.provider = provider }

  /// Something to listen with, not started.
  ///
  /// - Parameters:
  ///   - mode: whether its user wants scan responses.
  ///   - otherwise: what its user does with where the radio cannot scan so, or may not.
  nonisolated func makeSource(
    _ mode: ScanMode, otherwise: ScanMode? = nil
  ) throws(SourceError) -> any AdvertisementSource {
    if provider.air.isRecorded { return try provider.makeRadio(mode).source }
    return SharedSource(self, mode, otherwise: otherwise)
  }

  /// Somebody begins to listen; returns when the radio delivers.
  func join(_ listener: SharedSource) async throws(SourceError) {
    listeners.append(listener)
    while listeners.contains(where: { $0 === listener }) {
      if let change {
        _ = await change.value
      } else if isOpen, let present, present.mode.covers(listener.mode) {
        let source = present.radio.source
        if !listener.hears(source) { listener.hear(source, after: source.counters) }
        return await settle()
      } else {
        let mode = listeners.map(\.mode).first { $0 != .passive } ?? .passive
        do throws(SourceError) {
          try await perform { await $0.reopen(mode) }.value.get()
        } catch {
          if error.kind == .invalid || error.kind == .noPermission, listener.givesWay() { continue }
          listeners.removeAll { $0 === listener }
          throw error
        }
      }
    }
  }

  /// Somebody has enough; returns when the radio was let go of, if nobody else listens.
  func leave(_ listener: SharedSource) async {
    listeners.removeAll { $0 === listener }
    if let change {
      if listeners.isEmpty, !isOpen, let radio = present?.radio {
        // What is being opened is not wanted any more.
        isUnwanted = true
        await radio.client.close()
        await radio.source.stop()
      }
      _ = await change.value
    }
    await settle()
    guard listeners.isEmpty, change == nil, present != nil else { return }
    let shutting = perform { radio in
      await radio.shut()
      return .success(())
    }
    _ = await shutting.value
  }

  /// Has the radio listen as much as who wants most.
  func settle() async {
    while isOpen, let source = present?.radio.source,
      let wanted = listeners.map(\.rhythm).max(by: { $0.share < $1.share }), wanted != rhythm
    {
      if let change {
        _ = await change.value
      } else {
        let listening = perform { radio in
          radio.rhythm = wanted
          await source.listen(wanted)
          return .success(())
        }
        _ = await listening.value
      }
    }
  }

  /// Begins to change the radio, when nobody else does: without a pause, so that nobody begins between
  /// the caller's look and this.
  private func perform(
    _ body: @escaping @Sendable (isolated SharedRadio) async -> Result<Void, SourceError>
  ) -> Task<Result<Void, SourceError>, Never> {
    let task = Task {
      // Before anybody who waits goes on.
      defer { change = nil }
      return await body(self)
    }
    change = task
    return task
  }

  private func reopen(_ mode: ScanMode) async -> Result<Void, SourceError> {
    let before = present?.radio.source
    await shut()
    do throws(SourceError) {
      let radio = try provider.makeRadio(mode)
      present = (radio, mode)
      let states = radio.source.states
      helpers.append(
        Task { for await state in states { self.tell(state, of: radio) } })
      try await radio.source.start()
      guard !isUnwanted else {
        isUnwanted = false
        await shut()
        return .success(())
      }
      isOpen = true
      for listener in listeners { listener.hear(radio.source, after: SourceCounters()) }
      helpers.append(Task { await self.deliver(radio.source) })
      return .success(())
    } catch {
      isUnwanted = false
      if let description = present?.radio.source.description {
        for listener in listeners { listener.note(description) }
      }
      await shut()
      // Who heard the radio before has none now.
      if let before {
        for listener in listeners where listener.hears(before) { listener.end(error) }
      }
      return .failure(error)
    }
  }

  private func shut() async {
    guard let radio = present?.radio else { return }
    present = nil
    isOpen = false
    rhythm = .steady
    // The client goes before the source that it may share a controller with.
    await radio.client.close()
    await radio.source.stop()
    let helpers = helpers
    self.helpers = []
    for helper in helpers {
      helper.cancel()
      await helper.value
    }
  }

  private func deliver(_ source: any AdvertisementSource) async {
    var failure: SourceError?
    do throws(SourceError) {
      while let batch = try await source.nextBatch() {
        for listener in listeners { listener.take(batch) }
      }
    } catch {
      failure = error
    }
    // Otherwise another one takes its place.
    guard present?.radio.source === source else { return }
    isOpen = false
    for listener in listeners { listener.end(failure) }
  }

  private func tell(_ state: SourceState, of radio: Radio) {
    guard present?.radio.source === radio.source else { return }
    // Who begins to hear it is told when it is known what it is.
    guard isOpen || state != .scanning else { return }
    for listener in listeners { listener.tell(state) }
  }

  func connect(
    to peer: GATTPeer, _ limits: GATTLimits, progress: @escaping @Sendable (String) -> Void
  ) async throws(GATTError) -> any GATTConnection {
    while let change { _ = await change.value }
    guard isOpen, let radio = present?.radio else {
      throw GATTError(
        .adapterLost, during: "connect", "no scan is on: begin with startScanning() of Luna.local()"
      )
    }
    return try await radio.client.connect(to: peer, limits, progress: progress)
  }

  /// The radio goes with its last listener.
  func close() async {}
}

extension ScanMode {
  /// Whether who wants `other` is served by this.
  fileprivate func covers(_ other: ScanMode) -> Bool { self != .passive || other == .passive }
}
