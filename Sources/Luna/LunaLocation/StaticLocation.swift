public import LunaCore

/// A machine that does not move.
public final class StaticLocation: LocationSource {
  /// One fix.
  public let updates: AsyncStream<LocationUpdate>
  private let continuation: AsyncStream<LocationUpdate>.Continuation
  private let fix: LocationFix

  /// A place; a time of measurement is left out, since it never grows old.
  public init(_ fix: LocationFix) {
    var fix = fix
    fix.measuredAt = nil
    self.fix = fix
    (updates, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// The coordinates.
  public var description: String { "a fixed place, \(fix.latitude), \(fix.longitude)" }

  /// Tells the place.
  public func start() async { continuation.yield(.fix(fix)) }

  /// Ends.
  public func stop() async { continuation.finish() }
}
