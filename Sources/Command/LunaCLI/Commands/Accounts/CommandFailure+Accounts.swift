import LunaBackend

extension CommandFailure {
  /// Why something was not done with accounts.
  init(_ refusal: AccountRefusal, _ name: String) {
    switch refusal {
    case .unknown:
      self.init(
        .notFound, "there is no account \(name)", hint: "luna account list shows them")
    case .nameTaken:
      self.init(
        .notFound, "there is an account \(name) already",
        hint: "use luna account edit \(name) --invite for another link")
    case .lastAdmin:
      self.init(
        .notFound, "\(name) is the last admin",
        hint: "give another account the role first: luna account edit NAME --role admin")
    case .identityTaken:
      self.init(.notFound, "this identity belongs to another account already")
    case .link, .secondFactor:
      self.init(.notFound, "this cannot be done with \(name)")
    }
  }
}
