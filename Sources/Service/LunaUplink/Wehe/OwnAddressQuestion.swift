import Glibc
import UplinkProtocol

/// The question for one's own address, which the port of the data answers.
final class OwnAddressQuestion: ReplayPart {
  /// How long connecting may take, and then the answer.
  private static let connectLimit = Duration.seconds(3)
  private static let answerLimit = Duration.seconds(5)
  /// More is no address.
  private static let size = 2048

  private let request: [UInt8]
  private let socket: StreamSocket
  private(set) var deadline: ContinuousClock.Instant?
  private var answer: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: size)

  /// Asks; nil where that fails at once.
  init?(_ request: [UInt8], to server: ServerAddress, port: UInt16) {
    guard let socket = StreamSocket(to: server, port: port) else { return nil }
    self.request = request
    self.socket = socket
    deadline = ContinuousClock.now + OwnAddressQuestion.connectLimit
  }

  var queries: [pollfd] { [socket.query(reads: true)] }

  func serve(_ ready: [Int16]) -> [ReplayEvent] {
    // Where this process was held up, what it waits for may have come.
    guard ready.contains(where: { $0 != 0 }) else {
      return isLate ? [end] : []
    }
    guard socket.isOpen else {
      guard socket.proceed() else { return [end] }
      deadline = ContinuousClock.now + OwnAddressQuestion.answerLimit
      return socket.send(request) ? [] : [end]
    }
    guard socket.proceed() else { return [end] }
    switch socket.receive(OwnAddressQuestion.size, into: &buffer) {
    case .bytes(let count):
      answer += buffer[..<count]
      return answer.count >= OwnAddressQuestion.size || isLate ? [end] : []
    case .nothing: return isLate ? [end] : []
    case .end, .failure: return [end]
    }
  }

  private var isLate: Bool { deadline.map { $0 <= .now } ?? false }

  /// What the question came to.
  private var end: ReplayEvent { socket.isOpen ? .ownAddress(answer) : .ownAddressRefused }
}
