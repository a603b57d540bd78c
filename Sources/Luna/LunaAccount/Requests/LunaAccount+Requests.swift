import Diagnosis
import LunaClient
import LunaCrypto
import SafeText

extension LunaAccount {
  /// An address to which the token may go.
  func checked(_ url: String) async throws(AccountError) -> WebAddress {
    guard let address = WebAddress(url) else {
      throw AccountError(
        .configuration, "the address of a request is no URL of the web",
        remedy: "use https://HOST[:PORT]/PATH")
    }
    let issuer = try await identity()?.issuer
    let own = [issuer, configuration.issuer, configuration.backend].compactMap { $0 }
    let isOwn =
      own.contains { WebAddress($0)?.host == address.host }
      || configuration.hosts.contains { address.isAt($0) }
    guard isOwn else {
      throw AccountError(
        .foreignHost, "the token is not for \(ForeignText(address.host))",
        remedy: "add the host to those of the account if it may have it")
    }
    guard address.isPrivate || configuration.client.allowsInsecure else {
      throw AccountError(
        .configuration,
        "\(address.origin) is not https: anybody on the network path could read the token",
        remedy: "use https")
    }
    return address
  }

  /// The header lines with a token.
  nonisolated func lines(with token: SecretBytes) -> [SecretBytes] {
    let names = ["Authorization"] + (configuration.duplicateHeader ? ["X-Authorization"] : [])
    return names.map { name in token.withBytes { TokenSource.line($0, name: name) } }
  }
}
