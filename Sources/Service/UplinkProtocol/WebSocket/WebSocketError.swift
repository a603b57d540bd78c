package import Diagnosis

/// Why a WebSocket cannot be opened.
package struct WebSocketError: Diagnosed, CustomStringConvertible, Hashable {
  /// What happened, and what to do.
  package let diagnosis: Diagnosis

  init(_ problem: String) {
    diagnosis = Diagnosis(
      "the server opens no WebSocket: \(problem)", remedy: "check its address, and try again")
  }
}
