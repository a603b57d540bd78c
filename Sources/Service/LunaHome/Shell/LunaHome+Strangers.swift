import Diagnosis
import Luna
import LunaBuzzer
import LunaDocuments
import LunaJSON
package import LunaStore
import LunaWatch

// What is asked of a tracker of somebody else that stays with the box, once it is near.

extension LunaHome {
  /// What commands call making one sound.
  package static let ringing = "ringSuspect"
  /// What commands call asking one what it is.
  package static let identifying = "identifySuspect"
  /// How long it sounds at most: as by `luna buzz --any`.
  private static let sound = Duration.seconds(12)

  /// How far that is.
  private enum StrangerStep {
    case state(String, detail: String = "")
    case identity(TrackerIdentity)
  }

  /// Makes a tracker of somebody else sound, as soon as it is heard.
  ///
  /// - Throws: ``HomeError`` of kind `notFound`; of kind `action` where its family obeys nobody but its owner, where its
  ///   keys are here, and while another one is approached; of kind `locked`.
  /// - Returns: the command as it begins; how it goes on is told by ``changes()``.
  package func ring(suspect id: String) async throws(HomeError) -> HomeCommandRow {
    try await approach(id, .ring)
  }

  /// Asks a tracker of somebody else what it is, as soon as it is heard. What it tells is kept with what speaks for its
  /// following somebody.
  ///
  /// - Throws: ``HomeError`` as ``ring(suspect:)``.
  /// - Returns: the command as it begins.
  package func identify(suspect id: String) async throws(HomeError) -> HomeCommandRow {
    try await approach(id, .identify)
  }

  private func approach(
    _ id: String, _ wish: StrangerWish
  ) async throws(HomeError) -> HomeCommandRow {
    guard isRunning else { throw HomeError(.state, "the home does not run") }
    guard !isLocked else {
      throw HomeError(.locked, "the keys of the trackers are locked", remedy: "unlock them first")
    }
    watch.refresh(at: now.wall)
    let known = try watch.known(id)
    guard known.exclusion == nil else {
      throw HomeError(
        .action, "its keys are here", remedy: "ring it as one of the trackers of this home")
    }
    if let family = known.identifiers.last?.family, let refusal = wish.refusal(of: family) {
      throw HomeError(.action, refusal, remedy: "look for it by its signal")
    }
    guard strangerEar == nil else {
      throw HomeError(.action, "another tracker is being approached", remedy: "wait for its end")
    }
    let ear = SuspectEar(known.identifiers)
    strangerEar = ear
    lastDeed += 1
    let (number, time) = (lastDeed, now.wall)
    let action =
      switch wish {
      case .ring: LunaHome.ringing
      case .identify: LunaHome.identifying
      }
    let row = HomeCommandRow(
      id: "\(time)-\(number)", tracker: id, action: action, value: nil, state: "begun",
      time: time, changed: time)
    await note(row)
    deeds[number] = Task { [weak self] in
      await self?.approach(ear, wish, row)
      await self?.endApproach(number)
    }
    return row
  }

  private func endApproach(_ number: Int) {
    strangerEar = nil
    end(number)
  }

  private func approach(_ ear: SuspectEar, _ wish: StrangerWish, _ begun: HomeCommandRow) async {
    var row = begun
    let (steps, inlet) = AsyncStream<StrangerStep>.makeStream()
    let ringer = luna.ringer(
      hearing: { await ear.next(within: $0) },
      progress: { if let step = LunaHome.step($0) { inlet.yield(step) } })
    async let outcome = LunaHome.result(ringer, wish, inlet)
    for await step in steps {
      switch step {
      case .state(let state, let detail):
        (row.state, row.detail) = (state, detail)
        await note(row)
      case .identity(let identity):
        watch.note(LunaHome.json(identity, at: now.wall), of: row.tracker)
        keepSuspects()
      }
    }
    do throws(BuzzerError) {
      try await outcome.get()
      row.state = "done"
      await note(row)
    } catch {
      let error = error.considering(ear.lastReport)
      row.state = error.kind == .stopped ? "interrupted" : "failed"
      row.detail = error.reason
      await note(row, code: error.kind.rawValue)
    }
  }

  private static func result(
    _ ringer: NonOwnerRinger, _ wish: StrangerWish,
    _ inlet: AsyncStream<StrangerStep>.Continuation
  ) async -> Result<Void, BuzzerError> {
    defer { inlet.finish() }
    do throws(BuzzerError) {
      switch wish {
      case .ring: try await ringer.ring(for: sound) { inlet.yield(step($0)) }
      case .identify:
        try await ringer.identify {
          // Its encrypted identifier wants a button pressed, and helps nobody here.
          if case .known(let identity) = $0 { inlet.yield(.identity(identity)) }
        }
      }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  /// A step as commands call it; nil for one that says nothing to people who wait.
  private static func step(_ progress: BuzzerProgress) -> StrangerStep? {
    switch progress {
    case .waiting: .state("listening")
    case .connecting: .state("connecting")
    case .connected: .state("asking")
    case .sent, .retrying, .detail: nil
    }
  }

  private static func step(_ news: RingNews) -> StrangerStep {
    switch news {
    case .sounding(_, let isConfirmed):
      .state("sounding", detail: isConfirmed ? "" : "it does not say so, and stops by itself")
    case .ended(let isConfirmed):
      .state("silent", detail: isConfirmed ? "" : "it did not confirm that it is silent")
    case .lost(let reason):
      .state("lost", detail: "\(reason); the sound ends by itself within 30 s")
    }
  }

  /// What a tracker has told of itself, with when.
  private static func json(_ identity: TrackerIdentity, at time: Int64) -> JSONValue {
    let buffer = OutputBuffer()
    var writer = JSONFieldWriter("identity", in: buffer)
    writer.string("time", HomeTime.text(time))
    IdentityDocument.write(identity, to: &writer)
    writer.endLine()
    return (try? JSONReader.read(buffer.take())) ?? .null
  }
}
