import LunaShare

extension CommandFailure {
  /// An envelope that is not taken.
  init(_ rejection: ShareRejection) {
    self.init(rejection == .serial ? .notFound : .unreadableInput, rejection)
  }

  /// A share that cannot be made or taken.
  init(_ error: ShareError) {
    self.init([.foreignDevice, .ended].contains(error.kind) ? .notFound : .usage, error)
  }

  static let noCard = CommandFailure(
    .notFound, "there is no contact card of your own yet", hint: "luna contact card makes one")

  static func noContact(_ name: String) -> CommandFailure {
    CommandFailure(
      .notFound, "there is no contact \(name)",
      hint: "luna contact list shows them, luna contact add adds one")
  }

  static func noShare(_ text: String) -> CommandFailure {
    CommandFailure(
      .notFound, "no share, or more than one, is meant by \(text)",
      hint: "luna share list shows their ids")
  }
}
