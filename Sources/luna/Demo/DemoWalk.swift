import LunaCore

/// A gateway that is carried around: once around the Tiergarten in Berlin, faster than anybody walks.
final class DemoWalk: LocationSource {
  private static let corners: [(latitude: Double, longitude: Double)] = [
    (52.51628, 13.37770), (52.51860, 13.37610), (52.51850, 13.36500), (52.51450, 13.35010),
    (52.51120, 13.35420), (52.51090, 13.36910), (52.51220, 13.37640), (52.51628, 13.37770),
  ]
  /// Seconds from one corner to the next.
  private static let pace = 12.0

  let description = "a walk around the Tiergarten"
  let updates: AsyncStream<LocationUpdate>
  private let continuation: AsyncStream<LocationUpdate>.Continuation
  private let walker: Task<Void, Never>

  init(clock: WallClock = .system) {
    let (updates, continuation) = AsyncStream.makeStream(
      of: LocationUpdate.self, bufferingPolicy: .bufferingNewest(4))
    self.updates = updates
    self.continuation = continuation
    walker = Task {
      var seconds = 0.0
      repeat {
        continuation.yield(.fix(DemoWalk.fix(seconds, clock)))
        seconds += 1
      } while (try? await clock.sleep(.seconds(1))) != nil
    }
  }

  private static func fix(_ seconds: Double, _ clock: WallClock) -> LocationFix {
    let legs = Double(corners.count - 1)
    let way = (seconds / pace).truncatingRemainder(dividingBy: legs)
    let (leg, share) = (Int(way), way - Double(Int(way)))
    let (from, to) = (corners[leg], corners[leg + 1])
    // As a receiver would say it: better under the open sky than under trees.
    return LocationFix(
      latitude: from.latitude + (to.latitude - from.latitude) * share,
      longitude: from.longitude + (to.longitude - from.longitude) * share, altitude: 74,
      horizontalAccuracy: 5 + 20 * (0.5 - abs(share - 0.5)), measuredAt: clock.now(),
      isSimulated: true)
  }

  func start() async {}

  func stop() async {
    walker.cancel()
    continuation.finish()
  }
}
