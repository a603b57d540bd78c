import Bluetooth
import CLuna
import Diagnosis

/// Why a call ended without what was asked for, in the words of luna.h.
struct Failure: Error {
  let status: luna_status
  let text: String
  var remedy = ""

  static func invalid(_ text: String) -> Failure { Failure(status: LUNA_INVALID, text: text) }

  /// What a call that listens can throw.
  init(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as any Diagnosed:
      let isInvalid = (error as? SourceError)?.kind == .invalid
      self.init(
        status: isInvalid ? LUNA_INVALID : LUNA_UNAVAILABLE, text: error.reason,
        remedy: error.remedy?.description ?? "")
    default: self.init(status: LUNA_UNAVAILABLE, text: "\(error)")
    }
  }

  init(status: luna_status, text: String, remedy: String = "") {
    self.status = status
    self.text = text
    self.remedy = remedy
  }

  /// Keeps it for who asks in this thread.
  func tell() -> luna_status {
    cluna_set_error(Failure.limited(text), Failure.limited(remedy))
    return status
  }

  /// As many whole characters as there is room for.
  private static func limited(_ text: String) -> String {
    guard text.utf8.count > 1023 else { return text }
    var text = text
    while text.utf8.count > 1020 { text.removeLast() }
    return text + "…"
  }
}

/// Does the work of a function of luna.h.
func answer(_ work: () throws -> Void) -> luna_status {
  do {
    try work()
    return LUNA_OK
  } catch {
    return Failure(error).tell()
  }
}
