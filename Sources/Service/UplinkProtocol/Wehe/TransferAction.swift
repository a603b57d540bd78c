/// What is to be done for the data of a replay. Flows have the numbers of ``ReplayTransfer/flows``.
public enum TransferAction: Hashable, Sendable {
  /// Send this, over UDP to that end, and say when it has gone.
  case send([UInt8], on: Int, to: RecordedEndpoint)
  /// Close all flows.
  case finish(TransferEnd)
}
