public import Bluetooth
public import LunaProtocol

/// Delivers control packages to trackers nearby: `LunaBuzzer`, for `LunaFinder`. A call ends in
/// bounded time.
public protocol CommandRunner: Sendable {
  /// Connects to a tracker that was just heard, writes a package and waits for the answer.
  ///
  /// - Parameter peer: the address from which the frame with the package's heid came.
  func run(_ package: ControlPackage, at peer: GATTPeer) async -> CommandAnswer
}
