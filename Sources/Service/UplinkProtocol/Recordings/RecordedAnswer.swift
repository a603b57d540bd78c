import LunaJSON

/// A part of the answer to a request.
public struct RecordedAnswer: Hashable, Sendable {
  /// When it was sent, s from the beginning of the recording.
  public let time: Double
  /// What it is.
  public let content: AnswerContent

  init(time: Double, content: AnswerContent) {
    self.time = time
    self.content = content
  }

  init(_ fields: RecordingFields) throws(FormatError) {
    time = try fields.time()
    content = try AnswerContent(fields)
  }

  var json: JSONValue {
    var object: JSONObject = ["timestamp": .real(time)]
    content.append(to: &object)
    return .object(object)
  }

  var inverted: RecordedAnswer { RecordedAnswer(time: time, content: content.inverted) }
}
