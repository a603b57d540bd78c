public import Bluetooth

/// A browser that is signed in.
public struct Session: Hashable, Sendable {
  /// What it is called.
  public let id: SessionID
  /// Whose it is.
  public let account: String
  /// When it began.
  public let began: Timestamp
  /// When it was used last, within a minute.
  public let seen: Timestamp
  /// What the browser calls itself.
  public let agent: String

  init(_ session: HomeSession) {
    id = SessionID(session.id)
    account = session.account
    began = session.createdAt
    seen = session.seenAt
    agent = session.agent
  }
}
