import LunaHome

extension MailAddress {
  /// The address as a header has it.
  var header: String {
    name.isEmpty ? address : "\(MailText.phrase(name))\r\n <\(address)>"
  }
}
