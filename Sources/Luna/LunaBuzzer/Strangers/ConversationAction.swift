import Bluetooth

/// What is to be done on a connection; its outcome is the next event.
enum ConversationAction<News: Sendable>: Sendable {
  /// `subscribed` or `failed`.
  case subscribe(GATTCharacteristic)
  /// `written` or `failed`.
  case write([UInt8], GATTCharacteristic)
  /// `value`, `silence` or `failed`.
  case receive(GATTCharacteristic, within: Duration)
  /// `told`.
  case tell(News)
  /// Nothing comes after this: it is said.
  case leave
  /// Nothing comes after this: it was in vain.
  case fail(BuzzerError)
  /// Nothing has happened yet that a new connection would not mend.
  case again(GATTError)
}

extension ConversationAction {
  /// Whether it is done on the connection.
  var needsTime: Bool {
    switch self {
    case .subscribe, .write, .receive: true
    case .tell, .leave, .fail, .again: false
    }
  }
}
