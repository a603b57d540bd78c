import Synchronization

/// What has to be put away at the end, however that comes.
final class DemoStage: Sendable {
  typealias Act = @Sendable () async -> Void

  private let acts = Mutex<[Act]>([])

  /// Has something done at the end; what was asked for last is done first.
  func atEnd(_ act: @escaping Act) { acts.withLock { $0.append(act) } }

  /// Does it. Works in a task that was cancelled as well.
  func clear() async {
    let acts = acts.withLock { acts in
      defer { acts = [] }
      return acts
    }
    await Task { for act in acts.reversed() { await act() } }.value
  }
}
