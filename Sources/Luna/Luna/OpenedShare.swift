package import LunaShare
package import LunaStore

/// What was in an envelope of somebody else.
package struct OpenedShare: Sendable {
  /// What it says.
  package let message: ShareMessage
  /// Who has sent it.
  package let sender: ContactKey
  /// What one calls who has sent it.
  package let contact: String
  /// What was here of that share before; nil for nothing.
  package let former: ReceivedShareRow?
}
