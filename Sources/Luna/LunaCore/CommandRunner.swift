public import LunaProtocol

/// Who delivers control packages to trackers nearby: `LunaBuzzer`, for `LunaFinder`.
public protocol CommandRunner: Sendable {
  /// Delivers a package to a device that is heard, and says what came of it. Ends within a time limit
  /// of its own, whatever the tracker does.
  ///
  /// - Parameters:
  ///   - package: a deferred one, whose heid is that of the device's present frame.
  ///   - device: whom to; as it is updated while it is heard.
  func run(_ package: ControlPackage, on device: LocalDevice) async -> CommandOutcome
}
