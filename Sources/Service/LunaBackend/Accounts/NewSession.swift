import WebAccess

/// What is known of a session that begins.
struct NewSession: Sendable {
  let secret: RandomSecret
  let state: Session.State
  let method: String
  let address: String?
  let agent: String?

  /// - Parameter caller: from where it comes.
  init(_ state: Session.State = .signedIn, method: String, address: String?, agent: String?)
    throws(StorageError)
  {
    secret = try StorageError.unless(RandomSecret())
    self.state = state
    self.method = method
    self.address = address
    self.agent = agent
  }
}
