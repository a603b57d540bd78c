import Diagnosis
import EventLoop
public import UplinkProtocol

/// A client of Wehe's servers over plain TCP and UDP (UPLINK.md, 5).
public struct WeheClient: Sendable {
  /// Where it goes.
  public let server: ServerAddress
  /// The port of the side channel.
  public var sideChannelPort: UInt16 = 55_555
  /// The port where results are asked for.
  public var resultsPort: UInt16 = 56_565
  /// Whether packets go no earlier than they were recorded.
  public var isTimed = true
  /// How long a replay is said to take, s, for buckets as the original makes them; nil for ours.
  public var nominalSeconds: Double?

  /// A client of a server.
  public init(_ server: ServerAddress) { self.server = server }

  /// Makes a replay. A task that is cancelled ends it in order.
  public func replay(_ plan: ReplayPlan) async -> ReplayRecord {
    guard let end = EndSignal() else {
      let error = ReplayError(
        .connect, "there are no descriptors left", remedy: "allow more open files (ulimit -n)")
      return ReplayRecord(.failed(error))
    }
    return await withTaskCancellationHandler {
      await Blocking.run { ReplayRun(self, plan, end).run() }
    } onCancel: {
      end.call()
    }
  }
}
