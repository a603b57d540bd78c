import Bluetooth
import LunaJSON

/// What a server waits for on a connection, and what it answers.
public struct ServerExchange: Hashable, Sendable {
  /// How many bytes are asked with.
  public let requestLength: Int
  /// The SHA-1 of them, 20 bytes; nil where it is not known.
  public let requestHash: [UInt8]?
  /// The answer, in order.
  public let answers: [RecordedAnswer]

  /// How many bytes are answered.
  public var answerLength: Int { answers.reduce(0) { $0 + $1.content.count } }

  init(requestLength: Int, requestHash: [UInt8]?, answers: [RecordedAnswer]) {
    self.requestLength = requestLength
    self.requestHash = requestHash
    self.answers = answers
  }

  init(_ fields: RecordingFields) throws(FormatError) {
    requestLength = try fields.integer("requestLength", in: 0...RecordingLimits.payload)
    requestHash = try fields.hash("requestHash")
    var answers: [RecordedAnswer] = []
    var length = 0
    for (index, value) in try fields.array("responses").enumerated() {
      let answer = try RecordedAnswer(
        RecordingFields(value, "\(fields.name), response \(index + 1)"))
      // Each has a limit, and there are few: no sum overflows.
      length += answer.content.count
      guard length <= RecordingLimits.answer else {
        throw fields.problem("responses", "are longer than \(RecordingLimits.answer) bytes")
      }
      answers.append(answer)
    }
    self.answers = answers
  }

  var json: JSONValue {
    [
      "requestLength": .integer(Int64(requestLength)),
      "requestHash": requestHash.map { .string(Hex.lower($0)) } ?? .null,
      "responses": .array(answers.map(\.json)),
    ]
  }

  /// The same with all bits the other way round; the request has another hash then.
  var inverted: ServerExchange {
    ServerExchange(
      requestLength: requestLength, requestHash: nil, answers: answers.map(\.inverted))
  }
}
