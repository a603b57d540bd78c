/// A moment by the wall clock and by the time since the machine started, µs. Durations count in the
/// latter, which nobody sets.
public struct Moment: Hashable, Sendable, Codable {
  /// Microseconds since 1970.
  public var wall: Int64
  /// Microseconds since the machine started.
  public var boot: Int64

  /// A moment by both clocks, µs, read together.
  public init(wall: Int64, boot: Int64) {
    self.wall = wall
    self.boot = boot
  }

  var seconds: Int64 { wall >= 0 ? wall / 1_000_000 : (wall - 999_999) / 1_000_000 }
}
