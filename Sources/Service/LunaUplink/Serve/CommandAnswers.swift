import HTTPServer
import UplinkProtocol

/// The answers to the requests of a slot of commands, all of which come on one connection: so the token holds once.
/// Nothing of the requests is kept.
struct CommandAnswers {
  /// How long a client may take for a request.
  private static let patience = Duration.seconds(10)

  let session: Int
  private let direction: SlotDirection
  private let connection: Int
  private let meter: SlotMeter
  /// How many bytes may be asked for still.
  private var left: Int

  init(_ claim: UplinkHost.Claim, on connection: Int, _ meter: SlotMeter) {
    session = claim.session
    direction = claim.order.direction
    left = claim.order.bytes
    self.connection = connection
    self.meter = meter
  }

  /// Whether that was the last one.
  var isOver: Bool { left < CommandSlot.answer }

  /// A request has come.
  mutating func choose(_ direction: SlotDirection, on connection: Int) -> BodyChoice {
    guard direction == self.direction, connection == self.connection, !isOver else {
      return .unheard
    }
    left -= CommandSlot.answer
    var receiver = BodyReceiver(limit: CommandSlot.request, patience: CommandAnswers.patience) {
      _ in true
    }
    receiver.look = meter.look(at:)
    receiver.isExpected = true
    return .received(receiver)
  }

  /// The answer to it: bytes which no network can make smaller.
  func answer() -> HTTPResponse {
    var generator = SplitMix64(seed: .random(in: 0 ... .max))
    let words = (0..<CommandSlot.answer / 8).map { _ in generator.next() }
    meter.take(CommandSlot.answer)
    var response = HTTPResponse(
      200, "application/octet-stream", words.withUnsafeBytes { Array($0) })
    response.staysOpen = true
    response.closes = isOver
    return response
  }
}
