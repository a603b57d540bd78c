import Glibc
import LunaCore

/// Where a gateway is that is carried around: on a bicycle, once around the Tiergarten in Berlin.
final class DemoWalk: LocationSource, LocationProvider {
  typealias Place = (latitude: Double, longitude: Double)

  private static let corners: [Place] = [
    (52.51628, 13.37770), (52.51860, 13.37610), (52.51850, 13.36500), (52.51450, 13.35010),
    (52.51120, 13.35420), (52.51090, 13.36910), (52.51220, 13.37640), (52.51628, 13.37770),
  ]
  /// m/s.
  static let speed = 3.5
  /// How long it takes, s.
  static let duration = legs.reduce(0) { $0 + $1.length } / speed

  /// From one corner to the next: how far in m, and where to in degrees from north.
  private static let legs: [(from: Place, to: Place, length: Double, course: Double)] = zip(
    corners, corners.dropFirst()
  ).map { from, to in
    // Small enough to be flat.
    let metres = 6_371_000 * Double.pi / 180
    let north = (to.latitude - from.latitude) * metres
    let east = (to.longitude - from.longitude) * metres * cos(from.latitude * Double.pi / 180)
    let course = atan2(east, north) * 180 / Double.pi
    return (
      from, to, (north * north + east * east).squareRoot(), course < 0 ? course + 360 : course
    )
  }

  let description = "a ride around the Tiergarten"
  let updates: AsyncStream<LocationUpdate>
  private let continuation: AsyncStream<LocationUpdate>.Continuation
  private let rider: Task<Void, Never>

  /// A ride that began at some moment, s ago.
  init(clock: WallClock, elapsed: @escaping @Sendable () -> Double) {
    let (updates, continuation) = AsyncStream.makeStream(
      of: LocationUpdate.self, bufferingPolicy: .bufferingNewest(4))
    self.updates = updates
    self.continuation = continuation
    rider = Task {
      repeat {
        var fix = DemoWalk.fix(after: elapsed())
        fix.measuredAt = clock.now()
        continuation.yield(.fix(fix))
      } while (try? await clock.sleep(.seconds(1))) != nil
    }
  }

  /// Where it is after so many seconds; at the end it stays there.
  static func fix(after seconds: Double) -> LocationFix {
    var way = min(max(0, seconds * speed), legs.reduce(0) { $0 + $1.length })
    var leg = legs[0]
    for next in legs {
      leg = next
      if way <= next.length { break }
      way -= next.length
    }
    let share = min(1, way / leg.length)
    return LocationFix(
      latitude: leg.from.latitude + (leg.to.latitude - leg.from.latitude) * share,
      longitude: leg.from.longitude + (leg.to.longitude - leg.from.longitude) * share,
      altitude: 74,
      // As a receiver would say it: better at the open corners than under trees.
      horizontalAccuracy: 5 + 20 * (0.5 - abs(share - 0.5)), speed: speed, course: leg.course,
      isSimulated: true)
  }

  func start() async {}

  func stop() async {
    rider.cancel()
    continuation.finish()
  }
}
