import CLuna
import Dispatch

/// Calls a program's functions, one at a time, on a thread where they may take their time.
final class Caller: @unchecked Sendable {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  private let queue = DispatchQueue(label: "luna.callbacks")
  private let end: luna_end_callback?
  /// The program's, which knows what may be done with it on which thread.
  let context: UnsafeMutableRawPointer?

  init(end: luna_end_callback?, context: UnsafeMutableRawPointer?) {
    self.end = end
    self.context = context
    queue.setSpecific(key: Caller.key, value: ObjectIdentifier(self))
  }

  /// Whether this is one of the calls.
  var isCalling: Bool { DispatchQueue.getSpecific(key: Caller.key) == ObjectIdentifier(self) }

  /// Calls, and returns when the program has.
  func call(_ body: @escaping @Sendable (UnsafeMutableRawPointer?) -> Void) async {
    await withCheckedContinuation { continuation in
      queue.async {
        body(self.context)
        continuation.resume()
      }
    }
  }

  /// Tells that it has ended by itself; nil for the end of a recording.
  func tellEnd(_ failure: Failure?) async {
    guard let end else { return }
    await call { context in
      (failure?.text ?? "").withCString { end(failure?.status ?? LUNA_OK, $0, context) }
    }
  }
}
