import Bluetooth
import Luna
package import LunaCore
import LunaOnboarder
package import LunaProtocol
package import LunaStore

// Making a tracker one's own.

extension LunaHome {
  /// What commands call it.
  package static let onboarding = "onboard"

  /// Makes the tracker one's own that a code belongs to, with the radio of the home.
  ///
  /// - Parameter keep: gets the uuid and the name of the device, and gives the id of the tracker that it is
  ///   from then on.
  /// - Throws: ``HomeError`` of kind `action` while another one is under way.
  /// - Returns: the command as it begins; how it goes on is told by ``changes()``.
  package func onboard(
    _ code: OnboardingCode, name: String?,
    keep: @escaping @Sendable (String, String) async throws -> String
  ) async throws(HomeError) -> HomeCommandRow {
    guard isRunning else { throw HomeError(.state, "the home does not run") }
    guard !isLocked else {
      throw HomeError(.locked, "the keys of the trackers are locked", remedy: "unlock them first")
    }
    guard !isOnboarding else {
      throw HomeError(.action, "another tracker is being onboarded", remedy: "wait for its end")
    }
    isOnboarding = true
    lastDeed += 1
    let (number, time) = (lastDeed, now.wall)
    let row = HomeCommandRow(
      id: "\(time)-\(number)", tracker: "", action: LunaHome.onboarding, value: nil, state: "begun",
      time: time, changed: time)
    await note(row)
    let request = OnboardingRequest(code: code, name: name)
    deeds[number] = Task { [weak self] in
      await self?.onboard(request, row, keep)
      await self?.endOnboarding(number)
    }
    return row
  }

  private func endOnboarding(_ number: Int) {
    isOnboarding = false
    end(number)
  }

  private func onboard(
    _ request: OnboardingRequest, _ begun: HomeCommandRow,
    _ keep: @Sendable (String, String) async throws -> String
  ) async {
    var row = begun
    let (progress, inlet) = AsyncStream<OnboardingProgress>.makeStream()
    async let outcome = LunaHome.result(luna.onboarder(), request, inlet)
    for await step in progress {
      guard let state = LunaHome.word(step) else { continue }
      row.state = state
      await note(row)
    }
    do {
      let device = try await outcome.get()
      let id = try await keep(device.uuid.description, device.name)
      await note(
        HomeCommandRow(
          id: row.id, tracker: id, action: row.action, value: nil, state: "done", time: row.time,
          changed: row.changed))
    } catch {
      let error = error as? OnboardingError
      row.state = error?.kind == .stopped ? "interrupted" : "failed"
      row.detail =
        error.map { "\($0.diagnosis)" } ?? "the tracker is one's own, and is not in the list"
      await note(row, code: error?.kind.rawValue)
    }
  }

  private static func result(
    _ onboarder: LunaOnboarder, _ request: OnboardingRequest,
    _ inlet: AsyncStream<OnboardingProgress>.Continuation
  ) async -> Result<Device, OnboardingError> {
    defer { inlet.finish() }
    do throws(OnboardingError) {
      return .success(try await onboarder.onboard(request) { inlet.yield($0) })
    } catch {
      return .failure(error)
    }
  }

  /// A step as commands call it; nil for one that says nothing to people who wait.
  private static func word(_ step: OnboardingProgress) -> String? {
    switch step {
    case .listening: "listening"
    case .locked: "locked"
    case .connecting: "connecting"
    case .agreeing: "agreeing"
    case .finishing: "finishing"
    case .resolving: "resolving"
    case .asking: "asking"
    case .detail, .discarded: nil
    }
  }

  /// Forgets what a tracker was: its values, where it was, and what was asked of it.
  package func forgetHistory(of tracker: String) async throws(DeviceStoreError) {
    // Also where it was last, and what waits to be kept.
    engine?.forget(tracker)
    toldFixes[tracker] = nil
    pending.points.removeAll { $0.tracker == tracker }
    pending.positions.removeAll { $0.tracker == tracker }
    markPending()
    try await store?.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.forget(tracker)
    }
  }

  /// Forgets the keys of a device: without a copy nobody can ever read where it was, or tell it anything.
  ///
  /// - Returns: whether there was such a one.
  package func forgetDevice(_ uuid: String) async throws(DeviceStoreError) -> Bool {
    let owner = luna.owner()
    guard
      let device = try await owner.allDevices().first(where: {
        $0.uuid.description.lowercased() == uuid.lowercased()
      })
    else { return false }
    return try await owner.forgetDevice(device)
  }
}
