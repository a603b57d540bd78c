/// The data of a replay as a machine (UPLINK.md, 5.2): events go in, actions come out. It waits for nothing and
/// opens nothing itself.
///
/// Times are in s from its beginning, which is when all flows are open.
public protocol ReplayTransfer: Sendable {
  /// What it goes over.
  var flows: [TransferFlow] { get }
  /// When it wants to hear that time is over.
  var deadline: Double { get }
  /// What has come so far.
  var reads: ReplayReads { get }

  /// How many bytes may be read from a flow now. A server that sends more waits for them to be wanted.
  func wanted(on flow: Int) -> Int

  /// Takes an event.
  mutating func take(_ event: TransferEvent, at time: Double) -> [TransferAction]
}
