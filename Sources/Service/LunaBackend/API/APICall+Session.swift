import HTTPServer

extension APICall {
  /// A session that begins with this call.
  func newSession(
    _ state: Session.State = .signedIn, method: String
  ) throws(StorageError) -> NewSession {
    // What a browser calls itself is only ever shown; whatever cannot be kept is left out.
    let agent = request.head.first("user-agent").map { text in
      String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(200))
    }
    return try NewSession(
      state, method: method, address: request.client.description, agent: agent)
  }
}
