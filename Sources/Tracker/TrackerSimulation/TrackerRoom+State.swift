public import LunaProtocol
public import LunaTracker
import TrackerMachine

extension TrackerRoom {
  /// A room with the LunaTrackers of a seed and those of a state directory.
  ///
  /// Who has a tracker of one's own that waits to be onboarded means that: the one of the seed is
  /// left out then.
  ///
  /// - Parameters:
  ///   - seed: what chance decides; also who is there.
  ///   - state: the state directory of this user.
  ///   - leaveOut: gets which tracker is not there, and why: its flash cannot be read, or another
  ///     process runs it.
  /// - Throws: ``LunaTracker/TrackerError`` when the directory is there and cannot be read, or
  ///   libcrypto fails.
  public convenience init(
    seed: UInt64, state: String, time: ProtocolTime = .real,
    tell: @escaping NewsHandler = { _ in }, fail: @escaping FailureHandler = { _, _ in },
    leaveOut: FailureHandler
  ) throws(TrackerError) {
    var flashes: [TrackerFlash] = []
    for name in try TrackerFlash.names(in: state) {
      do throws(TrackerError) {
        flashes.append(try TrackerFlash(name: name, state: state))
      } catch {
        leaveOut(name, error)
      }
    }
    let isOneWaiting = flashes.contains { flash in
      guard let image = try? flash.load() else { return false }
      return image.record.ownership == nil
    }
    try self.init(
      seed: seed, demoKinds: isOneWaiting ? [.own, .foreign] : [.own, .foreign, .factory],
      time: time, tell: tell, fail: fail)
    for flash in flashes {
      do throws(TrackerError) {
        try add(flash)
      } catch {
        leaveOut(flash.name, error)
      }
    }
  }
}
