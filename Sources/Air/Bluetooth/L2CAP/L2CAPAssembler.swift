/// Puts the frames of one link together from the packets that a controller delivers
/// (Core Specification, Vol 3, Part A, 7.2.1). It keeps one frame of limited length at most.
public struct L2CAPAssembler: Sendable {
  /// The longest payload that is put together where nothing else is said; longer frames are skipped. No
  /// fixed channel has longer ones: ATT ends at 517 bytes here.
  public static let longestPayload = 1024

  /// Frames that were given up: broken off, too long, or with bytes behind their end.
  public private(set) var damaged: UInt64 = 0

  private let limit: Int
  private var buffer: [UInt8] = []
  /// Whether a frame is being put together.
  private var isOpen = false

  /// An assembler for a new link.
  ///
  /// - Parameter longestPayload: of what is put together, bytes.
  public init(longestPayload: Int = L2CAPAssembler.longestPayload) { limit = longestPayload }

  /// The bytes that wait for the rest of their frame.
  public var pending: Int { buffer.count }

  /// Takes the next packet.
  ///
  /// - Returns: the frame that it completes.
  public mutating func take(_ packet: HCIACLPacket) -> L2CAPFrame? {
    switch packet.boundary {
    case 1:
      guard isOpen else {
        // The rest of a frame that was given up, or whose beginning was never seen.
        return nil
      }
    default:
      // 2 from a controller; 0 and 3 are beginnings too.
      if isOpen { giveUp() }
      isOpen = true
    }
    buffer += packet.data
    return complete()
  }

  private mutating func complete() -> L2CAPFrame? {
    guard let count = buffer.span.littleEndianWord(at: 0) else { return nil }
    guard Int(count) <= limit else {
      giveUp()
      return nil
    }
    let total = L2CAPFrame.headerCount + Int(count)
    guard buffer.count >= total else { return nil }
    guard buffer.count == total, let channel = buffer.span.littleEndianWord(at: 2) else {
      giveUp()
      return nil
    }
    let frame = L2CAPFrame(
      channel: channel, payload: Array(buffer[L2CAPFrame.headerCount...]))
    buffer = []
    isOpen = false
    return frame
  }

  private mutating func giveUp() {
    damaged &+= 1
    buffer = []
    isOpen = false
  }
}
