import Diagnosis
import EventLoop
public import UplinkProtocol

/// A client of Wehe's servers over TCP and UDP (UPLINK.md, 5). What is said beside the data is plain, or goes over TLS
/// to a server for which an authority of its own vouches.
public struct WeheClient: Sendable {
  /// Where it goes.
  public let server: ServerAddress
  /// The file of the authority (PEM) that vouches for the server, whatever its name is; nil where nothing is encrypted.
  public let authorities: String?
  /// The port of the side channel.
  public var sideChannelPort: UInt16
  /// The port where results are asked for.
  public var resultsPort: UInt16
  /// Whether packets go no earlier than they were recorded.
  public var isTimed = true
  /// How long a replay is said to take, s, for buckets as the original makes them; nil for ours.
  public var nominalSeconds: Double?
  /// How many bytes a replay may receive before it is ended; nil for any number.
  public var byteLimit: Int?
  /// Is told how far it has come with the server.
  package var progress: @Sendable (Step) -> Void = { _ in }

  /// A client of a server, at the usual ports.
  ///
  /// - Parameter authorities: the file of the authority (PEM) that vouches for it; nil for a server without TLS.
  public init(_ server: ServerAddress, authorities: String? = nil) {
    self.server = server
    self.authorities = authorities
    sideChannelPort = authorities == nil ? 55_555 : 55_556
    resultsPort = authorities == nil ? 56_565 : 56_566
  }

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
