/// Carries ATT PDUs between this side of a link and the other: an LE link of an HCI controller, or a
/// socket of the kernel. It belongs to a thread (a reactor's), on which everything here is called
/// and on which it calls its owner.
public protocol ATTBearer: AnyObject, Sendable {
  /// Names the owner, once, before anything is sent. PDUs that came before are handed over now.
  func start(_ owner: any ATTBearerOwner)

  /// Sends a PDU. It waits its turn when the controller is busy; when the link is down it is
  /// forgotten.
  func send(_ pdu: [UInt8])

  /// Whether so many PDUs wait that more should only be sent after
  /// ``ATTBearerOwner/bearerIsReady()``.
  var isCongested: Bool { get }

  /// Ends the link. The owner is told when it is down, at the latest after a few seconds; nothing is
  /// received any more. Can be called more than once.
  func close()
}
