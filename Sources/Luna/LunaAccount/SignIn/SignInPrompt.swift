public import SafeText

/// What a person is to do.
public enum SignInPrompt: Sendable {
  /// To open `address` on any device and enter `code`; `completeAddress` has the code in it.
  case device(code: ForeignText, address: String, completeAddress: String?, lasts: Duration)
  /// To open an address on this machine.
  case browser(address: String)
  /// To open an address anywhere, and hand over the code or the address at which the browser ends.
  case paste(address: String, answer: @Sendable (String) -> Void)
}
