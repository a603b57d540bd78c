package import Bluetooth
package import LunaCore
import LunaProtocol

extension LunaBuzzer {
  /// Sets the clock of one of the owner's trackers to the owner's time. A ring of somebody with whom it is shared may
  /// have a counter ahead of that time: then it is waited for until the time has passed it (SHARING.md, 1).
  ///
  /// - Parameters:
  ///   - patience: how long it waits at most.
  ///   - limits: says how long things may take, each time; nil for those of ``configuration``.
  ///   - progress: gets how far it has come.
  ///   - waits: gets until when it waits, in the owner's time.
  /// - Throws: ``BuzzerError``; where that is longer than `patience`, at once, and it says until when.
  /// - Returns: what the tracker answered, with the status `done`.
  package func setClock(
    of device: LocalDevice, patience: Duration,
    limits: @Sendable () -> BuzzerLimits? = { nil }, progress: @escaping ProgressHandler = { _ in },
    waits: @Sendable (Timestamp) -> Void = { _ in }
  ) async throws(BuzzerError) -> ControlReceipt {
    let end = clock.elapsed() + patience
    while true {
      do throws(BuzzerError) {
        return try await send(.setClock, to: device, limits: limits(), progress: progress)
      } catch {
        guard let time = error.possibleAt else { throw error }
        let pause = pause(until: time)
        guard clock.elapsed() + pause <= end else { throw error }
        waits(time)
        guard (try? await clock.sleep(pause)) != nil else { throw .stopped }
      }
    }
  }

  /// How long it is until a moment of the owner's time, which may go faster than that of this machine.
  private func pause(until time: Timestamp) -> Duration {
    let now = clock.now()
    let protocolNow = configuration.protocolTime(now)
    let later = configuration.protocolTime(Timestamp(microseconds: now.microseconds + 1_000_000))
    let speed = max(1, (later.microseconds - protocolNow.microseconds) / 1_000_000)
    let left = max(0, time.microseconds - protocolNow.microseconds) / speed
    return .microseconds(left) + .milliseconds(1)
  }
}
